import { sql } from 'kysely';
import type { Database, Reader } from '#server/platform/database/tables.ts';

/** The id of an account's customer at the card processor; null before its first payment. */
export async function findCardCustomer(reader: Reader, userId: string): Promise<string | null> {
  const row = await reader
    .selectFrom('users')
    .select('card_customer_id')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.card_customer_id ?? null;
}

/**
 * Stores the customer of an active account, unless the account has another one than the known one by now.
 * @returns the customer that the account has then; undefined when the account has ended
 */
export async function replaceCardCustomer(
  database: Database,
  userId: string,
  { known, created }: { known: string | null; created: string },
): Promise<string | null | undefined> {
  const { rows } = await sql<{ card_customer_id: string | null }>`
    update users
       set card_customer_id = case when card_customer_id is not distinct from ${known}::text then ${created}
                                   else card_customer_id end
     where id = ${userId} and ended_at is null
 returning card_customer_id`.execute(database);
  return rows[0]?.card_customer_id;
}

/** Removes the id of a customer that was deleted at the card processor. */
export async function removeCardCustomer(database: Database, userId: string): Promise<void> {
  await database.updateTable('users').set({ card_customer_id: null }).where('id', '=', userId).execute();
}
