// SQL of the one-time codes with which laptops, drafts and the laptops of orders are measured.

import { sql } from 'kysely';
import { CODE_MINUTES } from '#contract/certification/inspections.ts';
import type { SameLaptopCode } from '#contract/certification/same-laptop.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';

/** What a code measures. */
export type CodeOwner =
  | { laptop_id: string }
  | { draft_id: string }
  | { order_id: string; code_ending: string };

/** Stores a code in place of an earlier one of its owner. @returns when it expires */
export async function replaceCode(reader: Reader, owner: CodeOwner, codeSha256: string): Promise<Date> {
  const code = {
    ...owner,
    code_sha256: codeSha256,
    expires_at: sql<Date>`now() + ${CODE_MINUTES}::int * interval '1 minute'`,
    report_taken: false,
    check_taken: false,
  };
  const key = 'laptop_id' in owner ? 'laptop_id' : 'draft_id' in owner ? 'draft_id' : 'order_id';
  const { expires_at } = await reader
    .insertInto('measurement_codes')
    .values(code)
    .onConflict((conflict) => conflict.column(key).doUpdateSet(code))
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** What a code can be used for, once each. */
export type CodeUse = 'report' | 'check';
const usedColumns = { report: 'report_taken', check: 'check_taken' } as const;

/** A code that can be used. */
export interface UsableCode {
  expiresAt: Date;
  /** The laptop or the draft that it measures. */
  id: string;
  isDraft: boolean;
  /** The laptop's name, or the draft's code for the slip. */
  name: string;
  sellerId: string;
  /** The order of a sold laptop; null for any other. */
  orderId: string | null;
  /** Whether the buyer of the order measures, to whom it came by parcel; else its seller, when both meet. */
  isByBuyer: boolean;
}

/** Whether who measures a sold laptop has it: the buyer of one that came by parcel until it returns, the seller until both meet. */
const isWithMeasurer = sql<boolean>`case orders.delivery
  when 'ship' then orders.state in ('delivered', 'complaint', 'offered', 'contested', 'awaiting_return')
  else orders.state = 'held' end`;

/** Finds a code that can be used. It uses nothing up: {@link consumeCode} decides. */
export async function findCode(
  reader: Reader,
  codeSha256: string,
  use: CodeUse,
): Promise<UsableCode | undefined> {
  const { rows } = await sql<UsableCode>`
    select codes.expires_at as "expiresAt", coalesce(laptops.id, drafts.id) as id, drafts.id is not null as "isDraft",
           coalesce(laptops.name, drafts.slip_code) as name, coalesce(laptops.seller_id, drafts.seller_id) as "sellerId",
           order_id as "orderId", coalesce(orders.delivery = 'ship', false) as "isByBuyer"
      from measurement_codes as codes
      left join orders on orders.id = order_id
      left join laptops on laptops.id = coalesce(codes.laptop_id, orders.laptop_id)
      left join laptop_drafts as drafts on drafts.id = draft_id
     where code_sha256 = ${codeSha256} and not ${sql.ref(usedColumns[use])} and codes.expires_at > now()
       and case when order_id is not null then ${use === 'report'} and ${isWithMeasurer}
                when draft_id is not null then drafts.expires_at > now()
                else laptops.state <> 'sold' end`.execute(reader);
  return rows[0];
}

/** Records one of the two uses of a code; the other one stays. @returns false when it was used, replaced or has expired */
export async function consumeCode(
  transaction: Transaction,
  codeSha256: string,
  use: CodeUse,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('measurement_codes')
    .set({ [usedColumns[use]]: true })
    .where('code_sha256', '=', codeSha256)
    .where(usedColumns[use], '=', false)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The code with which an order's laptop can be measured again now; null without one. */
export async function findSameLaptopCode(reader: Reader, orderId: string): Promise<SameLaptopCode | null> {
  const row = await reader
    .selectFrom('measurement_codes')
    .select(['code_ending', 'expires_at'])
    .where('order_id', '=', orderId)
    .where('report_taken', '=', false)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (row === undefined || row.code_ending === null) return null;
  return { ending: row.code_ending, expiresAt: row.expires_at.toISOString() };
}

/** Removes codes that can no longer be used. */
export async function removeExpiredCodes(reader: Reader): Promise<void> {
  await reader
    .deleteFrom('measurement_codes')
    .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute();
}
