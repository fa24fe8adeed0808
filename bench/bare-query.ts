import { Pool } from 'pg';
import { handleTasks, startServer } from './child.ts';
import { BareQueryTask } from './messages.ts';

/** The shop's number of database connections. */
const CONNECTIONS = 20;

/** The cursor of the first page: larger than any row number. */
const FIRST_CURSOR = '9223372036854775807';

// Builds the shop's response in the database. The bench's laptops have one photo each, the same facts are known of all, and none is measured.
const categoryPage = `
  select laptops.id as "_id", brand as "category_Id", laptops.name, location, $3 || images[1] as image,
    json_build_array($3 || images[1]) as images, description,
    json_build_object('memory', memory_gb, 'storage', storage_gb, 'screen', screen_inches, 'processor', processor,
      'graphics', graphics, 'system', system, 'battery', battery_percent) as facts,
    original_price_cents::float8 / 100 as original_price, resale_price_cents::float8 / 100 as resale_price, level,
    posted_time, users.name as sellers_name, seller_id, use_time, condition, delivery, state = 'sold' as paid,
    users.verified as "sellerVerified", advertised_at is not null as advertisement
  from laptops join users on users.id = seller_id
  where brand = $1 and state = 'available' and laptops.number < $2
  order by laptops.number desc limit 24`;

// A minimal Node server that runs one query per request: the baseline for uncached responses of the shop.
handleTasks(BareQueryTask, async ({ connectionString, photoOrigin }) => {
  const pool = new Pool({ connectionString, max: CONNECTIONS });
  const queryOf = (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://bare');
    const cursor = searchParams.get('cursor') ?? FIRST_CURSOR;
    const brand = pathname.split('/').at(-1);
    return { name: 'category-page', text: categoryPage, values: [brand, cursor, photoOrigin] };
  };
  return startServer((request, response) => {
    pool.query(queryOf(request.url ?? '/')).then(
      ({ rows }) => {
        const body = Buffer.from(JSON.stringify(rows));
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.length,
        });
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  });
});
