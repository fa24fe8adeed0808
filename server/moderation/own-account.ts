import type { OwnData } from '#contract/accounts.ts';
import { eraseAccount, findUser, isLastAdmin } from '../accounts/steps.ts';
import { forgetMeetingsOf, heldUntil } from '../bookings/steps.ts';
import { forgetSellerContacts, forgetUnsoldPhotos, withdrawLaptopsOf } from '../catalogue/steps.ts';
import { forgetIdempotencyKeys } from '../http/idempotency.ts';
import { JsonStream } from '../http/json-stream.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import { awaitsRefund, keepForBookkeeping } from '../payments/steps.ts';
import { forgetWishesOf } from '../wishlist/steps.ts';
import type { ModerationDependencies } from './actions.ts';
import { ownData } from './own-data.ts';
import * as store from './store.ts';

const onItsWay = (sentence: string, retryAt?: Date) =>
  new Refusal('money_on_its_way', `${sentence} Your account is as it was.`, retryAt ? { retryAt } : {});

/**
 * Everything that the shop keeps about the caller, read while it is sent. Not as of one moment: a snapshot would have to
 * stay open for as long as the slowest client reads.
 * @throws Refusal
 */
export async function readOwnData(
  { database }: Pick<ModerationDependencies, 'database'>,
  caller: Caller,
  shown: (photo: string) => string,
): Promise<JsonStream<OwnData>> {
  const user = await findUser(database, caller.userId);
  if (user === null) throw new Refusal('not_found', 'There is no such account any more.');
  return new JsonStream(ownData(database, user, shown));
}

/** What somebody is told of what stays. */
function keptSentences({ sales, reports, acts }: Record<'sales' | 'reports' | 'acts', number>): string[] {
  return [
    ...(sales === 0
      ? []
      : [
          `Of ${sales === 1 ? 'one payment or refund' : `${sales} payments and refunds`}: the amount, the day, the laptop, and your name and e-mail address as one of its parties, apart from the shop’s other records and for bookkeeping only.`,
        ]),
    ...(reports === 0
      ? []
      : [`The text of ${reports === 1 ? 'your report' : `your ${reports} reports`}, without your name.`]),
    ...(acts === 0
      ? []
      : [`What you did as an admin, ${acts === 1 ? 'one act' : `${acts} acts`}, without your name.`]),
  ];
}

/**
 * Ends the caller's own account at once, as an admin's deletion does, and removes what tells who it was: name,
 * addresses, telephone numbers, meeting places, the wishlist, the sign-in. Refused while money is on its way, and to
 * the only admin that there is.
 * @returns what stays and why, a sentence each @throws Refusal, CardProcessorAway
 */
export async function deleteOwnAccount(
  { database, enqueue, forgetCatalogue, closeAttemptsOf }: ModerationDependencies,
  caller: Caller,
  typedEmail: string,
): Promise<string[]> {
  const { role, userId: id } = caller;
  if (typedEmail !== caller.email) {
    const detail = 'This is not the e-mail address of your account';
    throw new Refusal('invalid_input', `${detail}, so nothing was deleted.`, { errors: { email: detail } });
  }
  if (await closeAttemptsOf(id)) {
    throw onItsWay(
      'The card processor is still working on a payment of yours. Please try again in a moment.',
    );
  }
  const kept = await database.transaction().execute(async (transaction) => {
    if (role === 'Admin' && (await isLastAdmin(transaction, id))) {
      throw new Refusal(
        'last_admin',
        'You are the only admin of this shop. Make somebody else an admin first. Your account is as it was.',
      );
    }
    // First of all: what is being written in this account's name is awaited, and nothing more is begun. Whatever refuses
    // below takes this back as well.
    const user = await eraseAccount(transaction, enqueue, { id, role });
    if (user === null) throw new Refusal('not_found', 'This account has ended already.');
    // Locks the laptops: who begins to pay for one from here on waits, and finds it gone.
    await withdrawLaptopsOf(transaction, enqueue, id);
    const until = await heldUntil(transaction, id, new Date());
    if (until !== null) throw onItsWay('Somebody is paying for a laptop of yours right now.', until);
    await forgetSellerContacts(transaction, id);
    await forgetUnsoldPhotos(transaction, id);
    if (await awaitsRefund(transaction, id)) {
      throw onItsWay('Money is on its way back to your card. Please try again when it has arrived.');
    }
    const sales = await keepForBookkeeping(transaction, user);
    await forgetWishesOf(transaction, id);
    await forgetMeetingsOf(transaction, id);
    await forgetIdempotencyKeys(transaction, id);
    return keptSentences({
      sales,
      reports: await store.countReportsBy(transaction, id),
      acts: await store.countActsBy(transaction, id),
    });
  });
  forgetCatalogue();
  return kept;
}
