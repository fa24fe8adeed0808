import { onboard } from '#tests/harness/money/connected-seller.ts';
import { findLedgerViolations } from '#tests/harness/money/ledger-invariants.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { type ProcessorLedger, readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import type { Person, TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type TestCarriers, verify } from '#tests/harness/sales/carriers.ts';

/** Numbers of buyers and laptops in a run. */
export const buyersCount = 3;
export const laptopsCount = 3;
/** The index of the laptop that buyers want sent; its seller meets the buyers of the others. */
export const shippedLaptop = 2;
export const price = 549.99;

/** The users and laptops of one run in the real shop. */
export interface World {
  shop: TestShop;
  carriers: TestCarriers;
  admin: Person;
  seller: Person;
  /** The seller's account at the card processor. */
  accountId: string;
  buyers: Person[];
  laptops: string[];
  /** The ledger before the run; only later intents are checked. */
  before: ProcessorLedger;
}

/** A buyer's booking of a laptop. */
export interface Booking {
  bookingId: string;
  /** The payment intent's client secret; null until a payment was prepared. */
  clientSecret: string | null;
  /** Whether it was cancelled, by its buyer or because its laptop left the shop and is sold again. */
  isCancelled: boolean;
}

/**
 * Permanent facts, such as sales. The response of a call must agree with the facts that were known before the call,
 * even when other calls run concurrently.
 */
export interface Model {
  bookings: Map<string, Booking>;
  /** Laptops of which a sale was confirmed. It may have ended since. */
  sold: Set<number>;
  /** Unsold laptops that were withdrawn or taken down. */
  removed: Set<number>;
  endedBuyers: Set<number>;
  /** The last price that the seller set, by the laptop's index. A concurrent change may have been later. */
  prices: Map<number, number>;
  sellerEnded: boolean;
  /** Number of actions run. */
  actions: number;
}

export const createModel = (): Model => ({
  bookings: new Map(),
  sold: new Set(),
  removed: new Set(),
  endedBuyers: new Set(),
  prices: new Map(),
  sellerEnded: false,
  actions: 0,
});

/**
 * The index of the buyer who has a laptop and keeps it, which is a permanent fact: no action of this model gives back a laptop that was
 * handed over. A sale before the hand-over can end at any time.
 */
export async function keeperOf(
  { shop, buyers, laptops }: World,
  laptop: number,
): Promise<number | undefined> {
  const { rows } = await shop.connection.pool.query<{ buyer_id: string }>(
    `select buyer_id from orders
      where laptop_id = $1 and laptop_with_buyer and state in ('released', 'completed', 'refunded', 'charged_back')`,
    [laptops[laptop] ?? ''],
  );
  const [row] = rows;
  return row === undefined ? undefined : buyers.findIndex(({ userId }) => userId === row.buyer_id);
}

export const bookingKey = (buyer: number, laptop: number) => `${buyer}/${laptop}`;

/** Creates the users and laptops of a run. */
export async function createWorld(
  shop: TestShop,
  { admin, carriers, before }: Pick<World, 'admin' | 'carriers' | 'before'>,
): Promise<World> {
  const seller = await shop.seller();
  const accountId = await onboard(shop, seller);
  await verify(shop, seller);
  // Refunds of settled charges need a balance, which operators keep at Stripe.
  await shop.cards.topUp(1_000_000);
  const createMany = <Item>(count: number, create: () => Promise<Item>) =>
    Promise.all(Array.from({ length: count }, create));
  const [buyers, laptops] = await Promise.all([
    createMany(buyersCount, () => shop.buyer()),
    Promise.all(
      Array.from({ length: laptopsCount }, (_, index) =>
        shop.laptop(seller, { delivery: index === shippedLaptop ? 'both' : 'meet' }),
      ),
    ),
  ]);
  return { shop, carriers, admin, seller, accountId, buyers, laptops, before };
}

/** Returns a time at which payments are due again, also those that a fault action checked an hour ahead. */
const inThreeHours = () => new Date(Date.now() + 3 * 3_600_000);

/**
 * Removes all faults and waits until jobs, events, reconciliation and transfers are done.
 * @param refunds how the stand-in's banks handle refunds from now on
 * @throws Error that names unfinished jobs
 */
export async function waitUntilIdle(
  { shop }: World,
  refunds: 'as published' | 'good' = 'as published',
): Promise<void> {
  await shop.cards.setFaults({ refunds });
  // The operator pays in what was swept to the bank, as docs/operations.md says.
  await shop.cards.topUp(1_000_000);
  await shop.cards.settleFunds();
  // Twice, because refunds that reconciliation makes can fail as well.
  for (let round = 0; round < 2; round += 1) {
    await shop.cards.runDelayedOutcomes();
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
    await shop.reconcile(inThreeHours());
    await waitForEmptyQueue(shop.connection.pool);
    await shop.runPayouts(inThreeHours());
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
  }
}

/** Wins all open disputes. */
export async function winDisputes({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status !== 'needs_response' && status !== 'warning_needs_response') continue;
    await shop.cards.stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
  }
}

/** Loses all open disputes. */
export async function loseDisputes({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status === 'needs_response') await shop.cards.stripe.disputes.close(id);
  }
}

/** Escalates every inquiry to a chargeback. */
export async function escalateInquiries({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status !== 'warning_needs_response') continue;
    const evidence = { uncategorized_text: 'escalate_inquiry_evidence' };
    await shop.cards.stripe.disputes.update(id, { evidence });
  }
}

/** Lists the transactions of these laptops whose refund has failed. What a bank took back cannot be refunded any more. */
export async function failedRefunds(shop: TestShop, laptops: readonly string[]): Promise<string[]> {
  const { rows } = await shop.connection.pool.query(
    `select refunds.transaction_id as id from refunds join bookings on bookings.id = booking_id
     where state = 'failed' and laptop_id = any($1)
       and not exists (select from disputes
                        where disputes.transaction_id = refunds.transaction_id and disputes.state = 'lost')`,
    [laptops],
  );
  return rows.map(({ id }) => id);
}

/** @throws Error when the ledger contradicts itself, or the orders, payouts, refunds and disputes */
export async function requireBalancedBooks({ shop }: World): Promise<void> {
  const violations = await findLedgerViolations(shop.connection.pool);
  if (violations.length > 0) throw new Error(violations.join(' '));
}

/** Reads the card processor's ledger and finds the violations of the money invariants in this run. */
export async function findRunViolations(
  world: World,
): Promise<{ violations: string[]; ledger: ProcessorLedger }> {
  const { shop, before, laptops } = world;
  const ledger = await readProcessorLedger(shop.cards.stripe, before.newest);
  return { violations: await findMoneyViolations(shop.connection.pool, ledger, laptops), ledger };
}

/**
 * Expires the payment window on a laptop.
 * @param usedUp whether the buyer's 20 minutes in all are used up as well
 * @param queue what happens to the places of waiting buyers
 */
export async function expirePaymentWindow(
  { shop, laptops }: World,
  laptop: number,
  { usedUp, queue }: { usedUp: boolean; queue: 'kept' | 'emptied' },
): Promise<void> {
  const { pool } = shop.connection;
  const values = [laptops[laptop] ?? '', usedUp ? 20 : 3];
  await pool.query(
    `update payment_windows set started_at = now() - interval '1 second' - $2 * interval '1 minute',
                      expires_at = now() - interval '1 second'
      where laptop_id = $1`,
    values,
  );
  if (queue === 'emptied')
    await pool.query('delete from payment_queue where laptop_id = $1', [laptops[laptop]]);
}

/**
 * Installs a trigger that checks each change of a payment window: nobody overtakes the queue, and no payment window is renewed while others
 * wait. Violations are written to `payment_window_violations`.
 */
export async function installPaymentWindowChecks({ connection }: TestShop): Promise<void> {
  await connection.pool.query(`
    create table payment_window_violations (message text not null);
    create function check_payment_window() returns trigger language plpgsql as $$
      declare
        others integer;
        mine bigint;
      begin
        select number into mine from payment_queue where booking_id = new.booking_id;
        select count(*) into others from payment_queue
         where laptop_id = new.laptop_id and booking_id <> new.booking_id
           and expires_at > clock_timestamp() and (mine is null or number < mine);
        if new.expires_at <= clock_timestamp() then return new; end if;
        if tg_op = 'UPDATE' and old.booking_id = new.booking_id and old.expires_at > clock_timestamp() then
          if others > 0 and new.expires_at > old.expires_at then
            insert into payment_window_violations values ('The payment window of ' || new.booking_id || ' was renewed while others waited.');
          end if;
        elsif others > 0 then
          insert into payment_window_violations values (new.booking_id || ' was given the payment window before ' || others || ' waiting buyers.');
        end if;
        if tg_op = 'UPDATE' and old.booking_id <> new.booking_id and old.expires_at > clock_timestamp() + interval '1 second' then
          insert into payment_window_violations values (new.booking_id || ' took the unexpired payment window of ' || old.booking_id || '.');
        end if;
        return new;
      end
    $$;
    create trigger payment_window_checked after insert or update on payment_windows for each row execute function check_payment_window()`);
}

/** Lists the violations found by {@link installPaymentWindowChecks} and the buyers who have three payment windows. */
export async function findPaymentWindowViolations({ connection }: TestShop): Promise<string[]> {
  const { rows } = await connection.pool.query<{ message: string }>(
    `select message from payment_window_violations
     union all
     select buyer_id || ' has ' || count(*) || ' payment windows.' from payment_windows
      where expires_at > now() group by buyer_id having count(*) > 2`,
  );
  return rows.map(({ message }) => message);
}
