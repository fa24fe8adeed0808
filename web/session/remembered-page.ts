import { type Location, useLocation } from 'react-router';

/** A path of this shop: what begins with two slashes would be another. */
const ownPath = /^\/(?![/\\])/;

/** The state that a link to the login page carries, so that it can lead back to `location`. */
export function remember(location: Pick<Location, 'pathname' | 'search' | 'hash'>): { from: string } {
  return { from: `${location.pathname}${location.search}${location.hash}` };
}

/** The page that the state of a link remembers; the home page for anything that is no page of this shop. */
export function rememberedIn(state: unknown): { from: string } {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return { from: typeof from === 'string' && ownPath.test(from) ? from : '/' };
}

/** The page from which somebody was sent to sign in; the home page when nobody was. */
export function useRememberedPage(): { from: string } {
  return rememberedIn(useLocation().state);
}
