import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { prepared } from '../database/prepared-statements.ts';
import type { Database, Reader, Transaction } from '../database/tables.ts';
import { Refusal } from './refusal.ts';

/** How long a response is stored for retries. */
const LIFETIME = sql`interval '24 hours'`;

/** The maximum number of stored responses per user; the oldest are removed. */
const MAXIMUM_KEYS_PER_USER = 100;

/** Valid keys: visible ASCII without spaces, so that two header fields, joined by `, `, are invalid. */
const keyPattern = /^[\x21-\x7e]{1,200}$/;

/** The serialized response of a committed transaction. Only {@link Idempotency} creates one. */
export class CommittedResponse {
  readonly json: string;
  /** Whether it is the stored response of an earlier request with the same key. */
  readonly replayed: boolean;
  constructor(json: string, replayed: boolean) {
    this.json = json;
    this.replayed = replayed;
  }
}

/** A request with an idempotency key. */
export interface KeyedRequest {
  userId: string;
  key: string;
  /** SHA-256 of the call and its parsed input, in hexadecimal digits. */
  fingerprint: string;
}

/** Runs an operation and stores its response in one transaction. @throws Refusal, and errors of the operation */
export type Transact<Answer> = (
  operation: (transaction: Transaction) => Promise<Answer>,
) => Promise<CommittedResponse>;

export type Idempotency = ReturnType<typeof createIdempotency>;

/**
 * Reads an `Idempotency-Key` header.
 * @param header undefined when the request has none
 * @param content the call and its input; the same content under the same key is a retry
 * @throws Refusal `malformed_request`
 */
export function keyedRequest(
  header: string | string[] | undefined,
  userId: string,
  content: { method: string; path: string; params: unknown; query: unknown; body: unknown },
): KeyedRequest | null {
  if (header === undefined) return null;
  if (typeof header !== 'string' || !keyPattern.test(header)) {
    throw new Refusal(
      'malformed_request',
      'An Idempotency-Key has 1 to 200 visible ASCII characters and no spaces. Nothing was done.',
    );
  }
  return { userId, key: header, fingerprint: requestFingerprint(content) };
}

/** Tells requests apart by what they contain. */
export const requestFingerprint = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

async function findIn(reader: Reader, request: KeyedRequest): Promise<CommittedResponse | null> {
  const row = await reader
    .selectFrom('idempotency_keys')
    .modifyFront(prepared)
    .select(['fingerprint', 'answer'])
    .where('user_id', '=', request.userId)
    .where('key', '=', request.key)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.fingerprint !== request.fingerprint) {
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was sent before with other content, and that request was carried out. Nothing was changed now; please send this one with a new key.',
    );
  }
  return new CommittedResponse(row.answer, true);
}

/** Takes a lock until the transaction ends. @returns false while another transaction holds it */
async function tryLock(transaction: Transaction, { userId, key }: KeyedRequest): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    ${prepared}
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${userId} ${key}`}, 0)) as locked
  `.execute(transaction);
  return rows[0]?.locked === true;
}

async function store(transaction: Transaction, { userId, key, fingerprint }: KeyedRequest, answer: string) {
  await sql`
    ${prepared}
    with stored as (
      insert into idempotency_keys (user_id, key, fingerprint, answer, expires_at)
        values (${userId}, ${key}, ${fingerprint}, ${answer}, clock_timestamp() + ${LIFETIME})
        -- An expired row may still exist.
        on conflict (user_id, key) do update
          set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    )
    -- Skips rows that another transaction is deleting: waiting could deadlock. The stored row is not in its snapshot.
    delete from idempotency_keys
     where user_id = ${userId}
       and key in (select key from idempotency_keys where user_id = ${userId} and key <> ${key}
                    order by expires_at desc offset ${sql.lit(MAXIMUM_KEYS_PER_USER - 1)} for update skip locked)
  `.execute(transaction);
}

/**
 * Idempotency keys, as in the IETF draft "The Idempotency-Key HTTP Header Field". A response is stored in the transaction
 * of its operation, so both are committed or neither. A refused or failed request stores nothing, so its retry runs.
 */
export function createIdempotency(database: Database) {
  return {
    /** The stored response of an earlier request with this key, or null. @throws Refusal when its content differed */
    find: (request: KeyedRequest) => findIn(database, request),
    /**
     * Runs an operation and stores its response in the same transaction, unless an earlier request did so.
     * @param request null for a request without a key: its response is not stored
     * @throws Refusal `request_in_progress` while another request with this key is running
     */
    run: <Answer>(
      request: KeyedRequest | null,
      operation: (transaction: Transaction) => Promise<Answer>,
    ): Promise<CommittedResponse> =>
      database.transaction().execute(async (transaction) => {
        if (request === null)
          return new CommittedResponse(JSON.stringify(await operation(transaction)), false);
        if (!(await tryLock(transaction, request))) {
          throw new Refusal(
            'request_in_progress',
            'The same request is still being carried out. Please try again in a moment; it is carried out once.',
            { retryAt: new Date(Date.now() + 1_000) },
          );
        }
        // A separate statement sees what was committed before the lock was acquired.
        const known = await findIn(transaction, request);
        if (known !== null) return known;
        const json = JSON.stringify(await operation(transaction));
        await store(transaction, request, json);
        return new CommittedResponse(json, false);
      }),
    /** Removes expired responses. */
    sweep: async (): Promise<void> => {
      await sql`delete from idempotency_keys where expires_at < now()`.execute(database);
    },
  };
}

/** Deletes a user's idempotency keys and their stored answers. */
export async function deleteIdempotencyKeys(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();
}
