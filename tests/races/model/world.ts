import { waitForEmptyQueue } from '#tests/harness/job-queue.ts';
import { findMoneyViolations } from '#tests/harness/money-invariants.ts';
import { type ProcessorLedger, readProcessorLedger } from '#tests/harness/processor-ledger.ts';
import type { Person, TestShop } from '#tests/harness/shop.ts';

/** How many buyers, and laptops, take part in one run. */
export const buyersCount = 3;
export const laptopsCount = 3;
export const price = 549.99;

/** The real shop as one run sees it: people and laptops of its own. */
export interface World {
  shop: TestShop;
  admin: Person;
  seller: Person;
  buyers: Person[];
  laptops: string[];
  /** ProcessorLedger read before the run, so that only its own intents are judged. */
  before: ProcessorLedger;
}

/** What one buyer has got of one laptop so far. */
export interface Deal {
  bookingId: string;
  /** Of the intent, once it was answered. */
  clientSecret: string | null;
}

/**
 * What is known for certain: only facts that never end again. Whatever was known before a call was made must show in
 * its answer, whatever else is happening at that moment.
 */
export interface Model {
  deals: Map<string, Deal>;
  /** Laptop to buyer. */
  soldTo: Map<number, number>;
  /** Laptops that left the shop unsold. */
  gone: Set<number>;
  endedBuyers: Set<number>;
  sellerEnded: boolean;
  /** How many things were done. */
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

/** Makes a run's people and laptops. */
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

/** So much later that also what was asked about an hour from now, and in vain, is due again. */
const later = () => new Date(Date.now() + 3 * 3_600_000);

/**
 * Ends all faults and lets everything come to rest.
 * @param refunds how the banks take refunds from here on
 * @throws Error naming what does not
 */
export async function waitUntilIdle(
  { shop }: World,
  refunds: 'as published' | 'good' = 'as published',
): Promise<void> {
  await shop.cards.setFaults({ refunds });
  // Twice: what reconciliation has given back may fail in its turn.
  for (let round = 0; round < 2; round += 1) {
    await shop.cards.runDelayedOutcomes();
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
    await shop.reconcile(later());
    await waitForEmptyQueue(shop.connection.pool);
  }
}

/** Has the banks decide all open disputes in the shop's favour. */
export async function winDisputes({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status !== 'needs_response' && status !== 'warning_needs_response') continue;
    await shop.cards.stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } });
  }
}

/** Has the banks make a chargeback of every inquiry. */
export async function escalateInquiries({ shop }: World): Promise<void> {
  const { data } = await shop.cards.stripe.disputes.list({ limit: 100 });
  for (const { id, status } of data) {
    if (status !== 'warning_needs_response') continue;
    const evidence = { uncategorized_text: 'escalate_inquiry_evidence' };
    await shop.cards.stripe.disputes.update(id, { evidence });
  }
}

/** The payments at these laptops whose money could not be given back. */
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
 * Ends the hold on a laptop.
 * @param usedUp the 20 minutes that a buyer may hold it in all are used up as well
 * @param line what becomes of the places in line: they stay, or everybody has gone away
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
 * Has the database check at each change of a hold what is promised about turns: nobody passes the first in line, and
 * no hold is renewed while others wait. What it finds stands in `unfair_turns`.
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

/** What {@link installHoldChecks} has found, and every buyer who holds three laptops. */
export async function findHoldViolations({ connection }: TestShop): Promise<string[]> {
  const { rows } = await connection.pool.query<{ sentence: string }>(
    `select sentence from unfair_turns
     union all
     select buyer_id || ' holds ' || count(*) || ' laptops.' from holds
      where expires_at > now() group by buyer_id having count(*) > 2`,
  );
  return rows.map(({ sentence }) => sentence);
}
