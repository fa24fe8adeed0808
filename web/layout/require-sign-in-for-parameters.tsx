import { href, Navigate, useLocation, useSearchParams } from 'react-router';
import { useSession } from '../session/session.tsx';
import { toReturnPage } from './return-page.ts';

/**
 * Leads a visitor to the login page when the URL asks for something that only signed-in people see, and back here afterwards. What
 * asks for it is a link to the page itself, so that it works before hydration, too.
 * @param props.parameters the parameters of the URL that ask for it
 */
export function RequireSignInForParameters({ parameters }: { parameters: readonly string[] }) {
  const { status } = useSession();
  const location = useLocation();
  const [search] = useSearchParams();
  const isSignInNeeded = status === 'signed-out' || status === 'second-factor' || status === 'unfinished';
  if (!isSignInNeeded || !parameters.some((name) => search.has(name))) return null;
  return <Navigate to={href('/login')} state={toReturnPage(location)} replace />;
}
