import type { Pool } from 'pg';
import * as z from 'zod/mini';

const Order = z.object({
  id: z.string(),
  price_cents: z.number(),
  commission_cents: z.number(),
  smallest_amount: z.number(),
  refunded_cents: z.number(),
  goodwill_cents: z.number(),
  is_released: z.boolean(),
  held: z.number(),
  payable: z.number(),
  commission: z.number(),
  goodwill: z.number(),
});
type Order = z.infer<typeof Order>;

const Posting = z.object({ posting: z.string() });

const Account = z.object({ account: z.string(), entered: z.number(), expected: z.number() });

const unbalancedQuery = `
  select kind || ' ' || reference as posting
    from ledger_postings left join ledger_entries on posting_id = ledger_postings.id
   group by ledger_postings.id having coalesce(sum(amount_cents), 0) <> 0 or count(amount_cents) < 2`;

/** What was paid to the seller is not part of what the order earned. */
const ordersQuery = `
  select orders.id, price_cents, commission_cents, (select smallest_amount from shop_currency), refunded_cents, goodwill_cents, released_at is not null as is_released,
         coalesce(sum(amount_cents) filter (where account = 'held'), 0)::int as held,
         coalesce(sum(amount_cents) filter (where account = 'payable'
                   and kind in ('release', 'refund_decided', 'dispute_lost')), 0)::int as payable,
         coalesce(sum(amount_cents) filter (where account = 'commission'), 0)::int as commission,
         coalesce(sum(amount_cents) filter (where account = 'goodwill'), 0)::int as goodwill
    from orders
    left join ledger_entries on order_id = orders.id
    left join ledger_postings on ledger_postings.id = posting_id
   group by orders.id`;

const accountsQuery = `
  with entered as (select account, sum(amount_cents)::int as cents from ledger_entries group by account),
       expected (account, cents) as (values
         ('refunds_due', (select -coalesce(sum(amount_cents), 0)::int from refunds
                            where state in ('waiting', 'pending', 'failed') and not (reason = 'unexplained' and state = 'failed'))),
         ('disputed', (select coalesce(sum(amount_cents), 0)::int from disputes where state in ('disputed', 'open'))))
  select account, coalesce(entered.cents, 0) as entered, expected.cents as expected
    from expected left join entered using (account)`;

/** What carriers are owed, by the labels: bought ones less what was given back, paid by insurances and paid to carriers. */
const carriersQuery = `
  with costs as (select coalesce(sum(cost_cents + premium_cents) filter (where labels.state <> 'voided'), 0)::int as owed,
                        coalesce(sum(claim_paid_cents), 0)::int as paid,
                        coalesce(sum(charged_cents) filter (where labels.state <> 'voided'
                          and not (labels.state in ('used', 'kept') and (orders.released_at is not null
                                   or orders.state in ('completed', 'refunded', 'charged_back')))), 0)::int as advanced,
                        coalesce(sum(cost_cents + premium_cents - charged_cents) filter (where labels.state <> 'voided'), 0)::int as borne
                   from labels join orders on orders.id = order_id where bought_at is not null)
  select account, coalesce((select sum(amount_cents)::int from ledger_entries where ledger_entries.account = expected.account
                              and not exists (select from ledger_postings where ledger_postings.id = posting_id
                                                 and kind = 'carrier_paid')), 0) as entered, cents as expected
    from costs cross join lateral (values
      ('carrier_payable', paid - owed), ('label_advances', advanced), ('shipping', borne)) as expected (account, cents)`;

const Seller = z.object({ id: z.string(), earned: z.number(), received: z.number(), entered: z.number() });

/** What each seller earned by released orders, and what was paid or is owed for it, from the tables and from the ledger. */
const sellersQuery = `
  select users.id,
         (select coalesce(sum(price_cents - refunded_cents
                              - commission_cents::bigint * (price_cents - refunded_cents) / price_cents
                                / smallest_amount * smallest_amount), 0)
            from orders, shop_currency where seller_id = users.id and released_at is not null)::int
         - (select coalesce(sum(amount_cents), 0) from ledger_entries
              join ledger_postings on ledger_postings.id = posting_id
             where seller_id = users.id and kind in ('label_charged', 'insurance_paid', 'insurance_returned'))::int as earned,
         (coalesce((select balance_cents from seller_balances where seller_id = users.id), 0)
          + (select coalesce(sum(amount_cents - reversed_cents), 0) from transfers
              where seller_id = users.id and state = 'made')
          + (select coalesce(sum(case kind when 'paid' then amount_cents else -amount_cents end), 0)
               from settlements where seller_id = users.id))::int as received,
         (select coalesce(-sum(amount_cents), 0) from ledger_entries
            join ledger_postings on ledger_postings.id = posting_id
           where seller_id = users.id
             and kind not in ('transfer', 'transfer_reversed', 'settled_by_hand', 'repaid_by_hand',
                              'written_off'))::int as entered
    from users
   where id in (select seller_id from orders union select seller_id from seller_balances)`;

const Total = z.object({ taken: z.number(), held: z.number(), released: z.number(), returned: z.number() });

/** Everything that was taken, and where it is. What the shop lost to banks was taken from no order. */
const totalQuery = `
  select ((select coalesce(sum(price_cents), 0) from orders)
          + (select coalesce(sum(amount_cents), 0) from refunds
              where reason <> 'unexplained' and transaction_id not in (select transaction_id from orders)))::int as taken,
         (select coalesce(sum(price_cents - refunded_cents), 0) from orders where released_at is null)::int as held,
         ((select coalesce(sum(balance_cents), 0) from seller_balances)
          + (select coalesce(sum(amount_cents - reversed_cents), 0) from transfers where state = 'made')
          + (select coalesce(sum(case kind when 'paid' then amount_cents else -amount_cents end), 0) from settlements)
          + (select coalesce(-sum(amount_cents), 0) from ledger_entries where account = 'commission')
          + (select coalesce(sum(amount_cents), 0) from ledger_entries
               join ledger_postings on ledger_postings.id = posting_id
              where account = 'payable' and kind in ('label_charged', 'insurance_paid', 'insurance_returned')))::int as released,
          ((select coalesce(sum(amount_cents), 0) from refunds
             where reason <> 'unexplained' and state <> 'paid_by_bank')
           - (select coalesce(sum(goodwill_cents), 0) from orders)
           + (select coalesce(sum(amount_cents), 0) from disputes
               where state = 'lost'
                  or exists (select from ledger_postings
                              where kind = 'dispute_reinstated' and reference = card_dispute_id))
           -- The refunds of such a dispute are owed again, and counted as such.
           + (select coalesce(sum(amount_cents), 0) from ledger_entries join ledger_postings on ledger_postings.id = posting_id
               where account = 'refunds_due' and kind = 'dispute_reinstated')
          - (select coalesce(sum(amount_cents), 0) from ledger_entries join ledger_postings on ledger_postings.id = posting_id
              where account = 'lost_disputes' and kind <> 'correction'))::int as returned`;

/**
 * Describes each contradiction between the ledger of a shop and its orders, payouts, refunds and disputes:
 * 1. Every posting balances.
 * 2. Of each order, what is not refunded is held, or after the release due to the seller and the shop.
 * 3. What is owed to buyers is the sum of the refunds that are not done.
 * 4. What banks withdrew until they decide is the sum of the open disputes.
 * 5. What a seller earned by released orders was paid or is owed.
 * 6. What carriers are owed, what sellers were advanced and what the shop bears of labels are the sums of the labels.
 * 7. What was taken is held, was released to sellers and the shop, or was returned to buyers; goodwill is the shop's own money. What sellers
 *    paid for labels and got of insurances is apart.
 *
 * They hold at every moment, also while calls, jobs and events are in progress.
 */
export async function findLedgerViolations(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  let failure = true;
  try {
    // One snapshot for all queries.
    await client.query('begin isolation level repeatable read read only');
    const read = async <Row>(schema: z.ZodMiniType<Row>, text: string): Promise<Row[]> =>
      z.parse(z.array(schema), (await client.query(text)).rows);
    const found = [
      ...(await read(Posting, unbalancedQuery)).map(
        ({ posting }) => `The posting ${posting} does not balance.`,
      ),
      ...(await read(Order, ordersQuery)).flatMap(orderViolations),
      ...(await read(Account, accountsQuery))
        .filter(({ entered, expected }) => entered !== expected)
        .map(({ account, entered, expected }) => `${account} has ${entered} cents instead of ${expected}.`),
      ...(await read(Account, carriersQuery))
        .filter(({ entered, expected }) => entered !== expected)
        .map(({ account, entered, expected }) => `${account} has ${entered} cents instead of ${expected}.`),
      ...(await read(Seller, sellersQuery)).flatMap(sellerViolations),
      ...(await read(Total, totalQuery)).flatMap(totalViolations),
    ];
    await client.query('commit');
    failure = false;
    return found;
  } finally {
    // After a failure the connection is closed instead of reused.
    client.release(failure);
  }
}

function sellerViolations({ id, earned, received, entered }: z.infer<typeof Seller>): string[] {
  if (earned === received && earned === entered) return [];
  return [
    `The seller ${id} earned ${earned} cents; ${received} were paid or are owed, ${entered} are in the ledger.`,
  ];
}

function totalViolations({ taken, held, released, returned }: z.infer<typeof Total>): string[] {
  if (taken === held + released + returned) return [];
  return [
    `${taken} cents were taken; ${held} are held, ${released} were released, ${returned} were returned.`,
  ];
}

function orderViolations({ id, ...order }: Order): string[] {
  const left = order.price_cents - order.refunded_cents;
  const { commission_cents, price_cents, smallest_amount } = order;
  const exact = Math.floor((commission_cents * left) / price_cents);
  const commission = exact - (exact % smallest_amount);
  const expected = order.is_released
    ? { held: 0, payable: commission - left, commission: -commission, goodwill: order.goodwill_cents }
    : { held: -left, payable: 0, commission: 0, goodwill: order.goodwill_cents };
  const found: string[] = [];
  for (const account of ['held', 'payable', 'commission', 'goodwill'] as const) {
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
