import { type Kysely, sql } from 'kysely';

/** Exports read in the order of ids: the sellers to whom money is due, among many without, and the transfers of a seller. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`create index seller_balances_due_by_seller on seller_balances (seller_id) where balance_cents > 0`.execute(
    database,
  );
  await sql`create index transfers_by_seller on transfers (seller_id, id)`.execute(database);
  // The new index serves its queries as well.
  await sql`drop index transfers_of_a_seller`.execute(database);
}
