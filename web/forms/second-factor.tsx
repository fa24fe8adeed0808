import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import type { SecondFactorMethod } from '#contract/identity/schemas.ts';
import { useSessionStore } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Field, FormFailure, TextInput } from '../ui/field.tsx';
import { moveFocusTo } from '../ui/route-announcer.tsx';
import { fieldsOf } from './fields-of.ts';
import { SignInButton, useSignIn } from './sign-in.tsx';

/** Second step of a sign-in: a code, a passkey or a recovery code, as the account has them. */
export function SecondFactor({ methods }: { methods: readonly SecondFactorMethod[] }) {
  const { signIn, failure } = useSignIn();
  const { signOut } = useSessionStore();
  const form = useForm({ defaultValues: { code: '' } });
  const { setFocus } = form;
  const submitCode = form.handleSubmit(async ({ code }) => {
    await signIn((actions) => actions.signInWithCode(code.trim()));
  });
  const hasApp = methods.includes('totp');
  const hasPasskey = methods.includes('passkey');
  useEffect(() => {
    // The focused Login button was removed with its form.
    if (hasApp) setFocus('code');
    else moveFocusTo('');
  }, [hasApp, setFocus]);
  const explanation = hasApp
    ? 'Type the code that your authenticator app shows now.'
    : 'Use your passkey, or type one of your recovery codes.';
  return (
    <>
      <h1 className="text-3xl sm:text-4xl">One more step</h1>
      <p className="mt-3 text-muted">Your account has a second factor. {explanation}</p>
      <div className="mt-6 flex flex-col gap-5">
        {hasPasskey && (
          <SignInButton
            signIn={signIn}
            action={(actions) => actions.signInWithPasskey()}
            variant={hasApp ? 'secondary' : 'primary'}
            busyLabel="Waiting for your passkey"
          >
            Use your passkey
          </SignInButton>
        )}
        <form onSubmit={submitCode} noValidate className="flex flex-col gap-5">
          <Field
            label={hasApp ? 'Code' : 'Recovery Code'}
            {...fieldsOf(form)('code', { required: 'A code is required' })}
            hint={hasApp ? 'Without the app at hand, type one of your recovery codes.' : undefined}
          >
            <TextInput
              inputMode={hasApp ? 'text' : undefined}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
            />
          </Field>
          <Button
            type="submit"
            variant={hasPasskey && !hasApp ? 'secondary' : 'primary'}
            busy={form.formState.isSubmitting && 'Checking'}
          >
            Continue
          </Button>
        </form>
        <FormFailure message={failure} />
        <Button variant="quiet" onClick={signOut}>
          Use another account
        </Button>
      </div>
    </>
  );
}
