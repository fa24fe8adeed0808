import type { Client } from 'pg';

/** A photo that rows reference. */
export interface ReferencedPhoto {
  hash: string;
  /** The URLs with which laptops show it. */
  urls: string[];
}

const FETCH_SIZE = 500;

/** Selects the photos that rows reference: those that laptops show, and uploads that no laptop shows yet. */
export const REFERENCED_PHOTOS = `
    select hash, coalesce(array_agg(distinct url) filter (where url is not null), '{}') as urls
      from (
        select hash, url
          from laptops, unnest(images) as url, substr(url, strpos(url, '/photos/') + 8, 64) as hash
         where url like '%/photos/%-%' and length(hash) = 64 and hash !~ '[^0-9a-f]'
        union all select hash, null from photos where state in ('waiting', 'listed')
      ) as referenced
     group by hash order by hash`;

/** The referenced photos of a transaction's snapshot, which can be read after the transaction. */
export interface ReferencedPhotos extends AsyncIterable<ReferencedPhoto> {
  count(): Promise<number>;
}

/**
 * Declares a holdable cursor, which PostgreSQL keeps after the transaction until the connection is closed. Reading the
 * photos may take hours: this needs neither memory for the list nor an open transaction.
 */
export async function openReferencedPhotos(client: Client): Promise<ReferencedPhotos> {
  await client.query(`declare referenced_photos scroll cursor with hold for ${REFERENCED_PHOTOS}`);
  return {
    async count() {
      const { rowCount } = await client.query('move forward all in referenced_photos');
      await client.query('move absolute 0 in referenced_photos');
      return rowCount ?? 0;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { rows } = await client.query<ReferencedPhoto>(`fetch ${FETCH_SIZE} from referenced_photos`);
        yield* rows;
        if (rows.length < FETCH_SIZE) return;
      }
    },
  };
}
