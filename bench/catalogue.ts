import type { Client } from 'pg';
import { FACTS_VERSION } from '#server/listings/catalogue/rules.ts';

/** Ids and paths of the loaded catalogue that measurements use. */
export interface Catalogue {
  laptops: { id: string; price: number }[];
  /** A path for each full page of 24 laptops: one for each of the laptops above with at least 24 after it. */
  pages: string[];
}

/** The most laptops of which measurements use the ids and paths. */
const MAXIMUM_USED = 10_000;
const SELLERS = 40;
const BUYERS = 200;

/** The page size of the shop. */
const PAGE = 24;

const insertUsers = `
  insert into users (email, name, is_buyer, is_seller, verified)
  select format('%s.%s@bench.example', lower($1), n), format('%s %s', $2::text, n), $1 = 'Buyer', $1 = 'Seller', $1 = 'Seller' and n % 4 <> 0
  from generate_series(1, $3::integer) n
  returning id`;

const photoHash = `md5(n::text) || md5((n + 1)::text)`;

const insertPhotos = `
  insert into photos (hash, state)
  select ${photoHash}, 'listed' from generate_series($1::integer, $2::integer) n`;

// Rows of a realistic size: seven configuration fields and a few sentences.
const insertLaptops = `
  insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
    resale_price_cents, posted_time, use_time, mobile_number, condition, advertised_at, memory_gb, storage_gb,
    screen_inches, processor, graphics, system, battery_percent, facts_version)
  select
    (array['HP', 'Dell', 'Acer'])[n % 3 + 1],
    ($1::uuid[])[n % cardinality($1::uuid[]) + 1],
    format('%s %s G%s', (array['EliteBook', 'Latitude', 'TravelMate'])[n % 3 + 1], 5000 + n % 700, n % 9 + 1),
    (array['Lisbon', 'Porto', 'Braga', 'Coimbra', 'Faro'])[n % 5 + 1],
    array[format('/photos/%s-1280x960-%s/1280.webp', ${photoHash}, left(md5(n::text), 36))],
    jsonb_build_object(
      'Processor', format('Intel Core i%s-1%s35G%s, up to 4.2 GHz', n % 3 * 2 + 3, n % 4, n % 7),
      'Graphics', 'Intel Iris Xe',
      'Display', '14 inch, 1920 × 1080, matte',
      'Memory', format('%s GB DDR4', 8 << n % 3),
      'Storage', format('%s GB NVMe', 256 << n % 3),
      'Battery', format('%s %% of its first capacity', 70 + n % 30),
      'Operating', 'Windows 11 Pro',
      'Notes', 'Used in an office, always on a desk. One small scratch on the lid, keys and screen without marks.'
        || ' Freshly installed, with its charger and a sleeve.'
    ),
    90000 + n % 900 * 100,
    30000 + n % 500 * 100 + 99,
    '11/20/2026, 9:30:00 AM GMT',
    format('%s years', n % 5 + 1),
    format('+351 912 %s', 100000 + n),
    (array['Excellent', 'Good', 'Fair'])[n % 3 + 1],
    case when n % 2500 = 0 then now() end,
    8 << n % 3, 256 << n % 3, 14, format('intel-core-i%s', n % 3 * 2 + 3), 'integrated', 'windows-11', 70 + n % 30, ${FACTS_VERSION}
  from generate_series($2::integer, $3::integer) n`;

/** Laptops that one statement inserts: its triggers hold all of them in memory. */
const INSERTED_AT_ONCE = 50_000;

async function addUsers(client: Client, role: string, name: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(insertUsers, [role, name, count]);
  return rows.map(({ id }) => id);
}

/** Inserts sellers and buyers. @returns their ids */
export async function loadUsers(client: Client): Promise<{ sellerIds: string[]; buyerIds: string[] }> {
  return {
    sellerIds: await addUsers(client, 'Seller', 'Sam Seller', SELLERS),
    buyerIds: await addUsers(client, 'Buyer', 'Bea Buyer', BUYERS),
  };
}

/** Inserts the laptops from one number to another into the shop's tables, while no shop runs. */
export async function loadLaptops(
  client: Client,
  sellerIds: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (let first = from; first <= to; first += INSERTED_AT_ONCE) {
    const last = Math.min(first + INSERTED_AT_ONCE - 1, to);
    await client.query(insertPhotos, [first, last]);
    await client.query(insertLaptops, [sellerIds, first, last]);
  }
  // The background work on new laptops would take part of the measured time.
  await client.query('truncate laptops_to_match, laptops_to_compare');
  // Autovacuum would do this within a minute, in the middle of a measurement.
  await client.query('vacuum analyze');
}

/** Reads what measurements use of the loaded laptops. */
export async function readCatalogue(client: Client): Promise<Catalogue> {
  const { rows } = await client.query<{
    id: string;
    brand: string;
    number: string;
    cents: number;
    behind: number;
  }>(
    `select id, brand, number, resale_price_cents as cents,
       (select count(*)::integer from (
          select from laptops as older
           where older.brand = laptops.brand and older.number < laptops.number and state = 'available'
           limit ${PAGE}) as enough) as behind
     from laptops order by number desc limit ${MAXIMUM_USED}`,
  );
  return {
    laptops: rows.map(({ id, cents }) => ({ id, price: cents / 100 })),
    pages: rows
      .filter(({ behind }) => behind >= PAGE)
      .map(({ brand, number }) => `${listPath(brand)}&cursor=${number}`),
  };
}

/** Returns the path of a brand's first page. */
export function listPath(brand: string): string {
  return `/api/category/${brand}?limit=${PAGE}`;
}
