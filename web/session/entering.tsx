import { type ReactNode, useState } from 'react';
import { Navigate } from 'react-router';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import { FinishRegistration } from './finish-registration.tsx';
import { useRememberedPage } from './remembered-page.ts';
import { useSession, useSessionActions, useSettings } from './session.tsx';
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

/** 'Continue with Google' under a form, where the shop offers it. */
export function GoogleWay({ enter }: { enter: ReturnType<typeof useEntering>['enter'] }) {
  const { identity } = useSettings();
  const [busy, setBusy] = useState(false);
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
      <Button look="secondary" className="w-full" onClick={withGoogle} busy={busy && 'Waiting for Google'}>
        Continue with Google
      </Button>
    </>
  );
}

interface EntryPageProps {
  title: string;
  children: ReactNode;
  /** The link to the other way in. */
  other: ReactNode;
}

/** Around the login and the registration form: whoever is signed in goes on to the page they came for. */
export function EntryPage({ title, children, other }: EntryPageProps) {
  const session = useSession();
  const { from } = useRememberedPage();
  if (session.status === 'signed-in') return <Navigate to={from} replace />;
  return (
    <div className="page-width py-10 sm:py-16">
      <div className="mx-auto w-full max-w-md rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-9">
        {session.status === 'unfinished' ? (
          <FinishRegistration person={session.person} role={session.role} reason={session.reason} />
        ) : (
          <>
            <h1 className="text-3xl sm:text-4xl">{title}</h1>
            {session.status === 'signed-out' && session.reason !== null && (
              <p role="status" className="mt-4 rounded-lg bg-orange-soft px-4 py-3">
                {session.reason}
              </p>
            )}
            <div className="mt-6 flex flex-col gap-5">{children}</div>
            <p className="mt-6 text-quiet">{other}</p>
          </>
        )}
      </div>
    </div>
  );
}
