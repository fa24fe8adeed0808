import { type Kysely, sql } from 'kysely';

/** Responses to requests with an idempotency key; `server/http/idempotency.ts` describes their use. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table idempotency_keys (
      user_id uuid not null references users,
      key text not null check (length(key) between 1 and 200),
      fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
      answer text not null check (length(answer) <= 10000),
      expires_at timestamptz not null,
      primary key (user_id, key)
    );
    create index idempotency_keys_expires_at on idempotency_keys (expires_at);
  `.execute(database);
}
