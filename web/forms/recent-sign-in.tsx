import { type ReactNode, useCallback, useState } from 'react';
import { readAccount } from '#contract/identity/account.ts';
import { isSignInOld, SendWrite } from '../requests/use-write.ts';
import { useApi, useSessionStore } from '../session/session.tsx';
import { SecondaryButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { FormDialog, useRequestForm } from './request-form.tsx';

interface Question {
  hasPassword: boolean;
  /** Continues the call that waits. */
  confirm: () => void;
  /** Ends it with the shop's refusal. */
  cancel: () => void;
}

/** Asks for the password. Without one, it says how to sign in again. */
function ProveIdentity({ question, onClose }: { question: Question; onClose: () => void }) {
  const store = useSessionStore();
  const form = useRequestForm(
    async ({ password }: { password: string }) => {
      await store.run((actions) => actions.proveIdentity(password));
      question.confirm();
    },
    { defaultValues: { password: '' }, onClose },
  );
  const cancel = () => {
    question.cancel();
    onClose();
  };
  const title = 'Is it you?';
  if (!question.hasPassword) {
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && cancel()}
        title={title}
        description="This needs a sign-in within the last ten minutes. You sign in without a password: please sign out, sign in again, and repeat it."
      >
        <div className="flex justify-end *:grow sm:*:grow-0">
          <SecondaryButton onClick={cancel}>Cancel</SecondaryButton>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      open
      title={title}
      description="For this, please enter your password once more. What you have typed is kept."
      submit="Continue"
      busy="Checking"
      onClose={cancel}
    >
      <Field label="Your Password" {...form.field('password', { required: 'Your password is required' })}>
        <PasswordInput autoComplete="current-password" />
      </Field>
    </FormDialog>
  );
}

/**
 * Asks for the password when the shop refuses a write below because the sign-in is too long ago, and sends it again. Without the
 * password the write ends with that refusal.
 */
export function RecentSignIn({ children }: { children: ReactNode }) {
  const api = useApi();
  const [question, setQuestion] = useState<Question | null>(null);
  const send = useCallback(
    async <Result,>(write: () => Promise<Result>): Promise<Result> => {
      try {
        return await write();
      } catch (error) {
        if (!isSignInOld(error)) throw error;
        const { hasPassword } = await api.call(readAccount, {});
        const answer = Promise.withResolvers<void>();
        setQuestion({ hasPassword, confirm: () => answer.resolve(), cancel: () => answer.reject(error) });
        await answer.promise;
        return write();
      }
    },
    [api],
  );
  return (
    <SendWrite value={send}>
      {children}
      {question && <ProveIdentity question={question} onClose={() => setQuestion(null)} />}
    </SendWrite>
  );
}
