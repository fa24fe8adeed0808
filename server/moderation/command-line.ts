import { grantAdmin } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { type Retrial, tryRefundAgain } from '../payments/steps.ts';
import * as store from './store.ts';

/** Nothing was changed; the message says why, to whoever has typed the command. */
export class NotDone extends Error {}

/**
 * Makes a registered person an admin, on record.
 * @param options.unproven whether an address is accepted that nobody has proven to own
 * @throws NotDone when nobody is registered with the address, when it is not proven, and when laptops or bookings
 *   would be left that only a seller or a buyer can end
 */
export function makeAdmin(
  database: Database,
  email: string,
  options: { unproven: boolean } = { unproven: false },
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const user = await grantAdmin(transaction, email);
    if (user === null) {
      throw new NotDone(
        `Nobody is registered with ${email}, or the account was ended. Register in the shop first, then grant.`,
      );
    }
    if (!user.email_verified && !options.unproven) {
      throw new NotDone(
        `Nobody has proven to receive mail at ${email}, so a stranger may have registered it. Confirm the address (Dashboard, Account sends the letter), or repeat the command with --unproven if you know whose account this is.`,
      );
    }
    const { sells, owes } = await store.unfinishedBusinessOf(transaction, user.id);
    const instead = 'or make the admin of another address.';
    if (sells) {
      throw new NotDone(
        `${email} has laptops for sale, and an admin can withdraw none. Take them out of the shop first, ${instead}`,
      );
    }
    if (owes) {
      throw new NotDone(
        `${email} has booked laptops that are not paid, and an admin cannot pay. Pay first, ${instead}`,
      );
    }
    await store.insertAudit(transaction, {
      admin_id: null,
      act: 'Made admin',
      laptop_id: null,
      subject: email,
      note: user.email_verified ? '' : 'The address is not proven.',
    });
  });
}

/**
 * Takes every second factor from somebody who has lost theirs, on record.
 * @param reset does it at the identity provider; answers whether there is such a sign-in
 * @returns whether there is
 */
export function resetSecondFactor(
  database: Database,
  email: string,
  reset: (email: string) => Promise<boolean>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    // Inside the transaction for once: nothing may be done that is not on record, nor be on record that was not done.
    if (!(await reset(email))) return false;
    await store.insertAudit(transaction, {
      admin_id: null,
      act: 'Reset second factor',
      laptop_id: null,
      subject: email,
      note: '',
    });
    return true;
  });
}

/**
 * Has a failed refund tried again by the running shop, on record.
 * @returns how the refund stands, or null when there is none for this transaction
 */
export function refundAgain(database: Database, transactionId: string): Promise<Retrial | null> {
  return database.transaction().execute(async (transaction) => {
    const retrial = await tryRefundAgain(transaction, transactionId);
    if (retrial?.kind === 'begun') {
      await store.insertAudit(transaction, {
        admin_id: null,
        act: 'Tried refund again',
        laptop_id: null,
        subject: retrial.subject,
        note: `${retrial.amount}, attempt ${retrial.attempt}`,
      });
    }
    return retrial;
  });
}
