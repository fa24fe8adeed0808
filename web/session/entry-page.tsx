import { type ReactNode, useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { FinishRegistration } from './finish-registration.tsx';
import { useRememberedPage } from './remembered-page.ts';
import { SecondFactor } from './second-factor.tsx';
import { useSession, useSessionActions } from './session.tsx';

interface EntryPageProps {
  title: string;
  children: ReactNode;
  /** The other way in: who it is for, and its page. */
  other: { question: string; name: string; to: string };
}

/** Around the login and the registration form: whoever is signed in goes on to the page they came for. */
export function EntryPage({ title, children, other }: EntryPageProps) {
  const session = useSession();
  const { identity } = useSessionActions();
  useEffect(() => {
    // Browsers open the Google window only in the turn of the click, so what opens it has to be here by then. Where
    // it cannot be fetched, signing in will say so.
    identity().catch(() => undefined);
  }, [identity]);
  const remembered = useRememberedPage();
  if (session.status === 'signed-in') return <Navigate to={remembered.from} replace />;
  return (
    <div className="page-width py-10 sm:py-16">
      <div className="mx-auto w-full max-w-md rounded-2xl border border-line bg-surface p-6 shadow-card sm:p-9">
        {session.status === 'unfinished' ? (
          <FinishRegistration person={session.person} role={session.role} reason={session.reason} />
        ) : session.status === 'second-factor' ? (
          <SecondFactor methods={session.methods} />
        ) : (
          <>
            <h1 className="text-3xl sm:text-4xl">{title}</h1>
            {session.status === 'signed-out' && session.reason !== null && (
              <p role="status" className="mt-4 rounded-lg bg-orange-soft px-4 py-3">
                {session.reason}
              </p>
            )}
            <div className="mt-6 flex flex-col gap-5">{children}</div>
            <p className="mt-6 text-quiet">
              {other.question}{' '}
              <Link
                to={other.to}
                state={remembered}
                className="inline-block py-0.5 font-semibold text-aubergine underline underline-offset-4"
              >
                {other.name}
              </Link>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
