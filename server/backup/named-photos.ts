import type { Client } from 'pg';

/** A photo that rows name. */
export interface NamedPhoto {
  hash: string;
  /** The addresses at which laptops show it. */
  urls: string[];
}

const FETCH = 500;

/**
 * Selects the photos that the rows name: those that laptops show and those that wait for a laptop. It reads only tables
 * that the version has of which the rows are.
 * @param recorded whether there is the table of uploaded photos
 */
export function photosNamedByRows(recorded: boolean): string {
  return `
    select hash, coalesce(array_agg(distinct url) filter (where url is not null), '{}') as urls
      from (
        select hash, url
          from laptops, unnest(images) as url, substr(url, strpos(url, '/photos/') + 8, 64) as hash
         where url like '%/photos/%-%' and length(hash) = 64 and hash !~ '[^0-9a-f]'
        ${recorded ? `union all select hash, null from photos where state in ('waiting', 'listed')` : ''}
      ) as named
     group by hash order by hash`;
}

/** Photos as the snapshot of a transaction has them, to be read after it has ended. */
export interface NamedPhotos extends AsyncIterable<NamedPhoto> {
  count(): Promise<number>;
}

/**
 * Has PostgreSQL keep the list of named photos from the end of the transaction until the connection closes. Reading the
 * photos takes hours: neither is the list held in memory here, nor is the transaction kept open.
 * @param recorded whether there is the table of uploaded photos
 */
export async function holdNamedPhotos(client: Client, recorded: boolean): Promise<NamedPhotos> {
  await client.query(`declare named_photos scroll cursor with hold for ${photosNamedByRows(recorded)}`);
  return {
    async count() {
      const { rowCount } = await client.query('move forward all in named_photos');
      await client.query('move absolute 0 in named_photos');
      return rowCount ?? 0;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { rows } = await client.query<NamedPhoto>(`fetch ${FETCH} from named_photos`);
        yield* rows;
        if (rows.length < FETCH) return;
      }
    },
  };
}
