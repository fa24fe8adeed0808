import type * as z from 'zod/mini';
import type { addPasskey } from '#contract/identity/second-factor.ts';
import type { signInWithPasskey } from '#contract/identity/sign-in.ts';
import type { Store } from './persistence.ts';
import type { Tabs } from './tabs.ts';

/** A window that was opened. */
export interface OpenedWindow {
  readonly closed: boolean;
  close(): void;
  focus(): void;
}

/** The responses of the browser, in the form that the provider expects. */
export type NewPasskey = z.input<typeof addPasskey.body>['response'];
export type PasskeyAssertion = z.input<typeof signInWithPasskey.body>['response'];

/** Creates and uses passkeys, with the provider's options. */
export interface PasskeyDevice {
  /** @throws IdentityError */
  create(options: unknown): Promise<NewPasskey>;
  /** @throws IdentityError */
  get(options: unknown): Promise<PasskeyAssertion>;
}

/** The browser APIs that the identity client uses. */
export interface Environment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Stores for the sign-in, the preferred one first. */
  readonly stores: readonly Store[];
  readonly tabs: Tabs;
  /** Runs work under a lock that all tabs of this browser share. */
  withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** The origin of the page. */
  readonly origin: string;
  /** Opens a window; null when the browser refuses. */
  openWindow(url: string, name: string, features: string): OpenedWindow | null;
  /** Position and size of the page's window, in CSS pixels. */
  windowBounds(): { left: number; top: number; width: number; height: number };
  /** Receives messages that other windows post to this one. @returns stops that */
  onMessage(listener: (message: { origin: string; data: unknown }) => void): () => void;
  readonly passkeys: PasskeyDevice;
  /** 128 random bits in hexadecimal. */
  createRandomHex(): string;
  /** The token by which the identity provider recognizes this browser. */
  deviceToken(): string;
}
