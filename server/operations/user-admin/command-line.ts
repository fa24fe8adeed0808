import { findByEmail, grantAdmin } from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import * as store from './store.ts';

/** A command that changed nothing. The message says why. */
export class CommandRejected extends Error {}

/**
 * Makes a registered user, or an admin, an owner of the shop and records it in the audit trail.
 * @param options.unproven whether an unconfirmed email address is accepted
 * @throws CommandRejected when no user has this address, when the address is not confirmed, or when the user has laptops
 *   for sale, unpaid bookings or unfinished orders, which an admin could not end
 */
export function makeAdmin(
  database: Database,
  email: string,
  options: { unproven: boolean } = { unproven: false },
): Promise<void> {
  return database.transaction().execute((transaction) => makeAdminWithin(transaction, email, options));
}

/** Makes an admin as {@link makeAdmin} does, in a transaction of the caller's. @throws CommandRejected */
export async function makeAdminWithin(
  transaction: Transaction,
  email: string,
  options: { unproven: boolean },
): Promise<void> {
  const user = await grantAdmin(transaction, email);
  if (user === undefined) {
    throw new CommandRejected(
      `Nobody is registered with ${email}, or the account was ended. Register in the shop first, then grant.`,
    );
  }
  if (!user.email_verified && !options.unproven) {
    throw new CommandRejected(
      `Nobody has proven to receive mail at ${email}, so a stranger may have registered it. Confirm the address (Dashboard, Account sends the email), or repeat the command with --unproven if you know whose account this is.`,
    );
  }
  const { hasLaptopsForSale, hasUnpaidBookings, hasOpenOrders } = await store.findOpenBusiness(
    transaction,
    user.id,
  );
  const alternative = 'or make the admin of another address.';
  if (hasLaptopsForSale) {
    throw new CommandRejected(
      `${email} has laptops for sale, and an admin can withdraw none. Take them out of the shop first, ${alternative}`,
    );
  }
  if (hasUnpaidBookings) {
    throw new CommandRejected(
      `${email} has booked laptops that are not paid, and an admin cannot pay. Pay first, ${alternative}`,
    );
  }
  if (hasOpenOrders) {
    throw new CommandRejected(
      `${email} has orders that are not over, or the shop owes this person money or is owed some. An admin can neither confirm, complain nor answer as their buyer or seller, and would decide about them. Wait until they are over and paid, ${alternative}`,
    );
  }
  await recordAudit(transaction, {
    act: 'Made admin',
    personIds: [user.id],
    note: user.email_verified ? '' : 'The address is not proven.',
  });
}

/**
 * Removes all second factors of a sign-in and records it in the audit trail.
 * @param reset removes them at the identity provider; resolves to whether there is such a sign-in
 * @returns whether there is such a sign-in
 */
export async function resetSecondFactor(
  database: Database,
  email: string,
  reset: (email: string) => Promise<boolean>,
): Promise<boolean> {
  if (!(await reset(email))) return false;
  // When it cannot be recorded, the command fails after the reset, and repeating it records it.
  await database.transaction().execute(async (transaction) => {
    const user = await findByEmail(transaction, email);
    await recordAudit(transaction, {
      act: 'Reset second factor',
      ...(user !== undefined && { personIds: [user.id] }),
    });
  });
  return true;
}
