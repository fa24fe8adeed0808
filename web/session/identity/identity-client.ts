import type { AccountActions } from './account.ts';
import type { IdentityError } from './errors.ts';
import type { User } from './user.ts';

/** Who is signed in, as far as this tab knows. A new object for every change, so that it can be compared. */
export interface AuthState {
  /** False until it is known for the first time whether somebody is signed in. */
  readonly known: boolean;
  /** True at first, and while somebody signs up, in or out; false once the state has arrived. */
  readonly loading: boolean;
  readonly user: User | null;
  /** Why the person was signed out without asking for it: `auth/user-disabled`, `auth/user-token-expired`. */
  readonly reason: IdentityError | null;
}

/** The state before anything is known, and the only one that a server ever renders. */
export const unknownState: AuthState = { known: false, loading: true, user: null, reason: null };

/** Signing up, in and out. Every method that answers a promise throws IdentityError and nothing else. */
export interface IdentityClient {
  /** The same object until something changes. */
  state(): AuthState;
  /** Calls back after every change of {@link state}. @returns stops that */
  subscribe(listener: () => void): () => void;
  /** The user, or null, once it is known. */
  whenKnown(): Promise<User | null>;
  createUserWithEmailAndPassword(email: string, password: string): Promise<User>;
  /** @throws SecondFactorRequired when a second factor is due; {@link proveWithCode} or a passkey goes on from there */
  signInWithEmailAndPassword(email: string, password: string): Promise<User>;
  /** Completes a sign-in with a code of an authenticator app or a recovery code. */
  proveWithCode(code: string): Promise<User>;
  /** Completes a sign-in whose second factor is due with a passkey, or else signs in by a passkey alone. */
  signInWithPasskey(): Promise<User>;
  /** Gives up a sign-in whose second factor is due. */
  forgetSecondFactor(): void;
  /** How people sign in, and changing it. */
  readonly account: AccountActions;
  /** Must be called in the same turn as the click that asked for it, or browsers block the window. */
  signInWithGoogle(): Promise<User>;
  /** Changes name or picture; what is left out stays. */
  updateProfile(changes: { displayName?: string; photoURL?: string | null }): Promise<User>;
  /**
   * Signs out here and in the other tabs at once, then ends the session at the provider. A rejection means
   * that the provider could not be told; this browser is signed out all the same.
   */
  signOut(): Promise<void>;
  /** Stops alarms and listening. */
  dispose(): void;
}
