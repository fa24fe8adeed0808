import type { StoredSession } from './user.ts';

/** An ID token counts as expired this many milliseconds before its end. */
export const EXPIRY_MARGIN = 30_000;

/** Milliseconds before the ID token's end at which it is renewed. */
const RENEW_BEFORE_EXPIRY = 5 * 60_000;

/** Delay after a failed renewal in milliseconds. It doubles up to the last. */
const FIRST_BACK_OFF = 30_000;
const LAST_BACK_OFF = 16 * 60_000;

/** Age in milliseconds from which a restored ID token is checked with the provider. */
const CHECK_AGE = 5 * 60_000;

/**
 * Whether an ID token can still be used. One with more time left than its whole lifetime cannot: this device's clock
 * has been set back.
 */
export function isUsable({ expiresAt, lifetime }: StoredSession, now: number): boolean {
  const left = expiresAt - now;
  return left > EXPIRY_MARGIN && left <= lifetime;
}

/** Whether a stored sign-in is old enough to check with the provider whether it is still valid. */
export function needsCheck({ expiresAt, lifetime }: StoredSession, now: number): boolean {
  return now - (expiresAt - lifetime) > CHECK_AGE;
}

/**
 * Creates a timer that renews an ID token 5 minutes before its end. After a failure it tries again in 30 seconds, then
 * after twice as long each time up to 16 minutes.
 */
export function createRenewalTimer(renew: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let backOff = FIRST_BACK_OFF;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    backOff = FIRST_BACK_OFF;
  }

  function renewAfter(milliseconds: number): void {
    clearTimeout(timer);
    const started = setTimeout(() => {
      renew().catch(() => {
        // Stopped or started again meanwhile.
        if (timer !== started) return;
        const delay = backOff;
        backOff = Math.min(backOff * 2, LAST_BACK_OFF);
        renewAfter(delay);
      });
    }, milliseconds);
    timer = started;
  }

  return {
    stop,
    /** Starts the timer for this session's ID token, in place of any before. */
    start({ expiresAt, lifetime }: StoredSession): void {
      stop();
      // A token that lasts less than 10 minutes is renewed at half its lifetime, or renewal would never end.
      const early = Math.min(RENEW_BEFORE_EXPIRY, lifetime / 2);
      renewAfter(Math.max(0, expiresAt - early - Date.now()));
    },
  };
}
