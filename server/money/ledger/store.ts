import { sql } from 'kysely';
import { type Currency, currency } from '#contract/platform/money.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import type { Entry, Posting } from './rules.ts';

/** @returns the posting's id, or null when this kind was posted for the reference before */
export async function insertPosting(
  transaction: Transaction,
  { kind, reference }: Posting,
): Promise<string | null> {
  const row = await transaction
    .insertInto('ledger_postings')
    .values({ kind, reference, currency: currency.code })
    .onConflict((conflict) => conflict.constraint('posted_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertEntries(
  transaction: Transaction,
  postingId: string,
  entries: readonly Entry[],
): Promise<void> {
  await transaction
    .insertInto('ledger_entries')
    .values(
      entries.map((entry) => ({
        posting_id: postingId,
        account: entry.account,
        amount_cents: entry.amountCents,
        order_id: entry.orderId,
        seller_id: entry.account === 'payable' ? entry.sellerId : null,
      })),
    )
    .execute();
}

/** Locks what the shop owes a seller. */
export async function lockSellerBalance(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction
    .selectFrom('seller_balances')
    .select('seller_id')
    .where('seller_id', '=', sellerId)
    .forUpdate()
    .execute();
}

/**
 * Records the shop's time zone. A change counts the stored days and months anew, which takes as long as reading the ledger.
 * @param timeZone of the IANA @throws an error of the database for a time zone that it does not know
 */
export async function recordTimeZone(transaction: Transaction, timeZone: string): Promise<void> {
  await transaction
    .updateTable('shop_time_zone')
    .set({ time_zone: timeZone })
    .where('time_zone', '<>', timeZone)
    .execute();
}

/**
 * Changes the shop's currency. It waits for transactions that list, book or post, and they for it.
 * @throws an error of the database while a laptop is listed, or when something was booked or posted
 */
export async function changeCurrency(
  transaction: Transaction,
  { code, smallestAmount, leastCents }: Currency,
): Promise<void> {
  await transaction
    .updateTable('shop_currency')
    .set({ code, smallest_amount: smallestAmount, least_cents: leastCents })
    .execute();
  await sql`update balance_transactions set is_foreign = upper(currency) <> ${code}`.execute(transaction);
}

/** The instants at which a period begins and ends, and the time zone of its days. */
export interface PeriodBounds {
  from: Date;
  /** Exclusive. */
  until: Date;
  timeZone: string;
}

/**
 * The bounds of a period in the shop's time zone.
 * @param period.from the first day, such as `2026-11-01` @param period.until the last day
 */
export async function periodBounds(
  reader: Reader,
  { from, until }: { from: string; until: string },
): Promise<PeriodBounds> {
  const { rows } = await sql<PeriodBounds>`
    select ${from}::date::timestamp at time zone time_zone as "from",
           (${until}::date + 1)::timestamp at time zone time_zone as until,
           time_zone as "timeZone" from shop_time_zone`.execute(reader);
  const [bounds] = rows;
  if (bounds === undefined) throw new Error('the row of the shop’s time zone is missing');
  return bounds;
}
