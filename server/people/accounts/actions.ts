import { nameRefusal } from '#contract/people/name-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal, sessionEnded } from '#server/platform/http/refusal.ts';
import { type Caller, requireRightIfAdmin, type VerifiedIdentity } from '#server/platform/http/serve.ts';
import { wasErasedAfter } from './erased-addresses.ts';
import type { IdentityVerifier } from './identity-verifier.ts';
import * as nameStore from './name-store.ts';
import {
  isNameChecked,
  needsSecondFactor,
  rightsOf,
  roleColumns,
  rolesOf,
  verifiedColumns,
} from './rules.ts';
import * as store from './store.ts';
import type { Tokens } from './tokens.ts';

const accountErased = () =>
  new Refusal(
    'session_ended',
    'The account that you were signed in to has been deleted. To open a new one, please sign in again.',
  );

/** The dependencies of {@link resolveCaller}. */
interface TokenDependencies extends Pick<Context, 'database' | 'shop'> {
  tokens: Tokens;
}

/**
 * Resolves a token to its user. It reads the database each time, so that ending an account revokes its tokens, and a
 * right counts until it is taken away.
 * @throws Refusal
 */
export async function resolveCaller(
  { database, tokens, shop }: TokenDependencies,
  token: string,
): Promise<Caller> {
  const claims = await tokens.verify(token);
  if (claims === 'expired') {
    throw new Refusal('token_expired', 'Your session has expired. Please sign in again.');
  }
  if (claims === 'forged') {
    throw new Refusal('not_signed_in', 'Your session cannot be verified. Please sign in again.');
  }
  const user = await store.findTokenUser(database, claims);
  if (user === undefined)
    throw new Refusal('not_signed_in', 'Your session cannot be verified. Please sign in again.');
  if (user.ended_at !== null) throw accountEnded();
  if (user.session_ended) throw sessionEnded();
  return {
    userId: user.id,
    email: user.email,
    name: user.name,
    roles: rolesOf(user),
    ...rightsOf(user),
    secondFactorDue: !claims.secondFactor && needsSecondFactor(user, shop().secondFactor),
    authenticatedAt: claims.authenticatedAt,
    sessionId: claims.sessionId,
    expiresAt: claims.expiresAt,
  };
}

/** Verifies an ID token and that its session has not ended. @throws Refusal */
export async function resolveIdentity(
  { database, identityProvider }: { database: Database; identityProvider: IdentityVerifier },
  token: string,
): Promise<VerifiedIdentity> {
  const identity = await identityProvider.verifyIdToken(token);
  if (identity.sessionId !== null && (await store.isSessionEnded(database, identity.sessionId)))
    throw sessionEnded();
  if (await wasErasedAfter(database, { email: identity.email, at: identity.signedInAt }))
    throw accountErased();
  return identity;
}

/**
 * Exchanges a verified identity for a token of the shop.
 * @param removeSavedSearches removes those of a user
 * @throws Refusal without an active user
 */
export async function exchangeToken(
  database: Database,
  tokens: Tokens,
  identity: VerifiedIdentity,
  email: string,
  removeSavedSearches: (transaction: Transaction, userId: string) => Promise<void>,
): Promise<string> {
  const members = { coomercioToken: '' };
  if (identity.email !== email) {
    throw new Refusal('not_allowed', 'You are signed in with another email address.', { members });
  }
  const user = await store.findByEmail(database, email);
  if (user === undefined) {
    throw new Refusal('not_allowed', 'There is no account for this email address yet. Please register.', {
      members,
    });
  }
  if (user.ended_at !== null) {
    throw accountEnded({ members });
  }
  if (user.email_verified !== identity.emailVerified) {
    await database.transaction().execute(async (transaction) => {
      const isChanged = await store.setEmailVerified(transaction, user.id, verifiedColumns(identity));
      // Somebody else may have saved them, for the shop to write to the owner of the address about them.
      if (isChanged && identity.emailReclaimed) await removeSavedSearches(transaction, user.id);
    });
  }
  return tokens.sign(user.id, identity);
}

/**
 * Inserts the user of a verified identity.
 * @returns the new id, or null when the email address is taken
 * @throws Refusal
 */
export async function register(
  database: Database,
  identity: VerifiedIdentity,
  user: { name: string; email: string; role: 'Buyer' | 'Seller' },
  shopName: string,
): Promise<string | null> {
  if (identity.email !== user.email) {
    throw new Refusal('not_allowed', 'You can register only the email address that you are signed in with.');
  }
  // Field by field: the request body also has a `status`, which is not a column.
  const { name, email, role } = user;
  return database.transaction().execute(async (transaction) => {
    await store.releaseUnconfirmedAddress(transaction, email);
    const id = await store.insert(transaction, {
      name,
      email,
      is_buyer: role === 'Buyer',
      is_seller: role === 'Seller',
      ...verifiedColumns(identity),
    });
    // Checked after the insert, which waits for a concurrent erasure of the same address.
    if (await wasErasedAfter(transaction, { email, at: identity.signedInAt })) throw accountErased();
    // Only now: each sign-in with Google registers again, and a user who is known keeps the name.
    if (id !== undefined) requireAcceptableName(name, shopName);
    return id ?? null;
  });
}

/**
 * Adds a role to an account that has the other one. It stays for good, because sales and bookings may depend on it.
 * @returns whether the account did not have it
 * @throws Refusal for an account that has ended or has become an admin's
 */
export async function addRole(
  database: Database,
  { userId }: Pick<Caller, 'userId'>,
  role: 'Buyer' | 'Seller',
): Promise<boolean> {
  if (await store.addRole(database, userId, roleColumns[role])) return true;
  const user = await store.findUser(database, userId);
  if (user === undefined || user.ended_at !== null) throw accountEnded();
  if (user[roleColumns[role]]) return false;
  throw new Refusal('not_allowed', 'An administrator’s account neither buys nor sells.');
}

/** @throws Refusal for a name that nobody can have */
function requireAcceptableName(name: string, shopName: string): void {
  const refusal = nameRefusal(name, shopName);
  if (refusal !== null) throw new Refusal('invalid_input', `${refusal}.`, { errors: { name: refusal } });
}

/**
 * Changes a user's own name. The one of a seller of whom the shop has checked something stays, and the new one waits for an admin,
 * in place of an earlier one.
 * @throws Refusal for a name that nobody can have, or an account that has ended
 */
export function rename(
  database: Database,
  { userId }: Pick<Caller, 'userId'>,
  name: string,
  shopName: string,
): Promise<'renamed' | 'waits' | 'same'> {
  return database.transaction().execute(async (transaction) => {
    const user = await store.lockActiveAccount(transaction, userId);
    if (user === undefined) throw accountEnded();
    if (user.name === name) return 'same';
    requireAcceptableName(name, shopName);
    await nameStore.takeWaitingName(transaction, { user_id: userId });
    if (isNameChecked(user)) {
      await nameStore.insertWaitingName(transaction, { user_id: userId, name });
      return 'waits';
    }
    await nameStore.setName(transaction, userId, name);
    return 'renamed';
  });
}

/** Reads a user's own name, and the one that waits. @throws Refusal for an account that has ended */
export async function readOwnName(database: Database, { userId }: Pick<Caller, 'userId'>) {
  const user = await store.findUser(database, userId);
  if (user === undefined || user.ended_at !== null) throw accountEnded();
  const waiting = await nameStore.findWaitingName(database, userId);
  return {
    name: user.name,
    isChecked: isNameChecked(user),
    waiting: waiting === undefined ? null : { name: waiting.name, at: waiting.created_at.toISOString() },
  };
}

/** Whether a user has a role. Only admins can ask about other users. @throws Refusal */
export async function hasRole(
  database: Database,
  caller: Caller,
  email: string,
  role: 'Buyer' | 'Seller' | 'Admin',
): Promise<boolean> {
  if (caller.email === email) return caller.roles.includes(role);
  if (!requireRightIfAdmin(caller)) {
    throw new Refusal('not_allowed', 'You can ask only about your own account.');
  }
  const user = await store.findByEmail(database, email);
  return user !== undefined && user.ended_at === null && user[roleColumns[role]];
}

/** Whether an active seller is verified. @throws Refusal when there is none */
export async function sellerStatus(database: Database, email: string): Promise<boolean> {
  const user = await store.findByEmail(database, email);
  if (user === undefined || !user.is_seller || user.ended_at !== null) {
    throw new Refusal('not_found', 'There is no seller with this email address.');
  }
  return user.verified;
}
