import { type Kysely, sql } from 'kysely';

/** The index by which the meetings are counted that were proposed in a conversation within a day. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`create index meetings_of_a_conversation on meetings (conversation_id, state_since)`.execute(
    database,
  );
}
