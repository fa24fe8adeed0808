import { waitForEmptyQueue } from '#tests/harness/job-queue.ts';
import { findMoneyViolations } from '#tests/harness/money-invariants.ts';
import { type ProcessorLedger, readProcessorLedger } from '#tests/harness/processor-ledger.ts';
import type { Person, TestShop } from '#tests/harness/shop.ts';

/** Numbers of buyers and laptops in a run. */
export const buyersCount = 3;
export const laptopsCount = 3;
export const price = 549.99;

/** The users and laptops of one run in the real shop. */
export interface World {
  shop: TestShop;
  admin: Person;
  seller: Person;
  buyers: Person[];
  laptops: string[];
  /** The ledger before the run; only later intents are checked. */
  before: ProcessorLedger;
}

/** A buyer's booking of a laptop. */
export interface Deal {
  bookingId: string;
  /** Of the intent, once it was answered. */
  clientSecret: string | null;
}

/**
 * Facts that never change again, such as sales. The response of a call must agree with the facts known before it,
 * whatever happens concurrently.
 */
export interface Model {
  deals: Map<string, Deal>;
  /** Laptop to buyer. */
  soldTo: Map<number, number>;
  /** Laptops that left the shop unsold. */
  gone: Set<number>;
  endedBuyers: Set<number>;
  sellerEnded: boolean;
  /** Number of actions run. */
  actions: number;
}

export const emptyModel = (): Model => ({
  deals: new Map(),
  soldTo: new Map(),
  gone: new Set(),
  endedBuyers: new Set(),
  sellerEnded: false,
  actions: 0,
});

export const dealKey = (buyer: number, laptop: number) => `${buyer}/${laptop}`;

/** Creates the users and laptops of a run. */
export async function createWorld(shop: TestShop, admin: Person, before: ProcessorLedger): Promise<World> {
  const seller = await shop.seller();
  const times = <Made>(count: number, make: () => Promise<Made>) =>
    Promise.all(Array.from({ length: count }, make));
  const [buyers, laptops] = await Promise.all([
    times(buyersCount, () => shop.buyer()),
    times(laptopsCount, () => shop.laptop(seller)),
  ]);
  return { shop, admin, seller, buyers, laptops, before };
}

/** A time at which payments that were checked one hour ahead are due again. */
const later = () => new Date(Date.now() + 3 * 3_600_000);

/**
 * Removes all faults and waits until jobs, events and reconciliation are done.
 * @param refunds how the stand-in's banks handle refunds from now on
 * @throws Error that names unfinished jobs
 */
export async function waitUntilIdle(
  { shop }: World,
  refunds: 'as published' | 'good' = 'as published',
): Promise<void> {
  await shop.cards.setFaults({ refunds });
  // Twice, because refunds that reconciliation makes can fail as well.
  for (let round = 0; round < 2; round += 1) {
    await shop.cards.runDelayedOutcomes();
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
    await shop.reconcile(later());
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

/** Escalates every inquiry to a chargeback. */
export async function escalateInquiries({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status !== 'warning_needs_response') continue;
    const evidence = { uncategorized_text: 'escalate_inquiry_evidence' };
    await shop.cards.stripe.disputes.update(id, { evidence });
  }
}

/** Lists the transactions of these laptops whose refund has failed. */
export async function failedRefunds(shop: TestShop, laptops: readonly string[]): Promise<string[]> {
  const { rows } = await shop.connection.pool.query(
    `select refunds.transaction_id as id from refunds join bookings on bookings.id = booking_id
     where state = 'failed' and laptop_id = any($1)`,
    [laptops],
  );
  return rows.map(({ id }) => id);
}

/** The findMoneyViolations of the four statements in this run. */
export async function findRunViolations(world: World): Promise<{ found: string[]; books: ProcessorLedger }> {
  const { shop, before, laptops } = world;
  const books = await readProcessorLedger(shop.cards.stripe, before.newest);
  return { found: await findMoneyViolations(shop.connection.pool, books, laptops), books };
}

/**
 * Expires the hold on a laptop.
 * @param usedUp whether the buyer's 20 minutes in all are used up as well
 * @param line whether the queue stays or is emptied
 */
export async function expireHold(
  { shop, laptops }: World,
  laptop: number,
  { usedUp, line }: { usedUp: boolean; line: 'stays' | 'gone' },
): Promise<void> {
  const { pool } = shop.connection;
  const values = [laptops[laptop] ?? '', usedUp ? 20 : 3];
  await pool.query(
    `update holds set started_at = now() - interval '1 second' - $2 * interval '1 minute',
                      expires_at = now() - interval '1 second'
      where laptop_id = $1`,
    values,
  );
  if (line === 'gone') await pool.query('delete from hold_waits where laptop_id = $1', [laptops[laptop]]);
}

/**
 * Installs a trigger that checks each change of a hold: nobody overtakes the queue, and no hold is renewed while others
 * wait. Violations are written to `unfair_turns`.
 */
export async function installHoldChecks({ connection }: TestShop): Promise<void> {
  await connection.pool.query(`
    create table unfair_turns (sentence text not null);
    create function watch_turns() returns trigger language plpgsql as $$
      declare
        others integer;
        mine bigint;
      begin
        select number into mine from hold_waits where booking_id = new.booking_id;
        select count(*) into others from hold_waits
         where laptop_id = new.laptop_id and booking_id <> new.booking_id
           and expires_at > clock_timestamp() and (mine is null or number < mine);
        if new.expires_at <= clock_timestamp() then return new; end if;
        if tg_op = 'UPDATE' and old.booking_id = new.booking_id and old.expires_at > clock_timestamp() then
          if others > 0 and new.expires_at > old.expires_at then
            insert into unfair_turns values ('The hold of ' || new.booking_id || ' was renewed while others waited.');
          end if;
        elsif others > 0 then
          insert into unfair_turns values (new.booking_id || ' was given a turn before ' || others || ' others.');
        end if;
        if tg_op = 'UPDATE' and old.booking_id <> new.booking_id and old.expires_at > clock_timestamp() + interval '1 second' then
          insert into unfair_turns values (new.booking_id || ' took the turn of ' || old.booking_id || '.');
        end if;
        return new;
      end
    $$;
    create trigger turns_watched after insert or update on holds for each row execute function watch_turns()`);
}

/** Lists the violations found by {@link installHoldChecks} and the buyers who hold three laptops. */
export async function findHoldViolations({ connection }: TestShop): Promise<string[]> {
  const { rows } = await connection.pool.query<{ sentence: string }>(
    `select sentence from unfair_turns
     union all
     select buyer_id || ' holds ' || count(*) || ' laptops.' from holds
      where expires_at > now() group by buyer_id having count(*) > 2`,
  );
  return rows.map(({ sentence }) => sentence);
}
