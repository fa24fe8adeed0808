import type * as z from 'zod/mini';
import type { PendingSecondFactor } from '#contract/identity/schemas.ts';
import type { NewUser } from '#contract/people/accounts.ts';
import type { StoredSession } from './identity/stored-session.ts';

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

export interface SessionState {
  readonly session: Session;
  /** The sign-in at the identity provider; null without one, undefined until the stored one has been read. */
  readonly signIn: StoredSession | null | undefined;
  /** Number of the pending token exchange, or null. The result of any other exchange is obsolete and is ignored. */
  readonly exchange: number | null;
}

export const initialState: SessionState = {
  session: { status: 'loading' },
  signIn: undefined,
  exchange: null,
};

export type SessionEvent =
  /** This browser has no stored sign-in. */
  | { type: 'nothing-stored' }
  /** The actions cannot be loaded, or the check takes too long. */
  | { type: 'unavailable'; message: string }
  | { type: 'retry' }
  /** The sign-in was read, made, renewed or ended. `reason`: why the provider ended it. */
  | { type: 'sign-in-changed'; signIn: StoredSession | null; reason: string | null }
  /** An ID token is being exchanged for the shop's token. */
  | { type: 'exchange-started'; exchange: number }
  | { type: 'exchange-succeeded'; exchange: number; person: Person; secondFactor: boolean }
  | { type: 'exchange-failed'; exchange: number; person: Person; message: string }
  /** The shop has no user record for the ID token. */
  | { type: 'record-missing'; exchange: number; person: Person }
  | { type: 'record-not-created'; person: Person; role: RegisteringRole; failure: RecordFailure }
  | ({ type: 'second-factor-required' } & PendingSecondFactor)
  | { type: 'signed-out'; byUser: boolean; reason: string | null }
  | { type: 'account-deleted'; kept: readonly string[] };

/** Reads and changes the session state. */
export interface SessionStateAccess {
  state(): SessionState;
  dispatch(event: SessionEvent): void;
}

/** Sets the session. The pending exchange becomes obsolete. */
function settle(state: SessionState, session: Session): SessionState {
  // An equal session stays the same object, so that subscribers do not render again.
  const isEqual = JSON.stringify(session) === JSON.stringify(state.session);
  return { ...state, session: isEqual ? state.session : session, exchange: null };
}

/** Returns the next state. The result of an obsolete exchange is ignored. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  const { session, exchange } = state;
  if ('exchange' in event && event.type !== 'exchange-started' && event.exchange !== exchange) return state;
  switch (event.type) {
    case 'nothing-stored':
      if (session.status !== 'loading') return state;
      return { ...state, session: { status: 'signed-out', byUser: false, reason: null } };
    case 'unavailable':
      if (session.status !== 'loading') return state;
      return { ...state, session: { status: 'failed', message: event.message } };
    case 'retry':
      return { ...state, session: { status: 'loading' } };
    case 'sign-in-changed': {
      const { signIn, reason } = event;
      if (signIn !== null) return { ...state, signIn };
      const isSignedOut = session.status === 'signed-out';
      return settle(
        { ...state, signIn },
        isSignedOut ? session : { status: 'signed-out', byUser: false, reason },
      );
    }
    case 'exchange-started':
      return { ...state, exchange: event.exchange };
    case 'exchange-succeeded': {
      const { person, secondFactor } = event;
      return settle(state, { status: 'signed-in', person, ...(secondFactor && { secondFactor }) });
    }
    case 'exchange-failed': {
      const { person, message } = event;
      // A signed-in session stays while the shop cannot be reached: its calls report the failure.
      const isSameUser = session.status === 'signed-in' && session.person.email === person.email;
      return settle(state, isSameUser ? session : { status: 'failed', message });
    }
    case 'record-missing':
      return settle(state, { status: 'unfinished', person: event.person, role: 'Buyer', failure: null });
    case 'record-not-created': {
      const { person, role, failure } = event;
      return settle(state, { status: 'unfinished', person, role, failure });
    }
    case 'second-factor-required': {
      const { methods, challenge } = event;
      return settle(state, { status: 'second-factor', methods, challenge });
    }
    case 'signed-out':
      return settle(state, { status: 'signed-out', byUser: event.byUser, reason: event.reason });
    case 'account-deleted':
      return settle(state, { status: 'signed-out', byUser: true, reason: null, kept: event.kept });
  }
}
