import type { Clock } from './environment.ts';
import type { StoredSession } from './user.ts';

/** An ID token counts as expired so long before it really is, in milliseconds. */
export const EXPIRY_MARGIN = 30_000;

/** A new ID token is asked for so long before the present one expires, in milliseconds. */
export const REFRESH_BEFORE_EXPIRY = 5 * 60_000;

/** The first wait after a failed refresh; each further one is twice as long, up to the last. Milliseconds. */
export const FIRST_BACK_OFF = 30_000;
export const LAST_BACK_OFF = 16 * 60_000;

/** A stored ID token older than this is checked with the provider when a page opens, in milliseconds. */
const CHECK_AFTER = 5 * 60_000;

/**
 * Whether an ID token can be used as it is. One that claims to last longer than it was made for is not: this
 * device's clock has been set back since.
 */
export function isGood({ expiresAt, lifetime }: StoredSession, now: number): boolean {
  const left = expiresAt - now;
  return left > EXPIRY_MARGIN && left <= lifetime;
}

/** Whether a stored sign-in is old enough to ask the provider whether it still stands. */
export function needsCheck({ expiresAt, lifetime }: StoredSession, now: number): boolean {
  return now - (expiresAt - lifetime) > CHECK_AFTER;
}

export interface RefreshAlarm {
  /** Sets the alarm for this session's ID token, in place of any before; failures are forgotten. */
  set(session: StoredSession): void;
  stop(): void;
}

/**
 * Rings 5 minutes before an ID token expires. When `refresh` fails it rings again after 30 seconds, then
 * after twice as long each time up to 16 minutes, until the alarm is set anew or stopped.
 */
export function refreshAlarm(clock: Clock, refresh: () => Promise<void>): RefreshAlarm {
  let cancel: (() => void) | null = null;
  let backOff = FIRST_BACK_OFF;

  function stop(): void {
    cancel?.();
    cancel = null;
    backOff = FIRST_BACK_OFF;
  }

  function ringAfter(milliseconds: number): void {
    cancel?.();
    const ring = () => {
      refresh().catch(() => {
        // Set anew or stopped meanwhile: that alarm counts.
        if (cancel !== mine) return;
        const wait = backOff;
        backOff = Math.min(backOff * 2, LAST_BACK_OFF);
        ringAfter(wait);
      });
    };
    const mine = clock.after(milliseconds, ring);
    cancel = mine;
  }

  return {
    stop,
    set({ expiresAt, lifetime }) {
      stop();
      // Tokens that last less than twice the 5 minutes are renewed at half time, or renewal would never end.
      const early = Math.min(REFRESH_BEFORE_EXPIRY, lifetime / 2);
      ringAfter(Math.max(0, expiresAt - early - clock.now()));
    },
  };
}
