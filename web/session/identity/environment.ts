import type * as z from 'zod/mini';
import type { addPasskey, signInWithPasskey } from '#contract/identity.ts';
import type { Store } from './persistence.ts';
import type { Tabs } from './tabs.ts';

/** Time, as this module needs it: milliseconds since 1970 and one-shot alarms. */
export interface Clock {
  now(): number;
  /** Calls back once after so many milliseconds. @returns cancels it */
  after(milliseconds: number, callback: () => void): () => void;
}

/** A window that was opened. */
export interface OpenedWindow {
  readonly closed: boolean;
  close(): void;
  focus(): void;
}

/** The browser's answers as the provider takes them. */
export type NewPasskey = z.input<typeof addPasskey.body>['response'];
export type PasskeyAssertion = z.input<typeof signInWithPasskey.body>['response'];

/** Creates and uses passkeys, with the provider's options. */
export interface PasskeyDevice {
  /** @throws IdentityError */
  create(options: unknown): Promise<NewPasskey>;
  /** @throws IdentityError */
  get(options: unknown): Promise<PasskeyAssertion>;
}

/** Everything that the identity module takes from the browser; a test gives its own. */
export interface Environment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  readonly clock: Clock;
  /** Where a sign-in may be kept, the preferred place first. */
  readonly stores: readonly Store[];
  readonly tabs: Tabs;
  /** Does one piece of work while no other tab of this browser does its own under that name. */
  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** The origin of the page. */
  readonly origin: string;
  /** Opens a window; null when the browser refuses. */
  openWindow(url: string, name: string, features: string): OpenedWindow | null;
  /** Where the page's own window is, in CSS pixels, so that a popup can stand in its middle. */
  placement(): { left: number; top: number; width: number; height: number };
  /** Messages that other windows post to this one. @returns stops listening */
  onMessage(listener: (message: { origin: string; data: unknown }) => void): () => void;
  readonly passkeys: PasskeyDevice;
  /** A text that nobody guesses, of letters and digits. */
  randomText(): string;
  /** The token by which the identity provider recognizes this browser. */
  deviceToken(): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const handle = setTimeout(callback, milliseconds);
    return () => clearTimeout(handle);
  },
};

/** The result of `work`, or a rejection with `failure()` once so many milliseconds have passed. */
export function within<Result>(
  clock: Clock,
  milliseconds: number,
  work: Promise<Result>,
  failure: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(failure()));
    work.then(resolve, reject).finally(cancel);
  });
}
