import { sql } from 'kysely';
import { type OrderState, openComplaintStates } from '#contract/money/order-states.ts';
import { debtOf } from '#server/money/refunds/steps.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { BalanceTransaction } from './balance-reader.ts';
import {
  type ComparedAmounts,
  type LedgerTotal,
  type SellersBalances,
  type StoredExplanation,
  shopCurrency,
} from './rules.ts';

/** How far the card processor's movements were read, and when they were compared. */
export function readProgress(reader: Reader): Promise<Row<'balance_reading'>> {
  return reader.selectFrom('balance_reading').selectAll().executeTakeFirstOrThrow();
}

/** When the first posting was made; null in an empty ledger. */
export async function firstPostingAt(reader: Reader): Promise<Date | null> {
  const row = await reader
    .selectFrom('ledger_postings')
    .select('posted_at')
    .orderBy('posted_at')
    .limit(1)
    .executeTakeFirst();
  return row?.posted_at ?? null;
}

/** Inserts movements. @returns the ids of those that were not known */
export async function insertMovements(
  transaction: Transaction,
  movements: readonly BalanceTransaction[],
): Promise<Set<string>> {
  if (movements.length === 0) return new Set();
  const rows = await transaction
    .insertInto('balance_transactions')
    .values(
      movements.map((movement) => ({
        id: movement.balanceTransactionId,
        type: movement.type,
        amount_cents: movement.amountCents,
        fee_cents: movement.feeCents,
        source_id: movement.sourceId,
        transaction_id: movement.transactionId,
        created_at: movement.createdAt,
        currency: movement.currency,
        is_foreign: movement.currency !== shopCurrency(),
        category: movement.category,
        transfer_id: movement.transferId,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function setReadUntil(database: Database, until: Date): Promise<void> {
  await database.updateTable('balance_reading').set({ read_until: until }).execute();
}

/** Claims a comparison that is due, so that one process makes it. @param nextAt when it is due again @returns whether it was due */
export async function claimComparison(database: Database, now: Date, nextAt: Date): Promise<boolean> {
  const result = await database
    .updateTable('balance_reading')
    .set({ next_at: nextAt })
    .where('next_at', '<=', now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function setNextComparison(database: Database, at: Date): Promise<void> {
  await database.updateTable('balance_reading').set({ next_at: at }).execute();
}

/** Records a comparison. Locks the row, so that concurrent comparisons run one after the other. */
export async function setCompared(transaction: Transaction, at: Date): Promise<void> {
  await transaction.updateTable('balance_reading').set({ compared_at: at }).execute();
}

export type DifferenceRow = Row<'ledger_differences'>;

/** The most differences that are recorded at once. */
const MAXIMUM_DIFFERENCES = 1_000;

/**
 * What the account `suspense` has of refunds and disputes, positive into the balance: refunds of operators that nothing explained, and
 * money of lost disputes that came back. Explanations have the reference with the explained difference.
 */
const suspended = sql`(
  select movement, cause as reference, detail,
         - coalesce((select sum(amount_cents) from ledger_postings
                       join ledger_entries on posting_id = ledger_postings.id and account = 'suspense'
                      where ledger_postings.kind = causes.kind and reference = any(causes.postings)), 0)
         - coalesce((select sum(amount_cents) from ledger_postings
                       join ledger_entries on posting_id = ledger_postings.id and account = 'suspense'
                      where ledger_postings.kind = 'correction' and starts_with(reference, cause || '/')), 0) as cents
    from (select 'dispute' as movement, card_dispute_id as cause, 'reinstated' as detail, 'dispute_reinstated' as kind,
                 array[card_dispute_id] as postings
            from disputes where state = 'won'
          union all
          select 'refund', id::text, 'not explained', 'unknown_movement', array[id::text, id || '-' || attempt]
            from refunds where reason = 'unexplained') as causes)`;

/**
 * Compares the ledger's account `processor` with the card processor's movements: payments, refunds and disputes per payment, transfers
 * and their reversals per transfer, because an operator's reversals become known as one sum. Unknown movements and those in another
 * currency are differences until an admin explains them, as is what the suspense account has of refunds and disputes; they are never
 * compared with the shop's. Movements after `before` are
 * pending, and so are refunds that the card processor has not decided.
 */
export async function findDifferences(reader: Reader, before: Date): Promise<ComparedAmounts[]> {
  const { rows } = await sql<ComparedAmounts>`
    with movements as (
      select case when type = 'charge' then 'payment'
                  when type in ('refund', 'refund_failure') then 'refund'
                  when type in ('dispute', 'dispute_reversal') then 'dispute'
                  when type in ('transfer', 'transfer_reversal') then type
                  else 'other' end as movement,
             case when type in ('charge', 'refund', 'refund_failure', 'dispute', 'dispute_reversal')
                  then coalesce(transaction_id, source_id, listed.id)
                  when type = 'transfer' then coalesce(source_id, listed.id)
                  when type = 'transfer_reversal'
                  then coalesce(listed.transfer_id, transfers.transfer_id, source_id, listed.id)
                  else listed.id end as reference,
             type, listed.amount_cents, currency, is_foreign, category, listed.created_at,
             explanation is null and (type = 'other' or is_foreign) as is_unexplained
        from balance_transactions as listed
        left join (transfer_reversals join transfers on transfers.id = transfer_reversals.transfer_id)
          on type = 'transfer_reversal' and listed.transfer_id is null and reversal_id = source_id
    ), at_processor as (
      select movement, reference, sum(amount_cents) as cents, max(created_at) as at
        from movements where movement <> 'other' and not is_foreign
       group by 1, 2
    ), unknown as (
      select distinct on (movement, reference) movement, reference,
             case when is_foreign then upper(currency) else coalesce(category, type) end as detail,
             case when is_foreign then 'other_currency' else 'unknown_movement' end as kind,
             sum(amount_cents) as cents
        from movements where is_unexplained and created_at < ${before}
       group by movement, reference, currency, is_foreign, coalesce(category, type)
       order by movement, reference, currency, detail
    ), unexplained as (
      select movement, reference, detail, kind, cents from unknown
      union all
      select movement, reference, detail, 'unknown_movement', cents from ${suspended} as suspended where cents <> 0
    ), posted as (
      select ledger_postings.kind, reference, amount_cents, posted_at
        from ledger_postings join ledger_entries on posting_id = ledger_postings.id and account = 'processor'
    ), in_ledger as (
      select movement, reference, sum(amount_cents) as cents, max(posted_at) as at
        from (
          select 'payment' as movement, reference, amount_cents, posted_at
            from posted where kind in ('sale', 'payment_without_sale')
          union all
          select 'refund', refunds.transaction_id, posted.amount_cents, posted_at
            from posted join refunds on refunds.id = left(reference, 36)::uuid
           where kind in ('refund_made', 'refund_returned')
          union all
          select 'dispute', disputes.transaction_id, posted.amount_cents, posted_at
            from posted join disputes on card_dispute_id = reference
           where kind in ('dispute_opened', 'dispute_won', 'dispute_reinstated')
          union all
          select 'transfer', reference, amount_cents, posted_at from posted where kind = 'transfer'
          union all
          -- The shop's own reversals are posted by their ids; an operator's by the transfer's id and what it has reversed then.
          select 'transfer_reversal',
                 coalesce(transfers.transfer_id, known.transfer_id, regexp_replace(reference, '-[0-9]+$', '')),
                 posted.amount_cents, posted_at
            from posted
            left join (transfer_reversals join transfers on transfers.id = transfer_reversals.transfer_id)
              on reversal_id = reference
            left join balance_transactions as known on known.type = 'transfer_reversal' and known.source_id = reference
           where kind = 'transfer_reversed'
        ) as movements
       group by 1, 2
    )
    select movement, reference, coalesce(in_ledger.cents, 0)::text as ledger_cents,
           coalesce(unexplained.cents, at_processor.cents, 0)::text as processor_cents,
           coalesce(unexplained.detail, '') as detail,
           case when unexplained.kind is not null then unexplained.kind
                when in_ledger.cents is null then 'missing_in_ledger'
                when at_processor.cents is null then 'missing_at_processor'
                else 'wrong_amount' end as kind
      from in_ledger
      full join at_processor using (movement, reference)
      full join unexplained using (movement, reference)
     where unexplained.reference is not null
        or (coalesce(in_ledger.cents, 0) <> coalesce(at_processor.cents, 0)
            and greatest(in_ledger.at, at_processor.at) < ${before}
            and not exists (select from refunds
                             where movement = 'refund' and transaction_id = reference and state = 'pending'))
     order by movement, reference limit ${sql.lit(MAXIMUM_DIFFERENCES)}`.execute(reader);
  return rows;
}

/** Records the differences that are found now, and resolves the others. @returns those that are new */
export async function recordDifferences(
  transaction: Transaction,
  found: readonly ComparedAmounts[],
  now: Date,
): Promise<DifferenceRow[]> {
  const values = JSON.stringify(found);
  await sql`
    update ledger_differences set resolved_at = ${now}
     where resolved_at is null and not exists (
       select from jsonb_to_recordset(${values}::jsonb) as found (movement text, reference text)
        where found.movement = ledger_differences.movement and found.reference = ledger_differences.reference)
  `.execute(transaction);
  const { rows } = await sql<DifferenceRow & { is_new: boolean }>`
    insert into ledger_differences as known (kind, movement, reference, ledger_cents, processor_cents, detail)
      select kind, movement, reference, ledger_cents, processor_cents, detail
        from jsonb_to_recordset(${values}::jsonb)
          as found (kind text, movement text, reference text, ledger_cents bigint, processor_cents bigint, detail text)
      on conflict (movement, reference) where resolved_at is null
        do update set kind = excluded.kind, ledger_cents = excluded.ledger_cents,
                      processor_cents = excluded.processor_cents, detail = excluded.detail
      returning known.*, xmax = 0 as is_new
  `.execute(transaction);
  return rows.filter(({ is_new }) => is_new);
}

/** Locks a difference that is not resolved. */
export function selectOpenDifferenceForUpdate(
  transaction: Transaction,
  id: string,
): Promise<DifferenceRow | undefined> {
  return transaction
    .selectFrom('ledger_differences')
    .selectAll()
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** What the suspense account has of a refund or a dispute, in cents; positive into the balance. */
export async function suspendedCents(reader: Reader, reference: string): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select cents::text from ${suspended} as suspended where reference = ${reference}`.execute(reader);
  return Number(rows[0]?.cents ?? 0);
}

/** Stores what an admin said about an unknown movement. @returns undefined when it is explained already */
export function storeExplanation(
  transaction: Transaction,
  id: string,
  explanation: StoredExplanation,
): Promise<Row<'balance_transactions'> | undefined> {
  return transaction
    .updateTable('balance_transactions')
    .set({ explanation })
    .where('id', '=', id)
    .where('explanation', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Closes a difference. */
export async function resolveDifference(transaction: Transaction, id: string, now: Date): Promise<void> {
  await transaction
    .updateTable('ledger_differences')
    .set({ resolved_at: now })
    .where('id', '=', id)
    .execute();
}

/** The open differences, newest first, and their number. */
export async function openDifferences(
  reader: Reader,
  limit: number,
): Promise<{ rows: DifferenceRow[]; total: number }> {
  const open = reader.selectFrom('ledger_differences').where('resolved_at', 'is', null);
  const rows = await open.selectAll().orderBy('number', 'desc').limit(limit).execute();
  const { total } = await open
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** Finds differences by their ids, oldest first. */
export function findByIds(reader: Reader, ids: readonly string[]): Promise<DifferenceRow[]> {
  return reader
    .selectFrom('ledger_differences')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('number')
    .execute();
}

/** Adds the entries of transactions that ended before `before` to the stored sums. */
export async function foldTotals(transaction: Transaction, before: Date): Promise<void> {
  await sql`
    with bounds as (
      select entry_number as from_number, time_zone,
             coalesce((select min(ledger_entries.number) - 1
                         from ledger_postings join ledger_entries on posting_id = ledger_postings.id
                        where posted_at >= ${before}),
                      (select max(number) from ledger_entries), 0) as to_number
        from ledger_totals_until for update
    ), added as (
      insert into ledger_totals as totals (month, account, kind, cents)
        select date_trunc('month', posted_at at time zone time_zone)::date, account, kind, sum(amount_cents)
          from bounds, ledger_entries join ledger_postings on ledger_postings.id = posting_id
         where ledger_entries.number > from_number and ledger_entries.number <= to_number
         group by 1, 2, 3
        on conflict (month, account, kind) do update set cents = totals.cents + excluded.cents
    )
    update ledger_totals_until set entry_number = to_number from bounds where to_number > from_number
  `.execute(transaction);
}

/** The sums of all entries. */
export async function readTotals(reader: Reader): Promise<LedgerTotal[]> {
  const { rows } = await sql<LedgerTotal>`
    select month, account, kind, sum(cents)::text as cents
      from (select to_char(month, 'YYYY-MM') as month, account, kind, cents from ledger_totals
            union all
            select to_char(posted_at at time zone (select time_zone from ledger_totals_until), 'YYYY-MM'), account, kind,
                   amount_cents
              from ledger_entries
             cross join lateral (select posted_at, kind from ledger_postings where id = posting_id offset 0) as postings
             where ledger_entries.number > (select entry_number from ledger_totals_until)) as sums
     group by month, account, kind`.execute(reader);
  return rows;
}

/** What the shop owes sellers, and what other sellers owe the shop. */
export async function readSellersBalances(reader: Reader): Promise<SellersBalances> {
  const { rows } = await sql<SellersBalances>`
    with debts as materialized (
      select balance_cents, ${debtOf(sql.ref('seller_balances.seller_id'))} as cents
        from seller_balances where free_after_completion_cents < 0)
    select (select coalesce(sum(balance_cents), 0) from seller_balances where balance_cents > 0)
           + coalesce(sum(cents - greatest(0, -balance_cents)), 0) as due_cents,
           coalesce(sum(cents), 0) as owed_cents
      from debts
  `.execute(reader);
  const [balances] = rows;
  if (balances === undefined) throw new Error('a query without a table returned no row');
  return balances;
}

/** The numbers of orders with an open complaint, and with an open dispute. */
export async function countOpenCases(
  reader: Reader,
): Promise<{ openComplaints: number; openDisputes: number }> {
  const rows = await reader
    .selectFrom('orders')
    .select(['state', ({ fn }) => fn.countAll<string>().as('orders')])
    // Literal, so that the index on these states is found.
    .where(
      'state',
      'in',
      [...openComplaintStates, 'charge_disputed' as const].map((state) => sql.lit(state)),
    )
    .groupBy('state')
    .execute();
  const count = (isCounted: (state: OrderState) => boolean) =>
    rows.reduce((total, { state, orders }) => total + (isCounted(state) ? Number(orders) : 0), 0);
  return {
    openComplaints: count((state) => openComplaintStates.some((open) => open === state)),
    openDisputes: count((state) => state === 'charge_disputed'),
  };
}
