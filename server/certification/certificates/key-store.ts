import { sql } from 'kysely';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';

/** Waits until no other transaction makes, retires or revokes keys. Held until the end of the transaction. */
export async function lockKeys(transaction: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('certificate keys'))`.execute(transaction);
}

/** The key that signs. */
export function current(reader: Reader): Promise<Row<'certificate_keys'> | undefined> {
  return reader.selectFrom('certificate_keys').selectAll().where('retired_at', 'is', null).executeTakeFirst();
}

/** All keys, newest first. */
export function all(reader: Reader): Promise<Row<'certificate_keys'>[]> {
  return reader.selectFrom('certificate_keys').selectAll().orderBy('number', 'desc').limit(1000).execute();
}

/** Selects a key with FOR SHARE, so that it is not revoked before the transaction ends. @returns whether it still signs */
export async function selectForShare(transaction: Transaction, kid: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('certificate_keys')
    .select('kid')
    .where('kid', '=', kid)
    .where('retired_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** The number of the next key. Hold the lock. */
export async function nextNumber(transaction: Transaction): Promise<number> {
  const { last } = await transaction
    .selectFrom('certificate_keys')
    .select((expression) => expression.fn.max('number').as('last'))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

export async function insert(
  transaction: Transaction,
  key: { number: number; kid: string; publicKey: string },
): Promise<void> {
  await transaction
    .insertInto('certificate_keys')
    .values({ number: key.number, kid: key.kid, public_key: key.publicKey })
    .execute();
}

/** Retires the key that signs. */
export async function retire(transaction: Transaction): Promise<void> {
  await transaction
    .updateTable('certificate_keys')
    .set({ retired_at: sql<Date>`now()` })
    .where('retired_at', 'is', null)
    .execute();
}

/** Revokes a key. @returns whether there was one to revoke */
export async function revoke(transaction: Transaction, kid: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('certificate_keys')
    .set({ revoked_at: sql<Date>`now()`, retired_at: sql<Date>`coalesce(retired_at, now())` })
    .where('kid', '=', kid)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes the laptops whose latest certificate a key signed. @returns how many */
export async function noteCertificatesOf(transaction: Transaction, kid: string): Promise<number> {
  const { rows } = await sql`
    insert into certificates_to_renew (laptop_id)
      select laptop_id from certificate_versions as present
       where kid = ${kid} and revoked_at is null
         and not exists (select from certificate_versions as later
                          where later.laptop_id = present.laptop_id and later.version > present.version)
      on conflict (laptop_id) do update set noted_at = certificates_to_renew.noted_at
      returning laptop_id`.execute(transaction);
  return rows.length;
}
