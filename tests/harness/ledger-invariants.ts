import type { Pool } from 'pg';
import * as z from 'zod/mini';

const Order = z.object({
  id: z.string(),
  price_cents: z.number(),
  commission_cents: z.number(),
  refunded_cents: z.number(),
  is_released: z.boolean(),
  held: z.number(),
  payable: z.number(),
  commission: z.number(),
});
type Order = z.infer<typeof Order>;

const Account = z.object({ account: z.string(), entered: z.number(), expected: z.number() });

const unbalancedQuery = `
  select kind || ' ' || reference as posting
    from ledger_postings left join ledger_entries on posting_id = ledger_postings.id
   group by ledger_postings.id having coalesce(sum(amount_cents), 0) <> 0 or count(amount_cents) < 2`;

/** What was paid to the seller is not part of what the order earned. */
const ordersQuery = `
  select orders.id, price_cents, commission_cents, refunded_cents, released_at is not null as is_released,
         coalesce(sum(amount_cents) filter (where account = 'held'), 0)::int as held,
         coalesce(sum(amount_cents) filter (where account = 'payable'
                   and kind in ('release', 'refund_decided', 'dispute_lost')), 0)::int as payable,
         coalesce(sum(amount_cents) filter (where account = 'commission'), 0)::int as commission
    from orders
    left join ledger_entries on order_id = orders.id
    left join ledger_postings on ledger_postings.id = posting_id
   group by orders.id`;

const accountsQuery = `
  with entered as (select account, sum(amount_cents)::int as cents from ledger_entries group by account),
       expected (account, cents) as (values
         ('refunds_due', (select -coalesce(sum(amount_cents), 0)::int from refunds where state <> 'done')),
         ('disputed', (select coalesce(sum(amount_cents), 0)::int from disputes where state in ('chargeback', 'open'))))
  select account, coalesce(entered.cents, 0) as entered, expected.cents as expected
    from expected left join entered using (account)`;

/**
 * Describes each contradiction between the ledger of an idle shop and its orders, refunds and disputes:
 * 1. Every posting balances.
 * 2. Of each order, what is not refunded is held, or after the release due to the seller and the shop.
 * 3. What is owed to buyers is the sum of the refunds that are not done.
 * 4. What banks withdrew until they decide is the sum of the open disputes.
 */
export async function findLedgerViolations(pool: Pool): Promise<string[]> {
  const unbalanced = await pool.query<{ posting: string }>(unbalancedQuery);
  const orders = z.parse(z.array(Order), (await pool.query(ordersQuery)).rows);
  const accounts = z.parse(z.array(Account), (await pool.query(accountsQuery)).rows);
  return [
    ...unbalanced.rows.map(({ posting }) => `The posting ${posting} does not balance.`),
    ...orders.flatMap(orderViolations),
    ...accounts
      .filter(({ entered, expected }) => entered !== expected)
      .map(({ account, entered, expected }) => `${account} has ${entered} cents instead of ${expected}.`),
  ];
}

function orderViolations({ id, ...order }: Order): string[] {
  const left = order.price_cents - order.refunded_cents;
  const commission = Math.floor((order.commission_cents * left) / order.price_cents);
  const expected = order.is_released
    ? { held: 0, payable: commission - left, commission: -commission }
    : { held: -left, payable: 0, commission: 0 };
  const found: string[] = [];
  for (const account of ['held', 'payable', 'commission'] as const) {
    // Without the sign of zero.
    if (order[account] + 0 !== expected[account] + 0) {
      found.push(`The order ${id} has ${order[account]} cents ${account} instead of ${expected[account]}.`);
    }
  }
  return found;
}

/** What each of these payments left at the card processor according to the ledger, in cents, by transaction id. */
export async function ledgerBalances(
  pool: Pool,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; cents: number }>(
    `with movements as (
       select transaction_id, transaction_id as reference from unnest($1::text[]) as transaction_id
       union all
       select transaction_id, id || '-' || made.attempt
         from refunds cross join lateral generate_series(1, refunds.attempt) as made (attempt)
        where transaction_id = any($1)
       union all
       select transaction_id, card_dispute_id from disputes where transaction_id = any($1))
     select transaction_id as id, sum(amount_cents)::int as cents
       from movements
       join ledger_postings using (reference)
       join ledger_entries on posting_id = ledger_postings.id
      where account = 'processor'
      group by transaction_id`,
    [transactionIds],
  );
  return new Map(rows.map(({ id, cents }) => [id, cents]));
}
