import type { Pool } from 'pg';
import * as z from 'zod/mini';
import type { Books } from './processor-ledger.ts';

const Booking = z.object({
  id: z.string(),
  laptop_id: z.string(),
  price_cents: z.number(),
  paid: z.boolean(),
  transaction_id: z.nullable(z.string()),
  laptop_state: z.string(),
  sold_to_buyer: z.boolean(),
  buyer_ended: z.boolean(),
});
type Booking = z.infer<typeof Booking>;

const Money = z.object({
  kind: z.enum(['payment', 'refund']),
  booking_id: z.string(),
  transaction_id: z.string(),
  amount_cents: z.number(),
  state: z.enum(['paid', 'pending', 'done', 'failed']),
  /** Lines of the audit trail that say that it failed. */
  failures: z.number(),
});
type Money = z.infer<typeof Money>;

const Dispute = z.object({ card_dispute_id: z.string(), state: z.string(), acts: z.array(z.string()) });

const Attempt = z.object({
  booking_id: z.string(),
  transaction_id: z.nullable(z.string()),
  state: z.string(),
});

const bookingsOf = `
  select b.id, b.laptop_id, b.price_cents, b.paid_at is not null as paid, b.transaction_id,
         l.state as laptop_state, coalesce(l.sold_to_id = b.buyer_id, false) as sold_to_buyer,
         u.ended_at is not null as buyer_ended
  from bookings b join laptops l on l.id = b.laptop_id join users u on u.id = b.buyer_id
  where $1::uuid[] is null or b.laptop_id = any($1)`;

const moneyOf = `
  select 'payment' as kind, booking_id, transaction_id, amount_cents, 'paid' as state, 0 as failures from payments
  where booking_id = any($1)
  union all
  select 'refund', booking_id, transaction_id, amount_cents, state,
         (select count(*)::int from audit_entries
          where act = 'Refund failed' and right(subject, length(transaction_id)) = transaction_id)
  from refunds where booking_id = any($1)`;

const disputesOf = `
  select card_dispute_id, state,
         array(select act from audit_entries
               where (act like 'Dispute %' or act = 'Inquiry closed')
                 and right(subject, length(transaction_id)) = transaction_id
               order by number) as acts
  from disputes where booking_id = any($1)`;

const attemptsOf = 'select booking_id, transaction_id, state from payment_intents where booking_id = any($1)';

const soldOf = `
  select id from laptops
  where state = 'sold' and ($1::uuid[] is null or id = any($1))`;

/**
 * Holds a settled shop against its card processor's books, and answers each breach of the four statements in a
 * sentence: sold once; money taken is the price of the sold laptop, given back, or known to be still the buyer's
 * because giving it back has failed; each transaction counts once; no booking is left in a state without a way out.
 * What buyers dispute stands in the books as it does at the card processor. Nothing may be under way: no call, no
 * job, no event.
 * @param laptops only these, with `books` read since they were listed; null for the whole shop
 */
export async function breaches(pool: Pool, books: Books, laptops: string[] | null): Promise<string[]> {
  const rows = async <Row>(schema: z.ZodMiniType<Row>, text: string, values: unknown[]): Promise<Row[]> =>
    z.parse(z.array(schema), (await pool.query(text, values)).rows);
  const bookings = await rows(Booking, bookingsOf, [laptops]);
  const ids = bookings.map(({ id }) => id);
  const money = await rows(Money, moneyOf, [ids]);
  const attempts = await rows(Attempt, attemptsOf, [ids]);
  const disputes = await rows(Dispute, disputesOf, [ids]);
  const sold = await rows(z.object({ id: z.string() }), soldOf, [laptops]);
  const byId = new Map(bookings.map((booking) => [booking.id, booking]));
  const found: string[] = [];

  const paid = Map.groupBy(
    bookings.filter((booking) => booking.paid),
    ({ laptop_id }) => laptop_id,
  );
  for (const [laptop, buyers] of paid) {
    if (buyers.length > 1) found.push(`Laptop ${laptop} was paid for by ${buyers.length} buyers.`);
    if (!buyers.every((booking) => booking.laptop_state === 'sold' && booking.sold_to_buyer)) {
      found.push(`Laptop ${laptop} is paid for but not sold to its payer.`);
    }
  }
  for (const { id } of sold) if (!paid.has(id)) found.push(`Laptop ${id} is sold and nobody paid for it.`);

  const counted = Map.groupBy(money, ({ transaction_id }) => transaction_id);
  const succeeded = new Set<string>();
  for (const intent of books.intents) {
    const booking = intent.bookingId === null ? undefined : byId.get(intent.bookingId);
    if (booking === undefined) continue;
    const entries = counted.get(intent.id) ?? [];
    if (intent.status === 'succeeded') {
      succeeded.add(intent.id);
      found.push(...breachesOfTaken(intent, booking, entries), ...breachesOfDispute(intent, disputes));
    } else if (entries.length > 0) {
      found.push(`${intent.id} was never paid and stands in the shop's books.`);
    } else if (intent.status !== 'canceled' && !isPayable(booking)) {
      found.push(`${intent.id} can still be paid although its booking cannot.`);
    }
  }
  for (const [transaction, entries] of counted) {
    if (!succeeded.has(transaction)) found.push(`The card processor knows nothing of ${transaction}.`);
    if (entries.some(({ state }) => state === 'pending'))
      found.push(`The refund of ${transaction} was never made.`);
  }
  for (const booking of bookings) {
    const payment = money.find(({ kind, booking_id }) => kind === 'payment' && booking_id === booking.id);
    if (
      booking.paid !== (payment !== undefined) ||
      booking.transaction_id !== (payment?.transaction_id ?? null)
    ) {
      found.push(`Booking ${booking.id} and its payment do not agree.`);
    }
  }
  for (const { booking_id, transaction_id, state } of attempts) {
    const booking = byId.get(booking_id);
    if (state === 'open' && booking !== undefined && !isPayable(booking)) {
      found.push(`The attempt ${transaction_id ?? 'without a name'} at ${booking_id} was left open.`);
    }
    if (state === 'open' && transaction_id !== null && succeeded.has(transaction_id)) {
      found.push(`The money of ${transaction_id} was taken and never settled.`);
    }
  }
  return found;
}

function isPayable(booking: Booking): boolean {
  return !booking.paid && booking.laptop_state === 'available' && !booking.buyer_ended;
}

function breachesOfTaken(
  intent: Books['intents'][number],
  booking: Booking,
  entries: readonly Money[],
): string[] {
  const [entry] = entries;
  if (entry === undefined) return [`${intent.receivedCents} cents of ${intent.id} were taken for nothing.`];
  const found: string[] = [];
  if (entries.length > 1) found.push(`${intent.id} was counted ${entries.length} times.`);
  const kept = intent.receivedCents - intent.refundedCents;
  const due = { paid: booking.price_cents, pending: 0, done: 0, failed: intent.receivedCents }[entry.state];
  if (kept !== due) found.push(`${kept} cents of ${intent.id} were kept where ${due} are due.`);
  if (entry.state === 'failed' && entry.failures === 0) {
    found.push(`That the refund of ${intent.id} failed stands nowhere in the audit trail.`);
  }
  if (entry.amount_cents !== intent.receivedCents) {
    found.push(
      `${intent.id} stands in the books with ${entry.amount_cents} cents instead of ${intent.receivedCents}.`,
    );
  }
  return found;
}

/** The shop's state for each of the card processor's, and the last act in the audit trail where there is one. */
const disputeStatuses: Readonly<Record<string, { state: string; act: string | null }>> = {
  warning_needs_response: { state: 'inquiry', act: 'Dispute opened' },
  warning_under_review: { state: 'inquiry', act: 'Dispute opened' },
  warning_closed: { state: 'inquiry_closed', act: 'Inquiry closed' },
  needs_response: { state: 'chargeback', act: null },
  under_review: { state: 'chargeback', act: null },
  won: { state: 'won', act: 'Dispute won' },
  lost: { state: 'lost', act: 'Dispute lost' },
};

function breachesOfDispute(
  { id, dispute }: Books['intents'][number],
  known: readonly z.infer<typeof Dispute>[],
): string[] {
  if (dispute === null) return [];
  const row = known.find(({ card_dispute_id }) => card_dispute_id === dispute.id);
  if (row === undefined) return [`The shop does not know that ${id} is disputed.`];
  const { state, act } = disputeStatuses[dispute.status] ?? { state: dispute.status, act: '' };
  const found: string[] = [];
  if (row.state !== state) found.push(`The dispute of ${id} is ${state}, in the shop's books ${row.state}.`);
  const isWhole =
    row.acts[0] === 'Dispute opened' &&
    (act === null || row.acts.at(-1) === act) &&
    new Set(row.acts).size === row.acts.length;
  if (!isWhole) {
    found.push(`The dispute of ${id} is ${state}, and the audit trail says: ${row.acts.join(', ')}.`);
  }
  return found;
}
