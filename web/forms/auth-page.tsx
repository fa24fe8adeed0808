import { type ReactNode, useEffect } from 'react';
import { Link, Navigate } from 'react-router';
import { useReturnPage } from '../layout/return-page.ts';
import { useSession, useSessionStore } from '../session/session.tsx';
import { NeedsScripts } from '../ui/needs-scripts.tsx';
import { Notice } from '../ui/notice.tsx';
import { FinishRegistration } from './finish-registration.tsx';
import { SecondFactor } from './second-factor.tsx';

interface AuthPageProps {
  title: string;
  /** What signing in is for, as a sentence. */
  reason?: string;
  /** What a visitor can see without an account. */
  publicList?: { name: string; to: string };
  children: ReactNode;
  /** The link to the other form. */
  alternative: { question: string; name: string; to: string };
}

/** Frame of the login and the registration form. A signed-in user is redirected to the page that led here. */
export function AuthPage({ title, reason, publicList, children, alternative }: AuthPageProps) {
  const session = useSession();
  const store = useSessionStore();
  useEffect(() => {
    // Browsers open the Google window only during a click, so its code must be loaded before. A failure shows at sign-in.
    store.run(async () => undefined).catch(() => undefined);
  }, [store]);
  const returnPage = useReturnPage();
  if (session.status === 'signed-in') return <Navigate to={returnPage.from} replace />;
  return (
    <div className="page-width py-10 sm:py-16">
      <div className="card mx-auto w-full max-w-md shadow-card sm:p-9">
        {session.status === 'unfinished' ? (
          <FinishRegistration person={session.person} role={session.role} lastFailure={session.failure} />
        ) : session.status === 'second-factor' ? (
          <SecondFactor methods={session.methods} />
        ) : (
          <>
            <h1 className="text-3xl sm:text-4xl">{title}</h1>
            {reason !== undefined && <p className="mt-2 text-lg text-muted">{reason}</p>}
            <NeedsScripts className="mt-4" />
            {session.status === 'signed-out' && session.reason !== null && (
              <Notice tone="info" role="status" className="mt-4">
                {session.reason}
              </Notice>
            )}
            <div className="mt-6 flex flex-col gap-5">{children}</div>
            <p className="mt-6 text-muted">
              {alternative.question}{' '}
              <Link to={alternative.to} state={returnPage} className="link inline-block py-0.5 font-semibold">
                {alternative.name}
              </Link>
            </p>
            {publicList !== undefined && (
              <p className="mt-1">
                <Link to={publicList.to} className="link inline-block py-0.5 font-semibold">
                  {publicList.name}
                </Link>
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
}
