import { type Kysely, sql } from 'kysely';

/** Lists a conversation that has only a proposed meeting: a proposal takes a number of its own in the order of the messages. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table conversations
      drop constraint latest_with_messages,
      add constraint latest_with_messages check (messages = 0 or latest_number is not null)`.execute(
    database,
  );
  await sql`
    update conversations set latest_number = nextval(pg_get_serial_sequence('messages', 'number'))
     where latest_number is null
       and exists (select from meetings where conversation_id = conversations.id)`.execute(database);
}
