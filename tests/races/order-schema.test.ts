// Database constraints on orders and the ledger: plain SQL that violates them must fail.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let laptop: string;
/** Two bookings of the laptop. The first one is paid and has an order. */
let bookings: string[];
let order: string;

const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);

/** Runs statements in one transaction, as deferred constraints are checked at its end. */
async function transact(...statements: [text: string, values?: unknown[]][]): Promise<void> {
  const client = await shop.connection.pool.connect();
  try {
    await client.query('begin');
    for (const [text, values] of statements) await client.query(text, values);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function openOrder(booking: string | undefined, transaction: string): Promise<string> {
  const { rows } = await query(
    `insert into orders (booking_id, laptop_id, buyer_id, seller_id, transaction_id, price_cents, commission_cents,
                         state, due_at, promised_until, handover_code)
     select bookings.id, laptop_id, buyer_id, bookings.seller_id, $2, 54999, 2750, 'held', now() + interval '7 days', now(), '012345'
       from bookings join laptops on laptops.id = laptop_id where bookings.id = $1
     returning id`,
    [booking, transaction],
  );
  return rows[0].id;
}

beforeAll(async () => {
  shop = await startTestShop();
  laptop = await shop.laptop(await shop.seller());
  bookings = [await shop.booking(await shop.buyer(), laptop), await shop.booking(await shop.buyer(), laptop)];
  order = await openOrder(bookings[0], 'pi_first');
});
afterAll(() => shop.close());

test('a booking and a payment have one order each', async () => {
  await expect(openOrder(bookings[0], 'pi_first')).rejects.toMatchObject({ constraint: 'ordered_once' });
  await expect(openOrder(bookings[1], 'pi_first')).rejects.toMatchObject({
    constraint: 'orders_transaction_id_key',
  });
});

test('an order in a state that waits has a time at which it ends, and no other has one', async () => {
  const change = (to: string) => query(`update orders set ${to} where id = $1`, [order]);
  await expect(change('due_at = null')).rejects.toMatchObject({ constraint: 'each_wait_ends' });
  await expect(change(`state = 'completed'`)).rejects.toMatchObject({ constraint: 'each_wait_ends' });
  await expect(change(`state = 'lost'`)).rejects.toMatchObject({ constraint: 'orders_state_check' });
});

test('an order gives back at most its price: all when it is refunded', async () => {
  const change = (to: string) => query(`update orders set ${to} where id = $1`, [order]);
  const within = { code: '23514', constraint: 'refunded_within_price' };
  await expect(change('refunded_cents = price_cents + 1')).rejects.toMatchObject(within);
  await expect(change('refunded_cents = -1')).rejects.toMatchObject(within);
  await expect(
    change(`state = 'refunded', due_at = null, refunded_cents = price_cents - 1`),
  ).rejects.toMatchObject({ constraint: 'refunded_in_full' });
});

test('the commission is at most the price, and a code has six digits', async () => {
  const change = (to: string) => query(`update orders set ${to} where id = $1`, [order]);
  await expect(change('commission_cents = price_cents + 1')).rejects.toMatchObject({ code: '23514' });
  await expect(change('commission_cents = -1')).rejects.toMatchObject({ code: '23514' });
  await expect(change(`handover_code = '12345'`)).rejects.toMatchObject({ code: '23514' });
});

test('the events of an order are never changed', async () => {
  await query(`insert into order_events (order_id, event, actor) values ($1, 'paid', 'buyer')`, [order]);
  const stays = /never changed/;
  await expect(query(`update order_events set actor = 'shop'`)).rejects.toThrow(stays);
  await expect(query('delete from order_events')).rejects.toThrow(stays);
});

/** Inserts a posting with entries, each an account and cents. */
const post = (reference: string, ...entries: [account: string, cents: number][]) =>
  transact(
    [`insert into ledger_postings (kind, reference) values ('sale', $1)`, [reference]],
    ...entries.map(([account, cents]): [string, unknown[]] => [
      `insert into ledger_entries (posting_id, account, amount_cents)
       select id, $2, $3 from ledger_postings where reference = $1`,
      [reference, account, cents],
    ]),
  );

test('a posting balances, with at least two entries', async () => {
  const unbalanced = { code: '23514', constraint: 'postings_balance' };
  await expect(post('without entries')).rejects.toMatchObject(unbalanced);
  await expect(post('one side', ['processor', 100])).rejects.toMatchObject(unbalanced);
  await expect(post('unequal', ['processor', 100], ['commission', -99])).rejects.toMatchObject(unbalanced);
  await post('balanced', ['processor', 100], ['commission', -60], ['lost_disputes', -40]);
  await expect(
    query(
      `insert into ledger_entries (posting_id, account, amount_cents)
       select id, 'processor', 1 from ledger_postings where reference = 'balanced'`,
    ),
  ).rejects.toMatchObject(unbalanced);
});

test('a cause is posted once, and every entry has its account, order and seller', async () => {
  await post('once', ['processor', 100], ['commission', -100]);
  await expect(post('once', ['processor', 100], ['commission', -100])).rejects.toMatchObject({
    constraint: 'posted_once',
  });
  const wrong = { code: '23514' };
  await expect(post('empty', ['processor', 0], ['commission', 0])).rejects.toMatchObject(wrong);
  await expect(post('of no order', ['processor', 100], ['held', -100])).rejects.toMatchObject(wrong);
  await expect(post('to nobody', ['processor', 100], ['payable', -100])).rejects.toMatchObject(wrong);
  await expect(post('elsewhere', ['processor', 100], ['pocket', -100])).rejects.toMatchObject(wrong);
});

test('the ledger is never changed', async () => {
  await post('kept', ['processor', 100], ['commission', -100]);
  const stays = /never changed/;
  await expect(query(`update ledger_postings set reference = 'x'`)).rejects.toThrow(stays);
  await expect(query('delete from ledger_postings')).rejects.toThrow(stays);
  await expect(query('update ledger_entries set amount_cents = -amount_cents')).rejects.toThrow(stays);
  await expect(query('delete from ledger_entries')).rejects.toThrow(stays);
});

test('an order gives money back only with a refund, and its laptop is sold again only then', async () => {
  await expect(openOrder(bookings[1], 'pi_second')).rejects.toMatchObject({
    code: '23505',
    constraint: 'one_order_per_laptop',
  });
  const giveBack = `update orders set state = 'refunded', due_at = null, refunded_cents = price_cents where id = $1`;
  await expect(query(giveBack, [order])).rejects.toMatchObject({
    code: '23514',
    constraint: 'refunded_orders_have_refunds',
  });
  await transact(
    [giveBack, [order]],
    [
      `insert into refunds (booking_id, transaction_id, amount_cents, reason)
       values ($1, 'pi_first', 54999, 'complaint')`,
      [bookings[0]],
    ],
  );
  expect(await openOrder(bookings[1], 'pi_second')).toMatch(/^[0-9a-f-]{36}$/);
});
