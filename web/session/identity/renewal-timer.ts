import type { StoredSession } from './stored-session.ts';

/** Milliseconds before the ID token's end at which it is renewed. */
const RENEW_BEFORE_EXPIRY = 5 * 60_000;

/** Delay after a failed renewal in milliseconds. It doubles up to the last. */
const FIRST_BACK_OFF = 30_000;
const LAST_BACK_OFF = 16 * 60_000;

/**
 * Creates a timer that renews the ID token of the session that it is set to, and none when it is set to null. After a
 * failure it tries again with back-off.
 */
export function createRenewalTimer(renew: (session: StoredSession) => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function renewAfter(milliseconds: number, session: StoredSession, backOff = FIRST_BACK_OFF): void {
    const started = setTimeout(() => {
      renew(session).catch(() => {
        // Set again meanwhile.
        if (timer === started) renewAfter(backOff, session, Math.min(backOff * 2, LAST_BACK_OFF));
      });
    }, milliseconds);
    timer = started;
  }

  return (session: StoredSession | null): void => {
    clearTimeout(timer);
    timer = undefined;
    if (session === null) return;
    // A token that lasts less than 10 minutes is renewed at half its lifetime, or renewal would never end.
    const early = Math.min(RENEW_BEFORE_EXPIRY, session.lifetime / 2);
    renewAfter(Math.max(0, session.expiresAt - early - Date.now()), session);
  };
}
