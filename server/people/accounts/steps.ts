import * as z from 'zod/mini';
import type { SellerBadge } from '#contract/people/seller-checks.ts';
import type { Transaction, UserRow } from '#server/platform/database/tables.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { recordErasure } from './erased-addresses.ts';
import * as nameStore from './name-store.ts';
import { isNameChecked, roleColumns } from './rules.ts';
import { type ChangedSeller, removeBadge } from './seller-store.ts';
import * as store from './store.ts';

export { findCardCustomer, removeCardCustomer, replaceCardCustomer } from './customer-store.ts';
export { listWaitingNames, type WaitingNameRow } from './name-store.ts';
export { findPeople, matchesPerson } from './person-search.ts';
export {
  type ChangedSeller,
  confirmPhone,
  recordSellerCheck,
  removePhone,
  verifySeller,
} from './seller-store.ts';
export {
  activeAccountForShare,
  findActiveEmails,
  findAdminsOf,
  findByEmail,
  findEmailRecipient,
  findUser,
  grantAdmin,
  isSessionEnded,
  listAdmins,
  lockAccountKeys,
  lockActiveAccount,
  lockActiveAccountForShare,
  lockAdminForShare,
  lockName,
  lockUser,
  removeAdmin,
  selectOwnersForUpdate,
  setRights,
} from './store.ts';

/** The job that disables an account's sign-in at the identity provider. */
export const disableIdentity = job('accounts.disable-identity', z.object({ email: z.string() }), 'identity');

/**
 * Ends an account. Its tokens stop working with this transaction; a job disables its sign-in, so that the address stays
 * blocked. One that nobody has confirmed may be somebody else's and becomes free: a job deletes its sign-in, and the row
 * keeps the address until somebody registers it.
 * @returns the ended user, or null when there is no active one of this role
 */
export async function endAccount(
  transaction: Transaction,
  enqueue: Enqueue,
  { id, role }: { id: string; role: 'Buyer' | 'Seller' },
): Promise<UserRow | null> {
  const at = new Date();
  const user = await store.endActive(transaction, { id, roles: { [roleColumns[role]]: true }, at });
  if (user === undefined) return null;
  if (user.email_verified) await enqueue(transaction, disableIdentity, { email: user.email });
  else await releaseAddress(transaction, enqueue, user.email, at);
  return user;
}

/**
 * The job that deletes an account's sign-in at the identity provider. It may run late and more than once, so a sign-in
 * that was created with the same address after `endedAt` is kept.
 */
export const eraseIdentity = job(
  'accounts.erase-identity',
  z.object({ email: z.string(), endedAt: z.iso.datetime() }),
  'identity',
);

/** Lets an address register again, but not with a sign-in from before. A job deletes that. */
async function releaseAddress(
  transaction: Transaction,
  enqueue: Enqueue,
  email: string,
  at: Date,
): Promise<void> {
  await recordErasure(transaction, email, at);
  await enqueue(transaction, eraseIdentity, { email, endedAt: at.toISOString() });
}

/** The job that tells a person that the account was deleted. */
export const deletionNoticeDue = job('accounts.deletion-notice-due', z.object({ email: z.string() }));

/**
 * Ends an account as {@link endAccount} does and anonymizes its row.
 * @returns the user before that, or null when there is no active one, or when it has become an admin's meanwhile
 */
export async function eraseAccount(
  transaction: Transaction,
  enqueue: Enqueue,
  { id, isAdmin }: { id: string; isAdmin: boolean },
): Promise<UserRow | null> {
  const at = new Date();
  const user = await store.endActive(transaction, { id, roles: { is_admin: isAdmin }, at });
  if (user === undefined) return null;
  await store.anonymize(transaction, user.id);
  await releaseAddress(transaction, enqueue, user.email, at);
  if (user.email_verified) await enqueue(transaction, deletionNoticeDue, { email: user.email });
  return user;
}

/** Whether a user is the only active owner. Locks all owners, so that two of them cannot go at the same time. */
export async function isLastOwner(transaction: Transaction, id: string): Promise<boolean> {
  const ownerIds = await store.selectOwnersForUpdate(transaction);
  return ownerIds.length === 1 && ownerIds[0] === id;
}

/**
 * Takes a badge of a seller back. A name that waits because of badges applies with the last of them. @returns the seller, or null when there is no
 * active one
 */
export async function takeBadgeBack(
  transaction: Transaction,
  email: string,
  badge: SellerBadge,
): Promise<ChangedSeller | null> {
  const changed = await removeBadge(transaction, email, badge);
  if (changed === null || changed.modifiedCount === 0 || isNameChecked(changed.seller)) return changed;
  await nameStore.applyWaitingName(transaction, changed.seller.id);
  return changed;
}

/**
 * Ends the wait of a new name.
 * @param isApproved whether the person gets the name
 * @returns the person before that; null when the name was withdrawn, replaced or decided about meanwhile
 */
export async function decideName(
  transaction: Transaction,
  id: string,
  isApproved: boolean,
): Promise<UserRow | null> {
  const userId = await nameStore.findOwnerOfWaitingName(transaction, id);
  const user = userId && (await store.lockActiveAccount(transaction, userId));
  const newName = user && (await nameStore.takeWaitingName(transaction, { id }));
  if (!user || newName === undefined) return null;
  if (isApproved) await nameStore.setName(transaction, user.id, newName);
  return user;
}
