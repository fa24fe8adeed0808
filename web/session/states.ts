import type { SecondFactorMethod } from '#contract/identity.ts';

export interface Person {
  name: string;
  email: string;
  photoUrl: string | null;
}

export type RegisteringRole = 'Buyer' | 'Seller';

export type Session =
  | { status: 'loading' }
  /**
   * `left`: by their own wish, on this page. `reason`: why, when it was not their wish. `kept`: what stays of an
   * account that was just deleted here, in sentences.
   */
  | { status: 'signed-out'; left: boolean; reason: string | null; kept?: readonly string[] }
  /** An identity without a user record here, as when registering broke off half-way. */
  | { status: 'unfinished'; person: Person; role: RegisteringRole; reason: string | null }
  /** A sign-in that waits for its second factor. */
  | { status: 'second-factor'; methods: readonly SecondFactorMethod[] }
  | { status: 'failed'; message: string }
  /** `secondFactor`: there when it was signed in with one. */
  | { status: 'signed-in'; person: Person; secondFactor?: true };

/**
 * What became of signing in: `unfinished` when the identity has no user record here yet, `second-factor` when one is
 * due.
 */
export type Outcome = 'welcome-back' | 'created' | 'unfinished' | 'second-factor';

export interface Registration {
  name: string;
  email: string;
  password: string;
  role: RegisteringRole;
}
