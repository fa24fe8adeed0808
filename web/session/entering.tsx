import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { useSessionActions, useSettings } from './session.tsx';
import type { Outcome, SessionStore } from './store.ts';

/**
 * Runs a way of signing in: greets on success, keeps the sentence of a failure.
 * @returns `enter` answers whether it succeeded; `failure` is what to show under the form
 */
export function useEntering() {
  const store = useSessionActions();
  const [failure, setFailure] = useState<string | null>(null);
  const enter = async (way: (store: SessionStore) => Promise<Outcome>): Promise<boolean> => {
    setFailure(null);
    try {
      const outcome = await way(store);
      const session = store.read();
      if (outcome === 'created') toast.success('User created successfully');
      else if (session.status === 'signed-in') toast.success(`Welcome back ${session.person.name}`);
      return true;
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Something went wrong. Please try again.');
      return false;
    }
  };
  return { enter, failure };
}

/** The error under a form, in red, announced when it appears. */
export function FormFailure({ message }: { message: string | null }) {
  return (
    <p role="alert" className="rounded-lg bg-red-soft px-4 py-3 text-red empty:hidden">
      {message}
    </p>
  );
}

/** Signing in by a passkey alone, for who has set one up. */
export function PasskeyWay({ enter }: { enter: ReturnType<typeof useEntering>['enter'] }) {
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const withPasskey = async () => {
    setBusy(true);
    await enter((store) => store.signInWithPasskey());
    setBusy(false);
  };
  return (
    <Button
      look="quiet"
      className="w-full"
      disabled={!hydrated}
      onClick={withPasskey}
      busy={busy && 'Waiting for your passkey'}
    >
      Sign in with a passkey
    </Button>
  );
}

/** 'Continue with Google' under a form, where the shop offers it. */
export function GoogleWay({ enter }: { enter: ReturnType<typeof useEntering>['enter'] }) {
  const { identity } = useSettings();
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  if (!identity.google) return null;
  const withGoogle = async () => {
    setBusy(true);
    await enter((store) => store.signInWithGoogle());
    setBusy(false);
  };
  return (
    <>
      <p className="flex items-center gap-3 text-quiet text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <Button
        look="secondary"
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
