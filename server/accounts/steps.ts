import * as z from 'zod/mini';
import type { Role } from '#contract/scalars.ts';
import type { Database, Reader, Transaction, UserRow } from '../database/tables.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import { recordErasure } from './erased-addresses.ts';
import * as store from './store.ts';

/**
 * Whether an account is alive; if it is, it cannot end before the transaction does. For what is written in its name:
 * the guard has only seen that it was alive a moment ago. An account's row is always locked first, before photos,
 * laptops and bookings.
 */
export function lockActiveAccountForShare(transaction: Transaction, id: string): Promise<boolean> {
  return store.share(transaction, id);
}

/**
 * Whether an account is alive; if it is, it neither ends nor can be locked or shared by others before the transaction
 * ends. For limits on what one account may have at the same time. Lock it first, as with {@link lockActiveAccountForShare}.
 */
export function lockActiveAccount(transaction: Transaction, id: string): Promise<boolean> {
  return store.lock(transaction, id);
}

/** Ends an account's sign-in at the identity provider. */
export const disableIdentity = job('accounts.disable-identity', z.object({ email: z.string() }));

/**
 * Ends an account at once: its tokens stop working with this transaction, its sign-in as soon as the identity
 * provider is told.
 * @returns the ended user, or null when there is no living one of this role
 */
export async function endAccount(
  transaction: Transaction,
  enqueue: Enqueue,
  account: { id: string; role: 'Buyer' | 'Seller' },
): Promise<UserRow | null> {
  const user = await store.endActive(transaction, { ...account, at: new Date() });
  if (user === undefined) return null;
  await enqueue(transaction, disableIdentity, { email: user.email });
  return user;
}

/**
 * Removes a sign-in at the identity provider with all that is kept there of its person; not one that somebody has
 * made with the same address since the account ended, for this may be done late, and more than once.
 */
export const eraseIdentity = job(
  'accounts.erase-identity',
  // What an earlier version has queued does not say when.
  z.object({ email: z.string(), endedAt: z.optional(z.iso.datetime()) }),
);

/**
 * Ends somebody's account by that person's own wish: as `endAccount` does, and then nothing in its row tells whose
 * it was.
 * @returns the user as it was, or null when there is no living one of this role
 */
export async function eraseAccount(
  transaction: Transaction,
  enqueue: Enqueue,
  account: { id: string; role: Role },
): Promise<UserRow | null> {
  const at = new Date();
  const user = await store.endActive(transaction, { ...account, at });
  if (user === undefined) return null;
  await store.anonymize(transaction, user.id);
  await recordErasure(transaction, user.email, at);
  await enqueue(transaction, eraseIdentity, { email: user.email, endedAt: at.toISOString() });
  return user;
}

/**
 * Whether nobody but this user is a living admin. Locks all of them until the transaction ends: of two who want to
 * leave at once, the second finds the first gone.
 */
export async function isLastAdmin(transaction: Transaction, id: string): Promise<boolean> {
  const admins = await store.selectAdminsForUpdate(transaction);
  return admins.every((admin) => admin === id);
}

/** Marks a seller as verified. @returns what is known of the seller, or null when there is no living one */
export async function verifySeller(
  transaction: Transaction,
  email: string,
): Promise<{ seller: UserRow; modifiedCount: number } | null> {
  const modifiedCount = await store.markVerified(transaction, email);
  const seller = await store.findByEmail(transaction, email);
  if (seller === undefined || seller.role !== 'Seller' || seller.ended_at !== null) return null;
  return { seller, modifiedCount };
}

/** The user with this id, ended or not, or null. */
export async function findUser(reader: Reader, id: string): Promise<UserRow | null> {
  return (await store.findById(reader, id)) ?? null;
}

/**
 * Makes a registered user an admin: only from the command line, never by a call.
 * @param email in lower case
 * @returns the user, or null when there is no active one
 */
export async function grantAdmin(database: Database, email: string): Promise<UserRow | null> {
  return (await store.setRole(database, email, 'Admin')) ?? null;
}

/** Which of these e-mail addresses, in lower case, belong to active accounts. */
export function findActiveEmails(reader: Reader, emails: readonly string[]): Promise<string[]> {
  return store.findActiveEmails(reader, emails);
}
