import { useState } from 'react';
import { errorMessage } from '../requests/error-message.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { useSessionStore, useSettings } from './session.tsx';
import type { SessionActions, SignInOutcome } from './session-actions.ts';

/** Runs a sign-in action. @returns whether it succeeded */
export type SignIn = (action: (actions: SessionActions) => Promise<SignInOutcome>) => Promise<boolean>;

/** Signs in with a greeting on success. @returns `failure`: the message to show under the form, or null */
export function useSignIn(): { signIn: SignIn; failure: string | null } {
  const store = useSessionStore();
  const [failure, setFailure] = useState<string | null>(null);
  const signIn: SignIn = async (action) => {
    setFailure(null);
    try {
      const outcome = await store.run(action);
      const session = store.read();
      if (outcome === 'created') toast.success('User created successfully');
      else if (session.status === 'signed-in') toast.success(`Welcome back ${session.person.name}`);
      return true;
    } catch (error) {
      setFailure(errorMessage(error));
      return false;
    }
  };
  return { signIn, failure };
}

/** Signs in with a passkey alone. */
export function PasskeyButton({ signIn }: { signIn: SignIn }) {
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const withPasskey = async () => {
    setBusy(true);
    await signIn((actions) => actions.signInWithPasskey());
    setBusy(false);
  };
  return (
    <Button
      variant="quiet"
      className="w-full"
      disabled={!hydrated}
      onClick={withPasskey}
      busy={busy && 'Waiting for your passkey'}
    >
      Sign in with a passkey
    </Button>
  );
}

/** 'Continue with Google', if the shop offers it. */
export function GoogleButton({ signIn }: { signIn: SignIn }) {
  const { identity } = useSettings();
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  if (!identity.google) return null;
  const withGoogle = async () => {
    setBusy(true);
    await signIn((actions) => actions.signInWithGoogle());
    setBusy(false);
  };
  return (
    <>
      <p className="flex items-center gap-3 text-quiet text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <Button
        variant="secondary"
        className="w-full"
        disabled={!hydrated}
        onClick={withGoogle}
        busy={busy && 'Waiting for Google'}
      >
        Continue with Google
      </Button>
    </>
  );
}
