import { type Kysely, sql } from 'kysely';

/** The export of the amounts due reads the sellers to whom money is due in the order of their ids, among many without. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`create index seller_balances_due_by_seller on seller_balances (seller_id) where balance_cents > 0`.execute(
    database,
  );
}
