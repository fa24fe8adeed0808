import { grantAdmin } from '../accounts/steps.ts';
import type { Database } from '../database/tables.ts';
import { type Retrial, tryRefundAgain } from '../payments/steps.ts';
import * as store from './store.ts';

/** Makes a registered person an admin, on record. @returns whether there is such a person */
export function makeAdmin(database: Database, email: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await grantAdmin(transaction, email))) return false;
    await store.insertAudit(transaction, {
      admin_id: null,
      act: 'Made admin',
      laptop_id: null,
      subject: email,
      note: '',
    });
    return true;
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
