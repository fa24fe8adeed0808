import { type CompiledQuery, type Insertable, type Selectable, sql } from 'kysely';
import { MAXIMUM_PAGE_ROWS } from '#contract/scalars.ts';
import { byNumber, type Page, type PageRequest, rowsToRead, toPage } from '../database/page.ts';
import { prepared } from '../database/prepared.ts';
import type { BrandsTable, LaptopsTable, Reader, Transaction } from '../database/tables.ts';
import type { ListedLaptop } from './rules.ts';

/** A laptop's row without its seller. */
export type LaptopRow = Selectable<LaptopsTable>;

/** All brands, in the order of the shop. */
export function brands(reader: Reader): Promise<Selectable<BrandsTable>[]> {
  return reader.selectFrom('brands').selectAll().orderBy('position').execute();
}

export async function isBrand(reader: Reader, brand: string): Promise<boolean> {
  const row = await reader
    .selectFrom('brands')
    .select('id')
    .where('category_id', '=', brand)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Its columns are named, never `*`: the database keeps plans for these queries. Each of the lists below leaves out what
 * was withdrawn.
 */
function listed(reader: Reader) {
  return reader
    .selectFrom('laptops')
    .innerJoin('users', 'users.id', 'laptops.seller_id')
    .modifyFront(prepared)
    .select([
      'laptops.id',
      'laptops.number',
      'laptops.brand',
      'laptops.name',
      'laptops.location',
      // As JSON: the driver reads PostgreSQL's own form of an array sign by sign.
      sql<string[]>`to_json(laptops.images)`.as('images'),
      'laptops.description',
      'laptops.original_price_cents',
      'laptops.resale_price_cents',
      'laptops.posted_time',
      'laptops.use_time',
      'laptops.mobile_number',
      'laptops.condition',
      'laptops.state',
      'laptops.advertised_at',
      'laptops.taken_down_note',
      'users.name as seller_name',
      'users.email as seller_email',
      'users.verified as seller_verified',
    ])
    .$narrowType<Pick<ListedLaptop, 'state'>>();
}

/** The lists, with '' for the value that each call fills in. */
const lists = {
  availableByBrand: (reader: Reader) =>
    listed(reader).where('brand', '=', '').where('state', '=', sql.lit('available')),
  advertised: (reader: Reader) =>
    listed(reader).where('state', '=', sql.lit('available')).where('advertised_at', 'is not', null),
  ofSeller: (reader: Reader) =>
    listed(reader).where('seller_id', '=', '').where('state', '!=', sql.lit('withdrawn')),
};

/** How many rows are read at once. Few sizes, written into the query, so that few plans are kept, each for its size. */
const sizes = [25, MAXIMUM_PAGE_ROWS + 1];

/** Building a list's query takes longer than running it, so each of its forms is built once. */
const built = new Map<string, CompiledQuery<ListedLaptop>>();

async function readPage(
  reader: Reader,
  list: keyof typeof lists,
  values: readonly string[],
  request: PageRequest,
): Promise<Page<ListedLaptop>> {
  const wanted = rowsToRead(request);
  const size = sizes.find((each) => each >= wanted) ?? wanted;
  const form = `${list} ${size} ${request.after === null ? 'first' : 'later'}`;
  let query = built.get(form);
  if (query === undefined) {
    const all = lists[list](reader).orderBy('laptops.number', 'desc').limit(sql.lit(size));
    query = (request.after === null ? all : all.where('laptops.number', '<', request.after)).compile();
    built.set(form, query);
  }
  const parameters = request.after === null ? values : [...values, request.after];
  const { rows } = await reader.executeQuery<ListedLaptop>({ ...query, parameters });
  return toPage(rows, request, byNumber);
}

/** A brand's laptops that are for sale, the newest first. */
export function availableByBrand(
  reader: Reader,
  brand: string,
  request: PageRequest,
): Promise<Page<ListedLaptop>> {
  return readPage(reader, 'availableByBrand', [brand], request);
}

/** Laptops that are advertised and for sale, the newest first. */
export function advertised(reader: Reader, request: PageRequest): Promise<Page<ListedLaptop>> {
  return readPage(reader, 'advertised', [], request);
}

/** A seller's laptops but those withdrawn, the newest first. */
export function ofSeller(
  reader: Reader,
  sellerId: string,
  request: PageRequest,
): Promise<Page<ListedLaptop>> {
  return readPage(reader, 'ofSeller', [sellerId], request);
}

/** A laptop that is for sale. */
export function findAvailable(reader: Reader, id: string): Promise<ListedLaptop | undefined> {
  return listed(reader)
    .where('laptops.id', '=', id)
    .where('state', '=', sql.lit('available'))
    .executeTakeFirst();
}

/** Adds a laptop to the shelf. @returns its id */
export async function insert(
  transaction: Transaction,
  laptop: Omit<Insertable<LaptopsTable>, 'state' | 'sold_to_id' | 'taken_down_note' | 'advertised_at'>,
): Promise<string> {
  const row = await transaction
    .insertInto('laptops')
    .values(laptop)
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A laptop in whatever state. */
export function find(reader: Reader, id: string): Promise<LaptopRow | undefined> {
  return reader.selectFrom('laptops').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The same, locked until the transaction ends: whoever sells or withdraws it waits in line here. */
export function lock(transaction: Transaction, id: string): Promise<LaptopRow | undefined> {
  return transaction.selectFrom('laptops').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The same, locked against changes but not against others who only share it. */
export function share(transaction: Transaction, id: string): Promise<LaptopRow | undefined> {
  return transaction.selectFrom('laptops').selectAll().where('id', '=', id).forShare().executeTakeFirst();
}

/** Takes a locked laptop out of the shop. */
export async function withdraw(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ state: 'withdrawn', taken_down_note: null })
    .where('id', '=', id)
    .execute();
}

/** Takes a seller's unsold laptops out of the shop. @returns their ids */
export async function withdrawAll(transaction: Transaction, sellerId: string): Promise<string[]> {
  const rows = await transaction
    .updateTable('laptops')
    .set({ state: 'withdrawn', taken_down_note: null })
    .where('seller_id', '=', sellerId)
    .where('state', 'in', ['available', 'taken_down'])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes a locked laptop down, with a note to its seller. */
export async function takeDown(transaction: Transaction, id: string, note: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ state: 'taken_down', taken_down_note: note })
    .where('id', '=', id)
    .execute();
}

/** Advertises a locked laptop. */
export async function advertise(transaction: Transaction, id: string): Promise<void> {
  await transaction.updateTable('laptops').set({ advertised_at: new Date() }).where('id', '=', id).execute();
}

/** Marks a locked laptop as sold. */
export async function markSold(transaction: Transaction, id: string, buyerId: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ state: 'sold', sold_to_id: buyerId })
    .where('id', '=', id)
    .where('state', '=', 'available')
    .execute();
}

/** Those of these photos, by hash, that a laptop shows. */
export async function findListedPhotos(reader: Reader, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from unnest(${hashes}::text[]) as hash
     where exists (select from laptop_photos where photo_hash = hash)
  `.execute(reader);
  return rows.map(({ hash }) => hash);
}

/**
 * Puts the brand's picture in the place of the photos of a seller's withdrawn laptops, which others' bookings name.
 * @returns the photos that they have shown
 */
export async function removePhotos(transaction: Transaction, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ images: string[] }>`
    with shown as (
      select id, images from laptops where seller_id = ${sellerId} and state = 'withdrawn' for update
    )
    update laptops set images = array[brands.image]
      from shown, brands
     where laptops.id = shown.id and brands.category_id = laptops.brand
    returning shown.images
  `.execute(transaction);
  return rows.flatMap(({ images }) => images);
}

/** Overwrites where and how a seller can be met, on all of that seller's laptops. */
export async function removeContacts(transaction: Transaction, sellerId: string): Promise<void> {
  await transaction
    .updateTable('laptops')
    .set({ mobile_number: 'removed', location: 'removed' })
    .where('seller_id', '=', sellerId)
    .execute();
}
