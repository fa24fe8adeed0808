import { sql } from 'kysely';
import { statesBefore } from '#server/money/refunds/rules.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { CardEvent } from './card-processor.ts';
import { intentStates } from './states.ts';

export type IntentRow = Row<'payment_intents'>;

/**
 * Finds or inserts the booking's open attempt. Its laptop must be locked.
 * @param checkAt the latest time of its next check: an old attempt is checked soon again when its buyer returns
 */
export async function openIntent(
  transaction: Transaction,
  { bookingId, amountCents }: { bookingId: string; amountCents: number },
  checkAt: Date,
): Promise<IntentRow> {
  const open = await transaction
    .updateTable('payment_intents')
    .set(({ fn, val }) => ({ next_check_at: fn<Date>('least', ['next_check_at', val(checkAt)]) }))
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();
  if (open !== undefined) return open;
  return transaction
    .insertInto('payment_intents')
    .values({
      booking_id: bookingId,
      amount_cents: amountCents,
      transaction_id: null,
      next_check_at: checkAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The database's time: one clock for what several processes compare. */
export async function readDatabaseTime(transaction: Transaction): Promise<Date> {
  const { now } = await transaction
    .selectNoFrom(sql<Date>`clock_timestamp()`.as('now'))
    .executeTakeFirstOrThrow();
  return now;
}

/** Stores the card processor's id of an attempt's intent unless one is stored already. */
export async function setProviderId(database: Database, id: string, transactionId: string): Promise<void> {
  await database
    .updateTable('payment_intents')
    .set({ transaction_id: transactionId })
    .where('id', '=', id)
    .where('transaction_id', 'is', null)
    .execute();
}

/** Closes an attempt without an intent. */
export async function abandonAttempt(database: Database, id: string): Promise<void> {
  await database
    .updateTable('payment_intents')
    .set({ state: 'closed' })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('transaction_id', 'is', null)
    .execute();
}

/** Ends an attempt. A state that cannot follow the present one changes nothing. */
export async function endIntent(
  connection: Database | Transaction,
  transactionId: string,
  state: 'sold' | 'refunded' | 'closed',
): Promise<void> {
  await connection
    .updateTable('payment_intents')
    .set({ state })
    .where('transaction_id', '=', transactionId)
    .where('state', 'in', statesBefore(intentStates, state))
    .execute();
}

/** Whether a booking has an open attempt. */
export async function hasOpenIntent(reader: Reader, bookingId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('payment_intents')
    .select('id')
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}

/** The amount of the attempt with an intent, in cents; null without one. */
export async function attemptCents(reader: Reader, transactionId: string): Promise<number | null> {
  const row = await reader
    .selectFrom('payment_intents')
    .select('amount_cents')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst();
  return row?.amount_cents ?? null;
}

/** Names a booking, or the bookings of a laptop or of a buyer, by the column that holds the id. */
export interface BookingsOf {
  column: 'id' | 'laptop_id' | 'buyer_id';
  id: string;
}

/** An open attempt that has an intent. */
export interface OpenIntent {
  transactionId: string;
  bookingId: string;
}

/** The open attempts for these bookings that have an intent. Without one, nobody can pay. */
export function openIntents(reader: Reader, { column, id }: BookingsOf): Promise<OpenIntent[]> {
  return reader
    .selectFrom('payment_intents')
    .innerJoin('bookings', 'bookings.id', 'payment_intents.booking_id')
    .select(['payment_intents.transaction_id as transactionId', 'payment_intents.booking_id as bookingId'])
    .where(`bookings.${column}`, '=', id)
    .where('payment_intents.state', '=', 'open')
    .where('payment_intents.transaction_id', 'is not', null)
    .$narrowType<{ transactionId: string }>()
    .execute();
}

/** Stores an event of the card processor. @returns false when it was received before */
export async function receiveEvent(
  transaction: Transaction,
  { id, type, about }: CardEvent,
): Promise<boolean> {
  const result = await transaction
    .insertInto('webhook_events')
    .values({
      id,
      type,
      transaction_id: about !== null && 'transactionId' in about ? about.transactionId : null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The secrets that sign the events of the destinations that the shop created. */
export async function listEventSecrets(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('event_destinations').select('secret').execute();
  return rows.map(({ secret }) => secret);
}

/** Removes events received before a time. */
export async function removeEvents(database: Database, before: Date): Promise<void> {
  await database.deleteFrom('webhook_events').where('received_at', '<', before).execute();
}

/**
 * Copies a user's name and address to the bookkeeping of each payment and refund in which the user was a party, before the
 * account is anonymized.
 * @returns how many payments and refunds these are
 */
export async function copyToBookkeeping(
  transaction: Transaction,
  person: { id: string; name: string; email: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with moved as (
      select transaction_id, 'buyer' as party from orders where buyer_id = ${person.id}
      union all
      select transaction_id, 'seller' from orders where seller_id = ${person.id}
      union all
      select refunds.transaction_id, 'buyer'
        from bookings join refunds on refunds.booking_id = bookings.id
       where bookings.buyer_id = ${person.id}
    ), kept as (
      insert into bookkeeping (transaction_id, party, name, email)
      select transaction_id, party, ${person.name}, ${person.email} from moved
          on conflict (transaction_id, party) do nothing
    )
    select count(*)::int as count from moved`.execute(transaction);
  return rows[0]?.count ?? 0;
}
