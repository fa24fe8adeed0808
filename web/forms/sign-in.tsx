import { type ComponentProps, type ReactNode, useState } from 'react';
import { errorMessage } from '../requests/error-message.ts';
import { useSessionStore, useSettings } from '../session/session.tsx';
import type { SessionActions, SignInOutcome } from '../session/session-actions.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

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

interface SignInButtonProps extends Pick<ComponentProps<typeof Button>, 'variant'> {
  signIn: SignIn;
  action: Parameters<SignIn>[0];
  /** The label while the sign-in is pending. */
  busyLabel: string;
  children: ReactNode;
}

/** Signs in in another way than by the form. */
export function SignInButton({ signIn, action, variant, busyLabel, children }: SignInButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  const isHydrated = useHydrated();
  const start = async () => {
    setIsBusy(true);
    await signIn(action);
    setIsBusy(false);
  };
  return (
    <Button
      variant={variant}
      className="w-full"
      disabled={!isHydrated}
      onClick={start}
      busy={isBusy && busyLabel}
    >
      {children}
    </Button>
  );
}

/** Google's mark in its own colours: a ring of four arcs and a bar. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" fill="none" strokeWidth="4.4" className="size-5 shrink-0" aria-hidden="true">
      <path d="M18.5 5.9 A9 9 0 0 0 4.2 7.5" stroke="var(--google-red)" />
      <path d="M4.2 7.5 A9 9 0 0 0 4.2 16.5" stroke="var(--google-yellow)" />
      <path d="M4.2 16.5 A9 9 0 0 0 17.8 18.9" stroke="var(--google-green)" />
      <path d="M17.8 18.9 A9 9 0 0 0 21 12 H12" stroke="var(--google-blue)" />
    </svg>
  );
}

/** 'Continue with Google', if the shop offers it. */
export function GoogleButton({ signIn, isToSell }: { signIn: SignIn; isToSell: boolean }) {
  const { identity } = useSettings();
  if (!identity.google) return null;
  return (
    <>
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or
      </p>
      <SignInButton
        signIn={signIn}
        action={(actions) => actions.signInWithGoogle()}
        variant="secondary"
        busyLabel="Waiting for Google"
      >
        <GoogleMark />
        Continue with Google
      </SignInButton>
      {isToSell && (
        <p className="-mt-2 text-muted text-sm">
          Google makes a new account a buyer’s. After that, “I want to sell too” is all it takes.
        </p>
      )}
    </>
  );
}
