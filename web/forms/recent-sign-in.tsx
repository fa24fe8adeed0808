import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { readAccount } from '#contract/identity/account.ts';
import type { Problem } from '#contract/platform/client.ts';
import { isSignInOld, SendWrite } from '../requests/use-write.ts';
import { useApi, useSessionStore } from '../session/session.tsx';
import { SecondaryButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { FormDialog, useRequestForm } from './request-form.tsx';

interface Question {
  hasPassword: boolean;
  /** Continues the writes that wait. */
  confirm: () => void;
  /** Ends them with the shop's refusal. */
  cancel: () => void;
}

/** Asks for the password. Without one, it says how to sign in again. */
function ProveIdentity({ question: { hasPassword, confirm, cancel } }: { question: Question }) {
  const store = useSessionStore();
  const form = useRequestForm(
    async ({ password }: { password: string }) => {
      await store.run((actions) => actions.proveIdentity(password));
      confirm();
    },
    { defaultValues: { password: '' } },
  );
  const title = 'Is it you?';
  if (!hasPassword) {
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
 * password the write ends with that refusal. Writes that are refused while it asks wait for the same answer.
 */
export function RecentSignIn({ children }: { children: ReactNode }) {
  const api = useApi();
  const { pathname } = useLocation();
  const [question, setQuestion] = useState<Question | null>(null);
  const pending = useRef<Promise<void> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation to another page cancels the question
  useEffect(() => () => question?.cancel(), [question, pathname]);
  const send = useCallback(
    async <Result,>(write: () => Promise<Result>): Promise<Result> => {
      async function ask(refusal: Problem): Promise<void> {
        const { hasPassword } = await api.call(readAccount, {});
        const answer = Promise.withResolvers<void>();
        setQuestion({ hasPassword, confirm: answer.resolve, cancel: () => answer.reject(refusal) });
        await answer.promise.finally(() => setQuestion(null));
      }
      try {
        return await write();
      } catch (error) {
        if (!isSignInOld(error)) throw error;
        pending.current ??= ask(error).finally(() => {
          pending.current = null;
        });
        await pending.current;
        return write();
      }
    },
    [api],
  );
  return (
    <SendWrite value={send}>
      {children}
      {question && <ProveIdentity question={question} />}
    </SendWrite>
  );
}
