import type { Client } from 'pg';

/** A photo that rows reference. */
export interface ReferencedPhoto {
  hash: string;
  /** The URLs with which laptops show it. */
  urls: string[];
}

const FETCH_SIZE = 500;

/**
 * Returns SQL that selects the photos that rows reference: those that laptops show, and uploads that no laptop shows yet.
 * @param hasPhotosTable whether the rows' version of the schema has the table `photos`
 */
export function referencedPhotosQuery(hasPhotosTable: boolean): string {
  return `
    select hash, coalesce(array_agg(distinct url) filter (where url is not null), '{}') as urls
      from (
        select hash, url
          from laptops, unnest(images) as url, substr(url, strpos(url, '/photos/') + 8, 64) as hash
         where url like '%/photos/%-%' and length(hash) = 64 and hash !~ '[^0-9a-f]'
        ${hasPhotosTable ? `union all select hash, null from photos where state in ('waiting', 'listed')` : ''}
      ) as named
     group by hash order by hash`;
}

/** The referenced photos of a transaction's snapshot, which can be read after the transaction. */
export interface ReferencedPhotos extends AsyncIterable<ReferencedPhoto> {
  count(): Promise<number>;
}

/**
 * Declares a holdable cursor, which PostgreSQL keeps after the transaction until the connection is closed. Reading the
 * photos may take hours: this needs neither memory for the list nor an open transaction.
 */
export async function openReferencedPhotos(
  client: Client,
  hasPhotosTable: boolean,
): Promise<ReferencedPhotos> {
  await client.query(
    `declare named_photos scroll cursor with hold for ${referencedPhotosQuery(hasPhotosTable)}`,
  );
  return {
    async count() {
      const { rowCount } = await client.query('move forward all in named_photos');
      await client.query('move absolute 0 in named_photos');
      return rowCount ?? 0;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { rows } = await client.query<ReferencedPhoto>(`fetch ${FETCH_SIZE} from named_photos`);
        yield* rows;
        if (rows.length < FETCH_SIZE) return;
      }
    },
  };
}
