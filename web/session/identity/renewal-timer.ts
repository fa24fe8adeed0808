import type { StoredSession } from './stored-session.ts';

/** Milliseconds before the ID token's end at which it is renewed. */
const RENEW_BEFORE_EXPIRY = 5 * 60_000;

/** Delay after a failed renewal in milliseconds. It doubles up to the last. */
const FIRST_BACK_OFF = 30_000;
const LAST_BACK_OFF = 16 * 60_000;

/**
 * Creates a timer that renews an ID token 5 minutes before its end. After a failure it tries again in 30 seconds, then
 * after twice as long each time up to 16 minutes.
 */
export function createRenewalTimer(renew: (session: StoredSession) => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function renewAfter(milliseconds: number, session: StoredSession, backOff = FIRST_BACK_OFF): void {
    const started = setTimeout(() => {
      renew(session).catch(() => {
        // Stopped or started again meanwhile.
        if (timer === started) renewAfter(backOff, session, Math.min(backOff * 2, LAST_BACK_OFF));
      });
    }, milliseconds);
    timer = started;
  }

  return {
    stop(): void {
      clearTimeout(timer);
      timer = undefined;
    },
    /** Starts the timer for this session's ID token, in place of any before. */
    start(session: StoredSession): void {
      clearTimeout(timer);
      // A token that lasts less than 10 minutes is renewed at half its lifetime, or renewal would never end.
      const early = Math.min(RENEW_BEFORE_EXPIRY, session.lifetime / 2);
      renewAfter(Math.max(0, session.expiresAt - early - Date.now()), session);
    },
  };
}
