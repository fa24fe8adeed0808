import * as z from 'zod/mini';
import type { NewReport } from '#contract/moderation.ts';
import { recipient } from '../accounts/rules.ts';
import { endAccount, findUser, verifySeller } from '../accounts/steps.ts';
import {
  findLaptop,
  forgetUnsoldPhotos,
  type LaptopRow,
  lockLaptop,
  takeLaptopDown,
  withdrawLaptopsOf,
} from '../catalogue/steps.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { Refusal } from '../http/refusal.ts';
import type { Caller } from '../http/serve.ts';
import { type Enqueue, job } from '../jobs/queue.ts';
import { closeAttemptsOfBuyer } from '../payments/steps.ts';
import type { Mailer } from '../vendors/mail.ts';
import * as mails from './mails.ts';
import * as store from './store.ts';

/** What the admins' acts need. */
export interface ModerationDependencies {
  database: Database;
  enqueue: Enqueue;
  /** Forgets kept answers of the catalogue at once. */
  forgetCatalogue(): void;
  /** Cancels a buyer's open attempts at paying. @returns whether money may still be taken @throws Refusal */
  closeAttemptsOf(buyerId: string): Promise<boolean>;
}

/** A report was dismissed or led to a take-down: its reporter is told by mail. */
export const reportResolved = job('moderation.report-resolved', z.object({ reportId: z.string() }));

/** A laptop was taken down: its seller is told by mail, with the admin's note. */
export const takenDown = job('moderation.taken-down', z.object({ laptopId: z.string(), note: z.string() }));

const person = ({ name, email }: { name: string; email: string }) => `${name}, ${email}`;

/**
 * Files a report, once per person and laptop.
 * @returns the new id, or the objection in words @throws Refusal for an unknown laptop
 */
export async function report(
  transaction: Transaction,
  caller: Caller,
  { productCode, reason, note }: z.output<typeof NewReport>,
): Promise<{ insertedId: string; name: string } | { objection: string }> {
  const laptop = await findLaptop(transaction, productCode);
  if (laptop === null || laptop.state === 'withdrawn') {
    throw new Refusal('not_found', 'There is no such laptop in this shop.');
  }
  if (laptop.seller_id === caller.userId) return { objection: `${laptop.name} is your own product.` };
  const insertedId = await store.insertReport(transaction, {
    laptop_id: laptop.id,
    reporter_id: caller.userId,
    reason,
    note: note ?? '',
    resolution: null,
  });
  return insertedId === null
    ? { objection: `You already reported ${laptop.name}. An admin will look at it.` }
    : { insertedId, name: laptop.name };
}

/** Marks a seller as verified. @returns how many changed: 0 when the seller already was @throws Refusal */
export async function verify(
  { database, forgetCatalogue }: ModerationDependencies,
  admin: Caller,
  email: string,
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    const verified = await verifySeller(transaction, email);
    if (verified === null) throw new Refusal('not_found', 'There is no seller with this e-mail address.');
    if (verified.modifiedCount > 0) {
      await store.insertAudit(transaction, {
        admin_id: admin.userId,
        act: 'Verified seller',
        laptop_id: null,
        subject: person(verified.seller),
        note: '',
      });
    }
    return verified.modifiedCount;
  });
  forgetCatalogue();
  return modifiedCount;
}

/**
 * Ends a seller's or buyer's account at once: tokens, sign-in, unsold laptops, and with them or with the account the
 * unpaid bookings and attempts at paying. What was paid stays.
 * @returns how many changed: 0 when it has ended already, as when a call is retried @throws Refusal for an unknown one
 */
export async function deleteAccount(
  { database, enqueue, forgetCatalogue }: ModerationDependencies,
  admin: Caller,
  account: { id: string; role: 'Buyer' | 'Seller' },
): Promise<number> {
  const deletedCount = await database.transaction().execute(async (transaction) => {
    const user = await endAccount(transaction, enqueue, account);
    if (user === null) {
      const known = await findUser(transaction, account.id);
      if (known?.role === account.role) return 0;
      throw new Refusal('not_found', `There is no such ${account.role.toLowerCase()}.`);
    }
    if (account.role === 'Seller') {
      await withdrawLaptopsOf(transaction, enqueue, user.id);
      await forgetUnsoldPhotos(transaction, user.id);
    } else {
      await enqueue(transaction, closeAttemptsOfBuyer, { buyerId: user.id });
    }
    await store.insertAudit(transaction, {
      admin_id: admin.userId,
      act: account.role === 'Seller' ? 'Deleted seller' : 'Deleted buyer',
      laptop_id: null,
      subject: person(user),
      note: '',
    });
    return 1;
  });
  forgetCatalogue();
  return deletedCount;
}

/**
 * Ends a laptop's open reports and writes down who did it.
 * @returns how many: 0 when they have been resolved this way already, as when a call is retried
 * @throws Refusal when none is open and the last one was resolved otherwise
 */
async function resolve(
  transaction: Transaction,
  enqueue: Enqueue,
  admin: Caller,
  { laptop, resolution, note }: { laptop: LaptopRow; resolution: 'dismissed' | 'taken_down'; note: string },
): Promise<number> {
  const reportIds = await store.resolveReports(transaction, laptop.id, resolution);
  if (reportIds.length === 0) {
    if ((await store.lastResolution(transaction, laptop.id)) === resolution) return 0;
    throw new Refusal(
      'not_found',
      'There are no open reports of this laptop. Perhaps another admin was faster.',
    );
  }
  const seller = await findUser(transaction, laptop.seller_id);
  await store.insertAudit(transaction, {
    admin_id: admin.userId,
    act: resolution === 'dismissed' ? 'Dismissed reports' : 'Took laptop down',
    laptop_id: laptop.id,
    subject: seller === null ? laptop.name : `${laptop.name} of ${person(seller)}`,
    note,
  });
  for (const reportId of reportIds) await enqueue(transaction, reportResolved, { reportId });
  return reportIds.length;
}

async function lockReported(transaction: Transaction, laptopId: string): Promise<LaptopRow> {
  const laptop = await lockLaptop(transaction, laptopId);
  if (laptop === null) throw new Refusal('not_found', 'There are no reports of such a laptop.');
  return laptop;
}

/** Dismisses a laptop's open reports. @returns how many @throws Refusal */
export function dismiss(
  { database, enqueue }: ModerationDependencies,
  admin: Caller,
  { laptopId, note }: { laptopId: string; note: string },
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const laptop = await lockReported(transaction, laptopId);
    return resolve(transaction, enqueue, admin, { laptop, resolution: 'dismissed', note });
  });
}

/** Takes a reported laptop down. @returns how many reports that answers @throws Refusal */
export async function takeDown(
  { database, enqueue, forgetCatalogue }: ModerationDependencies,
  admin: Caller,
  { laptopId, note }: { laptopId: string; note: string },
): Promise<number> {
  const count = await database.transaction().execute(async (transaction) => {
    const laptop = await lockReported(transaction, laptopId);
    if (laptop.state === 'sold') {
      throw new Refusal('already_sold', `${laptop.name} is sold and paid for, which stays on record.`);
    }
    // A retry: the laptop has been taken down, and nothing was reported since.
    const last = await store.lastResolution(transaction, laptop.id);
    if (laptop.state === 'taken_down' && last === 'taken_down') return 0;
    if (laptop.state !== 'available') {
      throw new Refusal(
        'not_found',
        `${laptop.name} has left the shop already. Its reports can be dismissed.`,
      );
    }
    const resolved = await resolve(transaction, enqueue, admin, { laptop, resolution: 'taken_down', note });
    await takeLaptopDown(transaction, enqueue, laptop.id, note);
    await enqueue(transaction, takenDown, { laptopId: laptop.id, note });
    return resolved;
  });
  forgetCatalogue();
  return count;
}

/** What telling people needs. */
export interface TellDependencies {
  database: Database;
  mailer: Mailer;
  origin: string;
}

/** Mails a reporter what became of the report. */
export async function tellReporter(
  { database, mailer, origin }: TellDependencies,
  reportId: string,
): Promise<void> {
  const filed = await store.findReport(database, reportId);
  const laptop = filed && (await findLaptop(database, filed.laptop_id));
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!filed || !laptop || !seller || filed.resolution === null) return;
  const reported = { laptop, seller: recipient(seller) };
  await mailer.send(mails.reportResolvedMail(filed, filed.resolution, reported, origin));
}

/** Mails a seller that a laptop was taken down, and why. */
export async function tellTakenDown(
  { database, mailer, origin }: TellDependencies,
  { laptopId, note }: { laptopId: string; note: string },
): Promise<void> {
  const laptop = await findLaptop(database, laptopId);
  const seller = laptop && (await findUser(database, laptop.seller_id));
  if (!laptop || !seller || seller.ended_at !== null) return;
  await mailer.send(mails.takenDownMail(recipient(seller), laptop, note, origin));
}
