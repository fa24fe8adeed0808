import { sql } from 'kysely';
import type { Database, Reader } from '#server/platform/database/tables.ts';
import { nearbyQuarters } from './fingerprint.ts';

/** The maximum number of bits in which two fingerprints of the same picture differ. */
const MAXIMUM_DISTANCE = 7;

/** The maximum number of near fingerprints of photos that laptops show, of which one search computes the distance. */
const MAXIMUM_READ = 5000;

/** Stores a photo's thumbnail and fingerprints. */
export async function insertFingerprints(
  database: Database,
  hash: string,
  thumbnail: Uint8Array,
  fingerprints: readonly bigint[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('photo_thumbnails')
      .values({ photo_hash: hash, thumbnail: Buffer.from(thumbnail) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    // Another upload of the same bytes was faster.
    if (numInsertedOrUpdatedRows === 0n) return;
    await transaction
      .insertInto('photo_fingerprints')
      .values(
        fingerprints.map((fingerprint) => ({
          photo_hash: hash,
          fingerprint: BigInt.asIntN(64, fingerprint).toString(),
        })),
      )
      .execute();
  });
}

/** Removes what was computed of a photo. */
export async function removeFingerprints(database: Database, hash: string): Promise<void> {
  await database.deleteFrom('photo_thumbnails').where('photo_hash', '=', hash).execute();
}

/** Reads the thumbnail of a photo. */
export async function readThumbnail(reader: Reader, hash: string): Promise<Uint8Array | null> {
  const row = await reader
    .selectFrom('photo_thumbnails')
    .select('thumbnail')
    .where('photo_hash', '=', hash)
    .executeTakeFirst();
  return row?.thumbnail ?? null;
}

/**
 * Finds the photos with the nearest fingerprints that laptops of other sellers show.
 * @param laptopId a laptop of the seller @param limit the maximum number of photos
 */
export async function selectCandidates(
  reader: Reader,
  { hash, laptopId }: { hash: string; laptopId: string },
  fingerprints: readonly bigint[],
  limit: number,
): Promise<{ hash: string; thumbnail: Uint8Array }[]> {
  const near = fingerprints.map((fingerprint) => {
    const [first, second, third, fourth] = nearbyQuarters(fingerprint);
    return sql`(
      select photo_hash, bit_count((fingerprint # ${BigInt.asIntN(64, fingerprint).toString()}::bigint)::bit(64)) as distance
        from (select photo_hash, fingerprint from photo_fingerprints
               where (quarter_1 = any (${first}::integer[]) or quarter_2 = any (${second}::integer[])
                      or quarter_3 = any (${third}::integer[]) or quarter_4 = any (${fourth}::integer[]))
                 and exists (select from laptop_photos where laptop_photos.photo_hash = photo_fingerprints.photo_hash)
               limit ${sql.lit(MAXIMUM_READ)}) as read)`;
  });
  const { rows } = await sql<{ hash: string; thumbnail: Uint8Array }>`
    select nearest.photo_hash as hash, thumbnail
      from (select photo_hash, min(distance) as distance from (${sql.join(near, sql` union all `)}) as near
             where distance <= ${sql.lit(MAXIMUM_DISTANCE)} and photo_hash <> ${hash}
               and exists (select from laptop_photos join laptops on laptops.id = laptop_photos.laptop_id
                            where laptop_photos.photo_hash = near.photo_hash
                              and laptops.seller_id <> (select seller_id from laptops where id = ${laptopId}))
             group by photo_hash order by distance, photo_hash limit ${sql.lit(limit)}) as nearest
      join photo_thumbnails on photo_thumbnails.photo_hash = nearest.photo_hash
     order by distance`.execute(reader);
  return rows;
}
