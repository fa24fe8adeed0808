import { type Location, useLocation } from 'react-router';

/** Router state of a link to the login page: the page to go back to after signing in. */
interface ReturnPage {
  from: string;
}

/** A path of this shop. One that begins with two slashes would be another host. */
const ownPath = /^\/(?![/\\])/;

/** The router state that leads back to `location`. */
export function toReturnPage(location: Pick<Location, 'pathname' | 'search' | 'hash'>): ReturnPage {
  return { from: `${location.pathname}${location.search}${location.hash}` };
}

/** Reads a link's router state. Anything but a page of this shop becomes the home page. */
export function parseReturnPage(state: unknown): ReturnPage {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return { from: typeof from === 'string' && ownPath.test(from) ? from : '/' };
}

/** The page that led to signing in; the home page without one. */
export function useReturnPage(): ReturnPage {
  return parseReturnPage(useLocation().state);
}
