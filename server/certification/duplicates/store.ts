import { sql } from 'kysely';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { isNotPostponed } from '#server/platform/jobs/failed-items.ts';
import { type LastSale, MAXIMUM_LISTINGS_OF_PART, type MachineListing } from './rules.ts';

/** The maximum number of listings with which one step compares a listing. The next step goes on. */
export const STEP_LISTINGS = 50;

/** Selects the oldest notes of laptops to compare, without those that failed a short time ago. @returns their numbers */
export async function dueNotes(database: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from laptops_to_compare where ${isNotPostponed('duplicates', sql.ref('number'), now)}
     order by number limit ${limit}`.execute(database);
  return rows.map(({ number }) => number);
}

/** A laptop to compare. `after` is the other listing after which the comparison goes on; null for its beginning. */
export interface Note {
  laptopId: string;
  after: string | null;
}

/**
 * Takes a note of a laptop to compare. Another process waits until the transaction ends, and then sees its reports.
 * @returns null when another process took the note
 */
export async function takeNote(transaction: Transaction, number: string): Promise<Note | null> {
  await sql`select pg_advisory_xact_lock(hashtext('coomercio compare laptops'))`.execute(transaction);
  const { rows } = await sql<Note>`
    delete from laptops_to_compare where number = ${number}
    returning laptop_id as "laptopId", after_id as after`.execute(transaction);
  return rows[0] ?? null;
}

/** Notes that the comparison of a laptop goes on. */
export async function insertNote(transaction: Transaction, { laptopId, after }: Note): Promise<void> {
  await sql`insert into laptops_to_compare (laptop_id, after_id) values (${laptopId}, ${after})`.execute(
    transaction,
  );
}

/** A laptop's latest measurement that has a serial number. */
const latestHash = (laptopId: ReturnType<typeof sql.ref>) => sql`(
  select machine_hash from measurements as latest
   where latest.laptop_id = ${laptopId} and latest.machine_hash is not null
   order by latest.number desc limit 1)`;

const NIL_ID = '00000000-0000-0000-0000-000000000000';

const machineColumns = sql`
  laptops.id, laptops.seller_id as "sellerId", laptops.mobile_number as phone, laptops.state,
  (select min(measured_at) from measurements
    where laptop_id = laptops.id and machine_hash = (select hash from machine)) as "firstMeasuredAt",
  exists (select from reports
           where reports.laptop_id = laptops.id and reports.reason = 'Stolen'
             and reports.resolution is distinct from 'dismissed') as "isStolen"`;

/** The machine of a laptop, and all laptops that were measured with it, each by its latest measurement with a serial number. */
const machineOf = (laptopId: string) => sql`
  machine as materialized (
    select ${latestHash(sql.ref('laptops.id'))} as hash from laptops where id = ${laptopId}
  ),
  measured as (
    select distinct laptop_id as id from measurements
     where machine_hash = (select hash from machine)
       and ${latestHash(sql.ref('measurements.laptop_id'))} = (select hash from machine)
  )`;

/**
 * Selects a laptop and the next other listings of the same machine, by their latest measurements, in the order of ids.
 * @param after the listing after which they begin; null for all
 * @returns undefined when the laptop's machine is unknown
 */
export async function listingsOfMachine(
  transaction: Transaction,
  { laptopId, after }: Note,
): Promise<{ own: MachineListing; others: MachineListing[] } | undefined> {
  const { rows } = await sql<MachineListing>`
    with ${machineOf(laptopId)}
    (select ${machineColumns} from laptops join measured using (id) where id = ${laptopId})
    union all
    (select ${machineColumns} from laptops join measured using (id)
      where id <> ${laptopId} and id > ${after ?? NIL_ID}
      order by id limit ${sql.lit(STEP_LISTINGS)})`.execute(transaction);
  const own = rows.find(({ id }) => id === laptopId);
  return own && { own, others: rows.filter(({ id }) => id !== laptopId) };
}

/** Selects the latest sale of the machine of a laptop, in any listing. */
export async function lastSaleOfMachine(
  transaction: Transaction,
  laptopId: string,
): Promise<LastSale | null> {
  const { rows } = await sql<LastSale>`
    with ${machineOf(laptopId)}
    select laptops.seller_id as "sellerId", sold.buyer_id as "buyerId", sold.phone as "buyerPhone"
      from laptops join measured using (id)
      left join lateral (select bookings.buyer_id, bookings.phone
                           from orders join bookings on bookings.id = orders.booking_id
                          where orders.laptop_id = laptops.id and orders.stands
                          order by orders.number desc limit 1) as sold on true
     where laptops.state = 'sold'
     order by laptops.state_since desc
     limit 1`.execute(transaction);
  return rows[0] ?? null;
}

/** Selects other listings for sale with a part of a laptop that is for sale, but of another machine. */
export async function listingsWithSamePart(transaction: Transaction, laptopId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select machine_hash, part_hashes from measurements where laptop_id = ${laptopId} order by number desc limit 1
    ),
    parts as materialized (select unnest(part_hashes) as hash from own),
    sharing as materialized (
      select parts.hash, found.laptop_id
        from parts, lateral (
          select distinct measurements.laptop_id from measurements
            join laptops on laptops.id = measurements.laptop_id
           where measurements.part_hashes @> array[parts.hash] and laptops.state = 'available'
             and not exists (select from measurements as later
                              where later.laptop_id = measurements.laptop_id and later.number > measurements.number)
             and (measurements.laptop_id = ${laptopId}
                  or measurements.machine_hash is distinct from (select machine_hash from own))
           limit ${sql.lit(MAXIMUM_LISTINGS_OF_PART + 1)}) as found
    )
    select distinct laptop_id as id from sharing
     where laptop_id <> ${laptopId}
       and hash in (select hash from sharing group by hash
                    having count(*) <= ${sql.lit(MAXIMUM_LISTINGS_OF_PART)} and bool_or(laptop_id = ${laptopId}))`.execute(
    transaction,
  );
  return rows.map(({ id }) => id);
}

/** Selects the photos of a laptop, if it is for sale. */
export async function photosForSale(
  transaction: Transaction,
  laptopId: string,
): Promise<{ hash: string; url: string }[]> {
  const { rows } = await sql<{ hash: string; url: string }>`
    select photo_hash as hash, laptops.images[position] as url
      from laptop_photos join laptops on laptops.id = laptop_photos.laptop_id
     where laptops.id = ${laptopId} and laptops.state = 'available'
     order by position`.execute(transaction);
  return rows;
}

/**
 * Selects the next listings of other sellers that show one of these photos, except those already reported for a photo of this one, or
 * this one for theirs. One that is newer and no longer for sale may be a copy that was withdrawn before it was compared: it accuses nobody.
 */
export async function otherSellersWithPhotos(
  transaction: Transaction,
  laptopId: string,
  hashes: readonly string[],
): Promise<{ otherLaptopId: string; otherPhoto: string }[]> {
  const { rows } = await sql<{ otherLaptopId: string; otherPhoto: string }>`
    select distinct on (others.id) others.id as "otherLaptopId", others.images[position] as "otherPhoto"
      from laptop_photos
      join laptops as others on others.id = laptop_photos.laptop_id
      join laptops as own on own.id = ${laptopId}
     where photo_hash = any (${hashes}::text[]) and others.seller_id <> own.seller_id
       and (others.state = 'available' or others.number < own.number)
       and not exists (select from reports
                        where reports.reason = 'Same photo'
                          and (reports.laptop_id = others.id and reports.other_laptop_id = own.id
                               or reports.laptop_id = own.id and reports.other_laptop_id = others.id))
     order by others.id, position
     limit ${sql.lit(STEP_LISTINGS)}`.execute(transaction);
  return rows;
}
