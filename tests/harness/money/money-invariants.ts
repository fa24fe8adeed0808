import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { findLedgerViolations, ledgerBalances } from './ledger-invariants.ts';
import { findPayoutViolations } from './payout-invariants.ts';
import type { ProcessorLedger } from './processor-ledger.ts';

const Booking = z.object({
  id: z.string(),
  laptop_id: z.string(),
  price_cents: z.number(),
  paid: z.boolean(),
  transaction_id: z.nullable(z.string()),
  laptop_state: z.string(),
  /** Whether its order is the one in which its laptop is sold. */
  sold_in_order: z.boolean(),
  /** The state of its order; null without one. */
  order_state: z.nullable(z.string()),
  order_price_cents: z.nullable(z.number()),
  /** What went back to the buyer of its order, also by a bank. */
  order_refunded_cents: z.nullable(z.number()),
  /** What the buyer got back at the shop's own cost. */
  order_goodwill_cents: z.nullable(z.number()),
  laptop_with_buyer: z.boolean(),
  /** Whether its order stands; false without one. */
  stands: z.boolean(),
  /** Whether its buyer can book the laptop anew. */
  ended: z.boolean(),
  buyer_ended: z.boolean(),
  cancelled: z.boolean(),
});
type Booking = z.infer<typeof Booking>;

const Money = z.object({
  kind: z.enum(['payment', 'refund']),
  booking_id: z.string(),
  transaction_id: z.string(),
  amount_cents: z.number(),
  state: z.enum(['paid', 'waiting', 'pending', 'done', 'failed', 'paid_by_bank', 'paid_by_hand']),
  /** Why it goes back; empty for a payment. */
  reason: z.string(),
  /** Number of audit entries about its failure. */
  failures: z.number(),
});
type Money = z.infer<typeof Money>;

const Dispute = z.object({ card_dispute_id: z.string(), state: z.string(), acts: z.array(z.string()) });

const Attempt = z.object({
  booking_id: z.string(),
  transaction_id: z.nullable(z.string()),
  state: z.string(),
});

const bookingsQuery = `
  select b.id, b.laptop_id, b.price_cents, o.id is not null as paid, o.transaction_id,
         l.state as laptop_state, coalesce(l.sold_order_id = o.id, false) as sold_in_order,
         o.state as order_state, o.price_cents as order_price_cents, o.refunded_cents as order_refunded_cents,
         o.goodwill_cents as order_goodwill_cents,
         coalesce(o.laptop_with_buyer, false) as laptop_with_buyer, coalesce(o.stands, false) as stands,
         b.ended_at is not null as ended,
         u.ended_at is not null as buyer_ended, b.cancelled_at is not null as cancelled
  from bookings b join laptops l on l.id = b.laptop_id join users u on u.id = b.buyer_id
       left join orders o on o.booking_id = b.id
  where $1::uuid[] is null or b.laptop_id = any($1)`;

const moneyQuery = `
  select 'payment' as kind, booking_id, transaction_id, price_cents as amount_cents, 'paid' as state, '' as reason, 0 as failures from orders
  where booking_id = any($1)
  union all
  select 'refund', booking_id, transaction_id, amount_cents, state, reason,
         (select count(*)::int from audit_entries
          where act = 'Refund failed' and right(subject, length(transaction_id)) = transaction_id)
  from refunds where booking_id = any($1)`;

const disputesQuery = `
  select card_dispute_id, state,
         array(select act from audit_entries
               where (act like 'Dispute %' or act = 'Inquiry closed')
                 and right(subject, length(transaction_id)) = transaction_id
               order by number) as acts
  from disputes where booking_id = any($1)`;

const attemptsQuery =
  'select booking_id, transaction_id, state from payment_intents where booking_id = any($1)';

const soldQuery = `
  select id from laptops
  where state = 'sold' and ($1::uuid[] is null or id = any($1))`;

/**
 * Compares an idle shop with the card processor's ledger and describes each violation of these invariants:
 * 1. A laptop is sold once, and again only after its money and the laptop went back. One whose order is over and whose buyer does
 *    not have it is its seller's, and every buyer can book it then, also that one.
 * 2. A captured amount is the price of the sold laptop less what its order gave back, or is refunded, or its refund waits or is
 *    recorded as failed. The refunds of an order are what it gave back.
 * 3. A transaction is recorded once.
 * 4. Every booking can be paid, is paid, or is closed. Each paid one has an order.
 * 5. The shop's disputes have the card processor's states.
 * 6. The ledger balances, and what was taken is held, was released, or was returned ({@link findLedgerViolations}). It agrees
 *    with what each payment left at the card processor.
 * 7. The transfers to sellers are those of the card processor ({@link findPayoutViolations}).
 *
 * No call, job or event may be in progress.
 * @param laptops checks only these laptops, with a ledger read since they were listed; null for the whole shop
 */
export async function findMoneyViolations(
  pool: Pool,
  ledger: ProcessorLedger,
  laptops: string[] | null,
): Promise<string[]> {
  const rows = async <Row>(schema: z.ZodMiniType<Row>, text: string, values: unknown[]): Promise<Row[]> =>
    z.parse(z.array(schema), (await pool.query(text, values)).rows);
  const bookings = await rows(Booking, bookingsQuery, [laptops]);
  const ids = bookings.map(({ id }) => id);
  const money = await rows(Money, moneyQuery, [ids]);
  const attempts = await rows(Attempt, attemptsQuery, [ids]);
  const disputes = await rows(Dispute, disputesQuery, [ids]);
  const sold = await rows(z.object({ id: z.string() }), soldQuery, [laptops]);
  const byId = new Map(bookings.map((booking) => [booking.id, booking]));
  const found: string[] = [];

  const orders = bookings.filter(({ order_state }) => order_state !== null);
  for (const [laptop, sales] of Map.groupBy(orders, ({ laptop_id }) => laptop_id)) {
    const standing = sales.filter(({ stands }) => stands);
    if (standing.length > 1) found.push(`Laptop ${laptop} was paid for by ${standing.length} buyers.`);
    if (!standing.every((sale) => sale.laptop_state === 'sold' && sale.sold_in_order)) {
      found.push(`Laptop ${laptop} is paid but not sold to its payer.`);
    }
  }
  for (const { id, order_state, laptop_with_buyer, stands, ended } of orders) {
    const isOver = order_state !== null && ['completed', 'refunded', 'charged_back'].includes(order_state);
    if (isOver && !laptop_with_buyer && stands) {
      found.push(`The order of ${id} is over, and the laptop is neither with its buyer nor its seller’s.`);
    }
    if (ended === stands)
      found.push(
        `The booking ${id} contradicts its order: its buyer ${ended ? 'has it and can book it' : 'can never book it'} again.`,
      );
  }
  const owners = new Set(
    orders.filter(({ sold_in_order }) => sold_in_order).map(({ laptop_id }) => laptop_id),
  );
  for (const { id } of sold) if (!owners.has(id)) found.push(`Laptop ${id} is sold but not paid.`);

  const entriesByTransaction = Map.groupBy(money, ({ transaction_id }) => transaction_id);
  const balances = await ledgerBalances(pool, [...entriesByTransaction.keys()]);
  const succeeded = new Set<string>();
  for (const intent of ledger.intents) {
    const booking = intent.bookingId === null ? undefined : byId.get(intent.bookingId);
    if (booking === undefined) continue;
    const entries = entriesByTransaction.get(intent.id) ?? [];
    if (intent.status === 'succeeded') {
      succeeded.add(intent.id);
      found.push(
        ...chargeViolations(intent, booking, entries),
        ...balanceViolations(intent, balances.get(intent.id) ?? 0),
        ...disputeViolations(intent, disputes),
      );
    } else if (entries.length > 0) {
      found.push(`${intent.id} was never paid but is recorded by the shop.`);
    } else if (intent.status !== 'canceled' && !isPayable(booking)) {
      found.push(`${intent.id} can still be paid although its booking cannot.`);
    }
  }
  for (const [transaction, entries] of entriesByTransaction) {
    if (!succeeded.has(transaction)) found.push(`${transaction} is unknown to the card processor.`);
    if (entries.some(({ state }) => state === 'pending'))
      found.push(`The refund of ${transaction} was never made.`);
  }
  for (const booking of bookings) {
    const payment = money.find(({ kind, booking_id }) => kind === 'payment' && booking_id === booking.id);
    if (
      booking.paid !== (payment !== undefined) ||
      booking.transaction_id !== (payment?.transaction_id ?? null)
    ) {
      found.push(`Booking ${booking.id} contradicts its payment.`);
    }
    if (booking.paid !== (booking.order_state !== null)) {
      found.push(`Booking ${booking.id} contradicts its order.`);
    }
  }
  for (const { booking_id, transaction_id, state } of attempts) {
    const booking = byId.get(booking_id);
    if (state === 'open' && booking !== undefined && !isPayable(booking)) {
      found.push(`The attempt ${transaction_id ?? 'without an id'} for ${booking_id} was left open.`);
    }
    if (state === 'open' && transaction_id !== null && succeeded.has(transaction_id)) {
      found.push(`The charge ${transaction_id} was never settled.`);
    }
  }
  return [
    ...found,
    ...(await findLedgerViolations(pool)),
    ...(await findPayoutViolations(pool, ledger, laptops)),
  ];
}

function isPayable(booking: Booking): boolean {
  return !booking.paid && !booking.cancelled && booking.laptop_state === 'available' && !booking.buyer_ended;
}

function chargeViolations(
  intent: ProcessorLedger['intents'][number],
  booking: Booking,
  entries: readonly Money[],
): string[] {
  const payment = entries.find(({ kind }) => kind === 'payment');
  const refunds = entries.filter(({ kind }) => kind === 'refund');
  if (payment === undefined && refunds.length === 0)
    return [`${intent.receivedCents} cents of ${intent.id} were captured and not recorded.`];
  const found: string[] = [];
  if (payment !== undefined) found.push(...orderViolations(booking, refunds));
  const keptCents = intent.receivedCents - intent.refundedCents;
  const refundedCents = sumOf(refunds.filter(({ state }) => state === 'pending' || state === 'done'));
  const expected = (payment === undefined ? intent.receivedCents : booking.price_cents) - refundedCents;
  if (keptCents !== expected)
    found.push(`${keptCents} cents of ${intent.id} are kept instead of ${expected}.`);
  if (refunds.some(({ state, failures }) => state === 'failed' && failures === 0)) {
    found.push(`The failed refund of ${intent.id} is not in the audit trail.`);
  }
  const recordedCents = payment?.amount_cents ?? sumOf(refunds.filter(isExplained));
  if (recordedCents !== intent.receivedCents) {
    found.push(`${intent.id} is recorded with ${recordedCents} cents instead of ${intent.receivedCents}.`);
  }
  return found;
}

const sumOf = (entries: readonly Money[]) =>
  entries.reduce((total, { amount_cents }) => total + amount_cents, 0);

const isExplained = ({ reason }: Money) => reason !== 'unexplained';

/** Compares an order with its booking and its refunds. Only a bank takes money back without a refund. */
function orderViolations(booking: Booking, refunds: readonly Money[]): string[] {
  const { order_state, order_price_cents, order_refunded_cents, order_goodwill_cents } = booking;
  const found: string[] = [];
  if (order_price_cents !== booking.price_cents) {
    found.push(`The order of ${booking.id} has another price than the booking.`);
  }
  const refundedCents = sumOf(refunds.filter(isExplained));
  const gaveCents = (order_refunded_cents ?? 0) + (order_goodwill_cents ?? 0);
  const byBank = gaveCents - refundedCents;
  if (byBank < 0 || (byBank > 0 && order_state !== 'charged_back')) {
    found.push(`The order of ${booking.id} gave ${gaveCents} cents back, its refunds ${refundedCents}.`);
  }
  return found;
}

/** Compares what a payment left at the card processor with the ledger. */
function balanceViolations(
  { id, receivedCents, refundedCents, dispute }: ProcessorLedger['intents'][number],
  balance: number,
): string[] {
  const isWithdrawn = dispute !== null && ['needs_response', 'under_review', 'lost'].includes(dispute.status);
  const expected = receivedCents - refundedCents - (isWithdrawn ? dispute.amountCents : 0);
  if (balance === expected) return [];
  return [`${id} left ${expected} cents at the card processor, ${balance} in the ledger.`];
}

/** The shop's dispute state, and the last audit entry if there is one, for each status at the card processor. */
const disputeStatuses: Readonly<Record<string, { state: string; act: string | null }>> = {
  warning_needs_response: { state: 'inquiry', act: 'Dispute opened' },
  warning_under_review: { state: 'inquiry', act: 'Dispute opened' },
  warning_closed: { state: 'inquiry_closed', act: 'Inquiry closed' },
  needs_response: { state: 'disputed', act: null },
  under_review: { state: 'disputed', act: null },
  won: { state: 'won', act: 'Dispute won' },
  lost: { state: 'lost', act: 'Dispute lost' },
};

function disputeViolations(
  { id, dispute }: ProcessorLedger['intents'][number],
  known: readonly z.infer<typeof Dispute>[],
): string[] {
  if (dispute === null) return [];
  const row = known.find(({ card_dispute_id }) => card_dispute_id === dispute.id);
  if (row === undefined) return [`The dispute of ${id} is not recorded.`];
  const { state, act } = disputeStatuses[dispute.status] ?? { state: dispute.status, act: '' };
  const found: string[] = [];
  if (row.state !== state) found.push(`The dispute of ${id} is ${state}, recorded as ${row.state}.`);
  const isComplete =
    row.acts[0] === 'Dispute opened' &&
    (act === null || row.acts.at(-1) === act) &&
    new Set(row.acts).size === row.acts.length;
  if (!isComplete) {
    found.push(`The dispute of ${id} is ${state}, and the audit trail says: ${row.acts.join(', ')}.`);
  }
  return found;
}
