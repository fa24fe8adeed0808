import { type Location, useLocation } from 'react-router';
import * as z from 'zod/mini';

const Remembered = z.object({ from: z.string().check(z.regex(/^\/(?![/\\])/)) });

/** The state that a link to the login page carries, so that it can lead back to `location`. */
export function remember(location: Pick<Location, 'pathname' | 'search' | 'hash'>): { from: string } {
  return { from: `${location.pathname}${location.search}${location.hash}` };
}

/** The page that the state of a link remembers; the home page for anything that is no page of this shop. */
export function rememberedIn(state: unknown): { from: string } {
  const parsed = Remembered.safeParse(state);
  return parsed.success ? parsed.data : { from: '/' };
}

/** The page from which somebody was sent to sign in; the home page when nobody was. */
export function useRememberedPage(): { from: string } {
  return rememberedIn(useLocation().state);
}
