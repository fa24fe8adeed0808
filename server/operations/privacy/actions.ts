import type { OwnData } from '#contract/operations/privacy.ts';
import { removeCertificatesOf } from '#server/certification/certificates/steps.ts';
import { removeDraftsOf, removeMeasurementsOf } from '#server/certification/inspections/steps.ts';
import {
  eraseSellerTexts,
  releaseUnsoldPhotos,
  withdrawLaptopsOf,
} from '#server/listings/catalogue/steps.ts';
import type { PublishDependencies } from '#server/listings/events.ts';
import { countReportsBy } from '#server/listings/reports/steps.ts';
import { removeSavedSearches } from '#server/listings/saved-searches/steps.ts';
import { clearWishlist } from '#server/listings/wishlist/steps.ts';
import { outstandingMoneyRefusal } from '#server/money/payouts/steps.ts';
import { hasPendingRefund } from '#server/money/refunds/steps.ts';
import { eraseAccount, findUser, isLastOwner } from '#server/people/accounts/steps.ts';
import { countAuditByAdmin } from '#server/people/audit/steps.ts';
import { removeNotificationsOf } from '#server/people/notifications/steps.ts';
import { removePhoneCodesOf } from '#server/people/phone-checks/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { deleteIdempotencyKeys } from '#server/platform/http/idempotency.ts';
import { JsonStream } from '#server/platform/http/json-stream.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { deleteAddressesOf, deleteSender } from '#server/sales/addresses/steps.ts';
import { paymentWindowEndOfSeller, removeBuyerContacts } from '#server/sales/bookings/steps.ts';
import {
  openComplaintRefusal,
  removeStatementsOf,
  unfinishedOrderRefusal,
} from '#server/sales/complaints/steps.ts';
import { leaveConversations } from '#server/sales/messages/steps.ts';
import { erasePersonInOrders } from '#server/sales/orders/steps.ts';
import { cancelPaymentsOfBuyer, type PaymentDependencies } from '#server/sales/payments/actions.ts';
import { buyerEnded, copyToBookkeeping } from '#server/sales/payments/steps.ts';
import { eraseReportNotes, hasWrittenReviews } from '#server/sales/reviews/steps.ts';
import { removePackingPhotosOf, unsettledLabelRefusal } from '#server/sales/shipping/steps.ts';
import { removeInvitationsTo } from '../staff/steps.ts';
import { streamOwnData } from './own-data.ts';

const moneyInTransit = (sentence: string, retryAt?: Date) =>
  new Refusal('money_on_its_way', `${sentence} Your account is as it was.`, retryAt ? { retryAt } : {});

/**
 * Reads all data that the shop stores about the caller, while it is sent. It is not one snapshot, which would stay open
 * as long as the slowest client reads.
 * @param photoUrl makes the public URL of a stored photo
 * @throws Refusal
 */
export async function readOwnData(
  database: Database,
  caller: Caller,
  photoUrl: (photo: string) => string,
): Promise<JsonStream<OwnData>> {
  const user = await findUser(database, caller.userId);
  if (user === undefined) throw new Refusal('not_found', 'There is no such account any more.');
  return new JsonStream(streamOwnData(database, user, photoUrl));
}

/** Describes in sentences the data that is kept after an account has ended. */
function describeKeptData({
  sales,
  stolen,
  hasMessages,
  hasReviews,
  reports,
  acts,
}: Record<'sales' | 'stolen' | 'reports' | 'acts', number> &
  Record<'hasMessages' | 'hasReviews', boolean>): string[] {
  return [
    ...(sales === 0
      ? []
      : [
          `Of ${sales === 1 ? 'one payment or refund' : `${sales} payments and refunds`}: the amount, the day, the laptop, and your name and email address as one of its parties, apart from the shop’s other records and for bookkeeping only.`,
        ]),
    ...(stolen === 0
      ? []
      : [
          `What ${stolen === 1 ? 'a laptop' : `${stolen} laptops`} that somebody reported as stolen reported about itself, so that the shop recognizes it.`,
        ]),
    ...(hasReviews ? ['Your reviews and your answers to reviews, without your name.'] : []),
    ...(hasMessages ? ['Your messages, without your name, for the people to whom you wrote them.'] : []),
    ...(reports === 0
      ? []
      : [`The text of ${reports === 1 ? 'your report' : `your ${reports} reports`}, without your name.`]),
    ...(acts === 0
      ? []
      : [`What you did as an admin, ${acts === 1 ? 'one act' : `${acts} acts`}, without your name.`]),
  ];
}

/**
 * Ends the caller's own account and removes personal data: name, addresses, telephone numbers and their codes, meeting places, the
 * wishlist, saved searches, notifications, statements about complaints, the sign-in. Refused while a payment or refund is pending, while a
 * complaint is open or possible, while the shop holds or owes money of a seller or is owed some, while a label
 * or its insurance can still change that, and for the only admin.
 * @returns sentences about the data that is kept, and why @throws Refusal
 */
export async function deleteOwnAccount(
  dependencies: PaymentDependencies & PublishDependencies,
  caller: Caller,
  typedEmail: string,
): Promise<string[]> {
  const { database, enqueue, cache } = dependencies;
  const { roles, userId: id } = caller;
  const isAdmin = roles.includes('Admin');
  if (typedEmail !== caller.email) {
    const detail = 'This is not the email address of your account';
    throw new Refusal('invalid_input', `${detail}, so nothing was deleted.`, { errors: { email: detail } });
  }
  if (await cancelPaymentsOfBuyer(dependencies, id)) {
    throw moneyInTransit(
      'The card processor is still working on a payment of yours. Please try again in a moment.',
    );
  }
  const kept = await database.transaction().execute(async (transaction) => {
    if (isAdmin && (await isLastOwner(transaction, id))) {
      throw new Refusal(
        'last_owner',
        'You are the only owner of this shop. Make somebody else an owner first, on the page Staff. Your account is as it was.',
      );
    }
    // First, because it waits for transactions that share the account's row and blocks new ones. A refusal below rolls it
    // back.
    const user = await eraseAccount(transaction, enqueue, { id, isAdmin });
    if (user === null) throw new Refusal('not_found', 'This account has ended already.');
    // Locks the laptops: a buyer who starts to pay for one waits here and then finds it withdrawn.
    await withdrawLaptopsOf(transaction, dependencies, id);
    const until = await paymentWindowEndOfSeller(transaction, id, new Date());
    if (until !== null) throw moneyInTransit('Somebody is paying for a laptop of yours right now.', until);
    const refusal =
      (await openComplaintRefusal(transaction, id)) ??
      (await outstandingMoneyRefusal(transaction, id)) ??
      (await unfinishedOrderRefusal(transaction, id)) ??
      (await unsettledLabelRefusal(transaction, id));
    if (refusal !== null) throw moneyInTransit(refusal);
    await eraseSellerTexts(transaction, id);
    await releaseUnsoldPhotos(transaction, enqueue, id);
    const stolen = await removeMeasurementsOf(transaction, id);
    await removeDraftsOf(transaction, id);
    await removeCertificatesOf(transaction, id);
    if (await hasPendingRefund(transaction, id)) {
      throw moneyInTransit('A refund to you is not finished. Please try again when the money has arrived.');
    }
    const sales = await copyToBookkeeping(transaction, user);
    await removeStatementsOf(transaction, id);
    await removePackingPhotosOf(transaction, id);
    const { hasMessages, openReports } = await leaveConversations(transaction, id);
    await erasePersonInOrders(transaction, id);
    await clearWishlist(transaction, id);
    await removeSavedSearches(transaction, id);
    await removeNotificationsOf(transaction, id);
    await removePhoneCodesOf(transaction, id);
    await removeInvitationsTo(transaction, user.email);
    await removeBuyerContacts(transaction, id);
    await deleteAddressesOf(transaction, id);
    await deleteSender(transaction, id);
    await deleteIdempotencyKeys(transaction, id);
    await enqueue(transaction, buyerEnded, { buyerId: id });
    return describeKeptData({
      sales,
      stolen,
      hasMessages,
      hasReviews: await hasWrittenReviews(transaction, id),
      reports:
        (await countReportsBy(transaction, id)) + (await eraseReportNotes(transaction, id)) + openReports,
      acts: await countAuditByAdmin(transaction, id),
    });
  });
  await cache.waitForInvalidation();
  return kept;
}
