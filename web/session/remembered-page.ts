import { type Location, useLocation } from 'react-router';
import * as z from 'zod/mini';

const Remembered = z.object({ from: z.string().check(z.regex(/^\/(?![/\\])/)) });

/** The state that a link to the login page carries, so that it can lead back to `location`. */
export function remember(location: Pick<Location, 'pathname' | 'search' | 'hash'>): { from: string } {
  return { from: `${location.pathname}${location.search}${location.hash}` };
}

/** The page from which somebody was sent to sign in; the home page when nobody was. */
export function useRememberedPage(): { from: string } {
  const parsed = Remembered.safeParse(useLocation().state);
  return parsed.success ? parsed.data : { from: '/' };
}
