import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { SecondFactorMethod } from '#contract/identity.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { goOnFrom } from '../ui/route-announcer.tsx';
import { FormFailure, useEntering } from './entering.tsx';
import { useSessionActions } from './session.tsx';

/** The second step of a sign-in: a code, a passkey or a recovery code, whichever the account has. */
export function SecondFactor({ methods }: { methods: readonly SecondFactorMethod[] }) {
  const { enter, failure } = useEntering();
  const { signOut } = useSessionActions();
  const [isWaiting, setIsWaiting] = useState(false);
  const { register, handleSubmit, setFocus, formState } = useForm({ defaultValues: { code: '' } });
  const prove = handleSubmit(async ({ code }) => {
    await enter((store) => store.proveWithCode(code.trim()));
  });
  const withPasskey = async () => {
    setIsWaiting(true);
    await enter((store) => store.signInWithPasskey());
    setIsWaiting(false);
  };
  const hasApp = methods.includes('totp');
  const hasPasskey = methods.includes('passkey');
  useEffect(() => {
    // The Login button that had the focus is gone with its form.
    if (hasApp) setFocus('code');
    else goOnFrom('');
  }, [hasApp, setFocus]);
  const explained = hasApp
    ? 'Type the code that your authenticator app shows now.'
    : 'Use your passkey, or type one of your recovery codes.';
  return (
    <>
      <h1 className="text-3xl sm:text-4xl">One more step</h1>
      <p className="mt-3 text-quiet">Your account has a second factor. {explained}</p>
      <div className="mt-6 flex flex-col gap-5">
        {hasPasskey && (
          <Button
            look={hasApp ? 'secondary' : 'primary'}
            onClick={withPasskey}
            busy={isWaiting && 'Waiting for your passkey'}
          >
            Use your passkey
          </Button>
        )}
        <form onSubmit={prove} noValidate className="flex flex-col gap-5">
          <Field
            label={hasApp ? 'Code' : 'Recovery Code'}
            error={formState.errors.code?.message}
            hint={hasApp ? 'Without the app at hand, type one of your recovery codes.' : undefined}
          >
            <TextInput
              inputMode={hasApp ? 'text' : undefined}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              {...register('code', { required: 'A code is required' })}
            />
          </Field>
          <Button
            type="submit"
            look={hasPasskey && !hasApp ? 'secondary' : 'primary'}
            busy={formState.isSubmitting && 'Checking'}
          >
            Continue
          </Button>
        </form>
        <FormFailure message={failure} />
        <Button look="quiet" onClick={signOut}>
          Use another account
        </Button>
      </div>
    </>
  );
}
