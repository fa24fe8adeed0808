import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables.ts';
import { isNotPostponed } from '../jobs/failed-items.ts';
import { MAXIMUM_LISTINGS_OF_PART, type MachineListing } from './rules.ts';

/** The maximum number of listings with which one is compared. */
const MAXIMUM_LISTINGS = 30;

/** Selects the oldest notes of laptops to compare, without those that failed a short time ago. @returns their numbers */
export async function dueNotes(database: Database, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from laptops_to_compare where ${isNotPostponed('duplicates', sql.ref('number'), now)}
     order by number limit ${limit}`.execute(database);
  return rows.map(({ number }) => number);
}

/**
 * Takes a note of a laptop to compare. Another process waits until the transaction ends, and then sees its reports.
 * @returns the laptop's id; null when another process took the note
 */
export async function takeNote(transaction: Transaction, number: string): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtext('coomercio compare laptops'))`.execute(transaction);
  const { rows } = await sql<{ laptop_id: string }>`
    delete from laptops_to_compare where number = ${number} returning laptop_id`.execute(transaction);
  return rows[0]?.laptop_id ?? null;
}

/** A laptop's latest measurement that has a serial number. */
const latestHash = (laptopId: ReturnType<typeof sql.ref>) => sql`(
  select machine_hash from measurements as latest
   where latest.laptop_id = ${laptopId} and latest.machine_hash is not null
   order by latest.number desc limit 1)`;

/** Selects a laptop and the newest other listings of the same machine, by their latest measurements. */
export async function listingsOfMachine(
  transaction: Transaction,
  laptopId: string,
): Promise<MachineListing[]> {
  const { rows } = await sql<MachineListing>`
    with machine as materialized (
      select ${latestHash(sql.ref('laptops.id'))} as hash from laptops where id = ${laptopId}
    ),
    measured as materialized (
      select laptop_id, min(measured_at) as first_measured_at
        from measurements where machine_hash = (select hash from machine) group by laptop_id
    )
    select laptops.id, laptops.seller_id as "sellerId", laptops.mobile_number as phone, laptops.state,
           laptops.state_since as "stateSince",
           (select bookings.phone from orders join bookings on bookings.id = orders.booking_id
             where orders.laptop_id = laptops.id and orders.state not in ('refunded', 'charged_back')
             order by orders.number desc limit 1) as "buyerPhone",
           measured.first_measured_at as "firstMeasuredAt",
           exists (select from reports
                    where reports.laptop_id = laptops.id and reports.reason = 'Stolen'
                      and reports.resolution is distinct from 'dismissed') as "isStolen"
      from measured join laptops on laptops.id = measured.laptop_id
     where ${latestHash(sql.ref('laptops.id'))} = (select hash from machine)
     order by laptops.id = ${laptopId} desc, laptops.number desc
     limit ${sql.lit(MAXIMUM_LISTINGS)}`.execute(transaction);
  return rows;
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
 * Selects listings of other sellers that show one of these photos, except those already reported for a photo of this one. One
 * that is newer and no longer for sale may be a copy that was withdrawn before it was compared: it accuses nobody.
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
       and not exists (select from reports where reports.laptop_id = others.id
                          and reports.other_laptop_id = own.id and reports.reason = 'Same photo')
     order by others.id, position
     limit ${sql.lit(MAXIMUM_LISTINGS)}`.execute(transaction);
  return rows;
}
