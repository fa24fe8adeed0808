import { sql } from 'kysely';
import { MAXIMUM_COUNTED } from '#contract/listings/brands.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { BrandRow } from './rules.ts';

/** Lists all brands in the order in which the shop shows them. */
export async function list(reader: Reader): Promise<BrandRow[]> {
  const { rows } = await sql<BrandRow>`
    select id, category_id, image, hidden_since,
           -- In the order of an index, so that a brand with few laptops is not counted by reading all laptops.
           (select count(*)::integer from (select from laptops where brand = brands.category_id and state = 'available'
                                            order by number desc limit ${MAXIMUM_COUNTED}) as counted) as for_sale,
           array(select former.category_id from former_brand_names as former
                  where brand_id = brands.id order by former.category_id) as former_names
      from brands order by position`.execute(reader);
  return rows;
}

/** Prevents other changes of brands until the transaction ends. Laptops can still be listed. */
export async function lockBrands(transaction: Transaction): Promise<Row<'brands'>[]> {
  await sql`lock table brands in share row exclusive mode`.execute(transaction);
  return transaction.selectFrom('brands').selectAll().orderBy('position').execute();
}

/** Waits until no laptop of a brand is being listed, and prevents that until the transaction ends. */
export async function lockListing(transaction: Transaction, id: string): Promise<void> {
  await transaction.selectFrom('brands').select('id').where('id', '=', id).forUpdate().execute();
}

/** Inserts a brand as the last one. @returns its id */
export async function insert(
  transaction: Transaction,
  brand: { category_id: string; skeleton: string; image: string | null },
): Promise<string> {
  const { id } = await transaction
    .insertInto('brands')
    .values({ ...brand, position: sql`(select coalesce(max(position), 0) + 1 from brands)` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes a brand; its laptops follow a new name. */
export async function update(
  transaction: Transaction,
  id: string,
  brand: { category_id: string; skeleton: string; image: string | null; hidden_since: Date | null },
): Promise<void> {
  await transaction.updateTable('brands').set(brand).where('id', '=', id).execute();
}

/** Gives the brands the positions of their ids. */
export async function setOrder(transaction: Transaction, ids: readonly string[]): Promise<void> {
  await sql`
    update brands set position = ordered.position
      from unnest(${ids}::uuid[]) with ordinality as ordered (id, position)
     where brands.id = ordered.id`.execute(transaction);
}

/** Lets the addresses of a name lead to a brand. */
export async function addFormerName(transaction: Transaction, name: string, brandId: string): Promise<void> {
  await transaction
    .insertInto('former_brand_names')
    .values({ category_id: name, brand_id: brandId })
    .onConflict((conflict) => conflict.column('category_id').doUpdateSet({ brand_id: brandId }))
    .execute();
}

/** Lets a name be that of a brand again. */
export async function removeFormerName(transaction: Transaction, name: string): Promise<void> {
  await transaction.deleteFrom('former_brand_names').where('category_id', '=', name).execute();
}

/** Removes a brand without laptops. Its former names become those of another one. */
export async function removeInto(transaction: Transaction, id: string, otherId: string): Promise<void> {
  await transaction
    .updateTable('former_brand_names')
    .set({ brand_id: otherId })
    .where('brand_id', '=', id)
    .execute();
  await transaction.deleteFrom('brands').where('id', '=', id).execute();
}
