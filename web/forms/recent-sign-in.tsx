import { useState } from 'react';
import { readAccount } from '#contract/identity/account.ts';
import { Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { useSessionStore } from '../session/session.tsx';
import { SecondaryButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, PasswordInput } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { FormDialog } from './request-form.tsx';
import { useRequestForm } from './use-request-form.ts';

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
 * For calls that need a recent sign-in.
 * @returns `withRecentSignIn` sends a call, and when the shop refuses it for that reason, asks for the password and sends it again;
 *   `showFailure` shows any other failure of a write in a toast; `dialog` must be rendered
 */
export function useRecentSignIn() {
  const store = useSessionStore();
  const [question, setQuestion] = useState<Question | null>(null);

  async function ask(refusal: Problem): Promise<void> {
    const { hasPassword } = await store.run(({ account }) => account.call(readAccount, {}));
    const answer = Promise.withResolvers<void>();
    setQuestion({ hasPassword, confirm: () => answer.resolve(), cancel: () => answer.reject(refusal) });
    return answer.promise;
  }

  async function withRecentSignIn<Result>(send: () => Promise<Result>): Promise<Result> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'reauthentication_required') throw error;
      await ask(error);
      return send();
    }
  }

  function showFailure(error: Error): void {
    const isAsked = error instanceof Problem && error.code === 'reauthentication_required';
    // After the end of a session the login page gives the reason.
    if (!isAsked && store.read().status === 'signed-in') toast.error(errorMessage(error));
  }

  const dialog = question && <ProveIdentity question={question} onClose={() => setQuestion(null)} />;
  return { withRecentSignIn, showFailure, dialog };
}
