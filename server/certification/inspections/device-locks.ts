// Locks that were found on machines, over all listings, drafts and accounts.

import { sql } from 'kysely';
import { type DeviceLockName, deviceLockNames } from '#contract/certification/machine.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { type MeasuredMachine, partHashes } from './machine-hashes.ts';
import { withDeviceLocks } from './rules.ts';
import { latestMeasurement } from './store.ts';

/** A machine by what is stored of its identity, and who measured it. */
interface IdentifiedMachine {
  sellerId: string;
  /** Null when its serial number is unknown. */
  machineHash: string | null;
  partHashes: readonly string[];
}

/**
 * The locks that are remembered of a machine. One whose serial number is unknown is known by its board, its drives or its TPM: a drive that
 * was moved gives it the lock of another machine, until a report with its serial number is sent.
 *
 * A serial number stands on the outside of a laptop, and many laptops cannot report that a lock is not there. So a lock that was found
 * with the serial number alone counts only for the seller who found it; otherwise a part must be the same, whose number is inside.
 */
async function findRememberedDeviceLocks(
  transaction: Transaction,
  { sellerId, machineHash, partHashes: parts }: IdentifiedMachine,
): Promise<DeviceLockName[]> {
  const isOfMachine =
    machineHash === null
      ? sql<boolean>`identity_hash = any (${parts}::text[]) or part_hashes && ${parts}::text[]`
      : sql<boolean>`identity_hash = ${machineHash} and (
          part_hashes && ${parts}::text[] or ${parts.length === 0}
          or exists (select from measurements
                       left join laptops on laptops.id = laptop_id left join laptop_drafts on laptop_drafts.id = draft_id
                      where machine_hash = identity_hash
                        and coalesce(laptops.seller_id, laptop_drafts.seller_id) = ${sellerId}
                        and measurements.machine->'locks'->>lock = 'locked'))`;
  const rows = await transaction
    .selectFrom('found_locks')
    .select('lock')
    .distinct()
    .where(sql<boolean>`(${isOfMachine})`)
    .execute();
  return rows.map(({ lock }) => lock);
}

/** The most parts that are remembered of a machine (the table's constraint). */
const MAXIMUM_PARTS = 64;

/**
 * Remembers the locks that a report found, and forgets those that it says were not found. Reports and listings of one machine follow
 * each other from here to the end of their transactions.
 * @returns the locks that are remembered of the machine now
 */
export async function updateRememberedDeviceLocks(
  transaction: Transaction,
  sellerId: string,
  { machine: { locks }, hashes }: MeasuredMachine,
): Promise<DeviceLockName[]> {
  const identity = hashes.machine ?? hashes.board;
  const parts = partHashes(hashes);
  if (identity !== null) {
    await serializeMachine(transaction, identity);
    const released = deviceLockNames.filter((lock) => locks[lock] === 'not_found');
    if (released.length > 0) {
      await transaction
        .deleteFrom('found_locks')
        .where('identity_hash', '=', identity)
        .where('lock', 'in', released)
        .execute();
    }
    const found = deviceLockNames.filter((lock) => locks[lock] === 'locked');
    if (found.length > 0) {
      await transaction
        .insertInto('found_locks')
        .values(found.map((lock) => ({ identity_hash: identity, lock, part_hashes: parts })))
        .onConflict((conflict) =>
          conflict.columns(['identity_hash', 'lock']).doUpdateSet(() => ({
            // Those of before stay: a report with the serial number alone must not make the lock unknown to others.
            part_hashes: sql<
              string[]
            >`(excluded.part_hashes || found_locks.part_hashes)[1:${sql.lit(MAXIMUM_PARTS)}]`,
            found_at: sql<Date>`now()`,
          })),
        )
        .execute();
    }
  }
  return findRememberedDeviceLocks(transaction, { sellerId, machineHash: hashes.machine, partHashes: parts });
}

/** Lets transactions about one machine follow each other. */
export async function serializeMachine(transaction: Transaction, identity: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`coomercio machine ${identity}`}))`.execute(transaction);
}

/**
 * Adds the locks that a report of a seller found to the latest measurements of the same machine in the seller's other listings. Those
 * of other sellers are left: the serial number of a report can be forged.
 * @returns these laptops, in the order of their ids
 */
export async function addDeviceLocksToListings(
  transaction: Transaction,
  sellerId: string,
  { machine: reported, hashes }: MeasuredMachine,
): Promise<string[]> {
  const found = deviceLockNames.filter((lock) => reported.locks[lock] === 'locked');
  const isOfMachine =
    hashes.machine === null
      ? sql<boolean>`measurements.machine_hash is null and measurements.part_hashes @> array[${hashes.board}]::text[]`
      : sql<boolean>`measurements.machine_hash = ${hashes.machine}`;
  if (found.length === 0 || (hashes.machine ?? hashes.board) === null) return [];
  const latest = await transaction
    .selectFrom('measurements')
    .innerJoin('laptops', 'laptops.id', 'measurements.laptop_id')
    .select(['measurements.id', 'laptops.id as laptop_id', 'measurements.machine'])
    .where(isOfMachine)
    .where('laptops.seller_id', '=', sellerId)
    .where('laptops.state', '!=', 'sold')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('measurements as later')
            .select('later.id')
            .whereRef('later.laptop_id', '=', 'measurements.laptop_id')
            .whereRef('later.number', '>', 'measurements.number'),
        ),
      ),
    )
    .orderBy('laptops.id')
    .forUpdate('laptops')
    .execute();
  for (const { id, machine } of latest) {
    await transaction
      .updateTable('measurements')
      .set({ machine: JSON.stringify(withDeviceLocks(machine, found)) })
      .where('id', '=', id)
      .execute();
  }
  return latest.map(({ laptop_id }) => laptop_id);
}

/**
 * Adds the locks that are remembered of the machine of a locked laptop to its latest measurement: one can have been found since, such as at
 * a hand-over that did not take place.
 */
export async function addRememberedDeviceLocks(
  transaction: Transaction,
  { id, seller_id: sellerId }: { id: string; seller_id: string },
): Promise<void> {
  const latest = await latestMeasurement(transaction, { laptop_id: id });
  if (latest === undefined) return;
  const { machine, machine_hash: machineHash, part_hashes: partHashes } = latest;
  const remembered = await findRememberedDeviceLocks(transaction, { sellerId, machineHash, partHashes });
  // What is remembered of a serial number was found since, also where the report says that there is none.
  const found = remembered.filter((lock) => machineHash !== null || machine.locks[lock] === 'unknown');
  await transaction
    .updateTable('measurements')
    .set({ machine: JSON.stringify(withDeviceLocks(machine, found)) })
    .where('id', '=', latest.id)
    .execute();
}
