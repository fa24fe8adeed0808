import type * as z from 'zod/mini';
import type { PendingSecondFactor } from '#contract/identity/schemas.ts';
import type { NewUser } from '#contract/people/accounts.ts';

export interface Person {
  name: string;
  email: string;
  photoUrl: string | null;
}

export type RegisteringRole = z.infer<typeof NewUser>['role'];

/** Why no user record was created. `field`: the one whose value was refused; null when it was something else. */
export interface RecordFailure {
  message: string;
  field: 'name' | null;
}

/** The state of the session, for pages. */
export type Session =
  /** The stored sign-in has not been checked yet. */
  | { status: 'loading' }
  /**
   * `byUser`: signed out by a button of this page. `reason`: why the session ended otherwise. `kept`: what stays of an
   * account that was deleted on this page, in sentences.
   */
  | { status: 'signed-out'; byUser: boolean; reason: string | null; kept?: readonly string[] }
  | ({ status: 'second-factor' } & PendingSecondFactor)
  /** The identity has no user record in the shop. `failure`: why creating one failed, if that was tried. */
  | { status: 'unfinished'; person: Person; role: RegisteringRole; failure: RecordFailure | null }
  | { status: 'failed'; message: string }
  /** `secondFactor`: present for a sign-in with a second factor. */
  | { status: 'signed-in'; person: Person; secondFactor?: true };

/** Reads and changes the session. */
export interface SessionAccess {
  read(): Session;
  set(session: Session): void;
}
