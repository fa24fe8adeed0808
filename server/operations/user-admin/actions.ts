import type * as z from 'zod/mini';
import { MAXIMUM_SHARED_PHONES } from '#contract/operations/user-admin.ts';
import type { AuditAction } from '#contract/people/audit.ts';
import { type NewSellerCheck, noonOf, type SellerBadge } from '#contract/people/seller-checks.ts';
import { releaseUnsoldPhotos, withdrawLaptopsOf } from '#server/listings/catalogue/steps.ts';
import type { PublishDependencies } from '#server/listings/events.ts';
import { removeSavedSearches } from '#server/listings/saved-searches/steps.ts';
import { tooManyMatch } from '#server/people/accounts/refusals.ts';
import { roleColumns } from '#server/people/accounts/rules.ts';
import * as accounts from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import { removePhoneCodesOf } from '#server/people/phone-checks/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Page } from '#server/platform/database/keyset-page.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { unfinishedOrdersNote } from '#server/sales/complaints/steps.ts';
import { notifyBuyersOfEnded, notifySellersOfEnded } from '#server/sales/orders/steps.ts';
import { buyerEnded } from '#server/sales/payments/steps.ts';
import { badgeTakenBack, nameDecided } from './notifications.ts';
import * as store from './store.ts';

export type PeopleDependencies = Pick<Context, 'database' | 'cache'> & PublishDependencies;

/** A page of the active accounts of a role, filtered if `search` is given. @throws Refusal when too many match */
export async function listPeople(
  database: Database,
  search: string | undefined,
  query: store.PeopleQuery,
): Promise<Page<store.RatedUser>> {
  if (search === undefined) return store.listActive(database, query);
  const found = await store.searchActive(database, search, query);
  if (found !== null) return found;
  throw tooManyMatch(store.MAXIMUM_FOUND);
}

/** Finds the active accounts that have confirmed the same telephone numbers as these users. @returns email addresses by number */
export function findPhoneHolders(
  database: Database,
  users: readonly store.RatedUser[],
): Promise<ReadonlyMap<string, string[]>> {
  const phones = new Set(users.flatMap(({ phone }) => phone ?? []));
  // One more, because the user is one of them.
  return store.emailsByPhone(database, [...phones], MAXIMUM_SHARED_PHONES + 1);
}

/** Counts the open reports of the laptops of these users. @returns their number by the user's id; none of users without any */
export const countOpenReports = (
  database: Database,
  users: readonly store.RatedUser[],
): Promise<ReadonlyMap<string, number>> =>
  store.openReportsBySeller(
    database,
    users.map(({ id }) => id),
  );

/**
 * Changes what the shop says of a seller, and records it.
 * @param change returns null when there is no active seller with this address
 * @param seenName the name that the admin saw; undefined for any
 * @param recorded what the audit trail says of a change
 * @param changed called within the transaction of a change
 * @returns rows changed: 0 when nothing was different
 * @throws Refusal, also when the seller has another name than the admin saw
 */
async function changeSeller(
  { database, cache }: PeopleDependencies,
  admin: Caller,
  change: (transaction: Transaction) => Promise<accounts.ChangedSeller | null>,
  {
    seenName,
    recorded,
    changed,
  }: {
    seenName?: string | undefined;
    recorded: { act: AuditAction; note?: string };
    changed?: (transaction: Transaction, sellerId: string) => Promise<void>;
  },
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    const outcome = await change(transaction);
    if (outcome === null) throw new Refusal('not_found', 'There is no seller with this email address.');
    const { seller } = outcome;
    if (seenName !== undefined && seller.name !== seenName) {
      throw new Refusal(
        'changed_elsewhere',
        `This seller is called ${seller.name} by now. Nothing was recorded; please have another look.`,
      );
    }
    if (outcome.modifiedCount > 0) {
      await recordAudit(transaction, { adminId: admin.userId, personIds: [seller.id], ...recorded });
      await changed?.(transaction, seller.id);
    }
    return outcome.modifiedCount;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

/** Marks a seller as verified, see {@link changeSeller}. @param name the name that the admin saw; undefined for any */
export const verifySeller = (
  dependencies: PeopleDependencies,
  admin: Caller,
  { email, name }: { email: string; name: string | undefined },
): Promise<number> =>
  changeSeller(dependencies, admin, (transaction) => accounts.verifySeller(transaction, email, name), {
    seenName: name,
    recorded: { act: 'Verified seller' },
  });

const badgeNames: Readonly<Record<SellerBadge, string>> = {
  verified: 'Verified Seller',
  address: 'Proof of address',
  identity: 'Identity document',
};

/** Records that a document of a seller was seen, see {@link changeSeller}. */
export function recordSellerCheck(
  dependencies: PeopleDependencies,
  admin: Caller,
  email: string,
  { document, kind, seen, day, name }: z.output<typeof NewSellerCheck>,
): Promise<number> {
  const check = { document, kind, seen, at: noonOf(day), name };
  const note = `${badgeNames[document]}: ${kind}, seen ${seen.toLowerCase()} on ${day}`;
  return changeSeller(
    dependencies,
    admin,
    (transaction) => accounts.recordSellerCheck(transaction, email, check),
    { seenName: name, recorded: { act: 'Checked seller', note } },
  );
}

/** Takes a badge of a seller back and tells the seller, see {@link changeSeller}. */
export const takeBadgeBack = (
  dependencies: PeopleDependencies,
  admin: Caller,
  { email, badge, reason }: { email: string; badge: SellerBadge; reason: string },
): Promise<number> =>
  changeSeller(dependencies, admin, (transaction) => accounts.takeBadgeBack(transaction, email, badge), {
    recorded: { act: 'Took badge back', note: `${badgeNames[badge]}. ${reason}` },
    changed: (transaction, userId) =>
      dependencies.enqueue(transaction, badgeTakenBack, { userId, badge, reason }),
  });

/**
 * Approves or refuses a new name that waits, and tells the person.
 * @param decision.reason null to approve it
 * @throws Refusal when it does not wait any more
 */
export async function decideName(
  { database, enqueue, cache }: PeopleDependencies,
  admin: Caller,
  { id, reason }: { id: string; reason: string | null },
): Promise<number> {
  await database.transaction().execute(async (transaction) => {
    const user = await accounts.decideName(transaction, id, reason === null);
    if (user === null) {
      throw new Refusal(
        'changed_elsewhere',
        'This name does not wait any more: it was withdrawn, changed or decided about meanwhile. Nothing was changed now.',
      );
    }
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: reason === null ? 'Approved name' : 'Refused name',
      personIds: [user.id],
      ...(reason !== null && { note: reason }),
    });
    await enqueue(transaction, nameDecided, { userId: user.id, reason });
  });
  await cache.waitForInvalidation();
  return 1;
}

/**
 * Ends the account of a seller or buyer, with both parts of a person who is both: revokes tokens and sign-in, withdraws unsold
 * laptops, cancels unpaid bookings and
 * payment attempts. Paid sales stay and go on. An unfinished order does not refuse it, because a fraudulent account must end at
 * once: the admin is told which orders go on, and how.
 * @returns rows changed: 0 when the account has already ended; and a sentence about unfinished orders @throws Refusal for an unknown
 *   account
 */
export async function deleteAccount(
  { database, cache, ...publishing }: PeopleDependencies,
  admin: Caller,
  account: { id: string; role: 'Buyer' | 'Seller' },
): Promise<{ deletedCount: number; message?: string }> {
  const { enqueue } = publishing;
  const ended = await database.transaction().execute(async (transaction) => {
    const user = await accounts.endAccount(transaction, enqueue, account);
    if (user === null) {
      const known = await accounts.findUser(transaction, account.id);
      if (known?.[roleColumns[account.role]] === true) return { deletedCount: 0 };
      throw new Refusal('not_found', `There is no such ${account.role.toLowerCase()}.`);
    }
    await removeSavedSearches(transaction, user.id);
    await removePhoneCodesOf(transaction, user.id);
    if (user.is_seller) {
      await withdrawLaptopsOf(transaction, publishing, user.id);
      await releaseUnsoldPhotos(transaction, enqueue, user.id);
      await notifyBuyersOfEnded(transaction, enqueue, user.id);
    }
    if (user.is_buyer) {
      await enqueue(transaction, buyerEnded, { buyerId: user.id });
      await notifySellersOfEnded(transaction, enqueue, user.id);
    }
    const message = await unfinishedOrdersNote(transaction, user.id);
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: account.role === 'Seller' ? 'Deleted seller' : 'Deleted buyer',
      personIds: [user.id],
      ...(message !== null && { note: message }),
    });
    return { deletedCount: 1, ...(message !== null && { message }) };
  });
  await cache.waitForInvalidation();
  return ended;
}
