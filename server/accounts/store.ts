import type { SqlBool } from 'kysely';
import type { Role } from '#contract/scalars.ts';
import type { Database, Reader, Transaction, UserRow } from '../database/tables.ts';
import { anonymizedEmail } from './rules.ts';

/** The user with this id, ended or not. */
export function findById(reader: Reader, id: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The user whom a token names, ended or not, and whether the sign-in that it was given for has ended. */
export function findBearer(
  reader: Reader,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<(UserRow & { session_ended: SqlBool }) | undefined> {
  return reader
    .selectFrom('users')
    .selectAll()
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('ended_sessions').select('id').where('ended_sessions.id', '=', sessionId)).as(
        'session_ended',
      ),
    )
    .where('users.id', '=', userId)
    .executeTakeFirst();
}

/** Whether a sign-in has ended, as the identity provider said. */
export async function isSessionEnded(reader: Reader, sessionId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('ended_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a sign-in has ended, for so long that no token of it can outlive the note. */
export async function recordEndedSession(
  database: Database,
  sessionId: string,
  forgetAt: Date,
): Promise<void> {
  await database
    .insertInto('ended_sessions')
    .values({ id: sessionId, forget_at: forgetAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Drops the notes of sign-ins whose tokens have all expired. */
export async function removeExpiredSessions(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('ended_sessions').where('forget_at', '<', now).execute();
}

/** The user with this e-mail in lower case, ended or not. */
export function findByEmail(reader: Reader, email: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Which of these e-mail addresses belong to active accounts. */
export async function findActiveEmails(reader: Reader, emails: readonly string[]): Promise<string[]> {
  const rows = await reader
    .selectFrom('users')
    .select('email')
    .where('email', 'in', emails)
    .where('ended_at', 'is', null)
    .orderBy('email')
    .execute();
  return rows.map(({ email }) => email);
}

/** Adds a user; undefined when the e-mail is known already. */
export async function insert(
  transaction: Transaction,
  user: { email: string; name: string; role: Role; email_verified: boolean },
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Writes what the identity provider says of the address of an account. */
export async function setEmailVerified(database: Database, id: string, verified: boolean): Promise<void> {
  await database.updateTable('users').set({ email_verified: verified }).where('id', '=', id).execute();
}

/** Marks a living seller as verified. @returns how many rows changed: 0 when there is no such seller or it already is */
export async function markVerified(transaction: Transaction, email: string): Promise<number> {
  const result = await transaction
    .updateTable('users')
    .set({ verified: true })
    .where('email', '=', email)
    .where('role', '=', 'Seller')
    .where('ended_at', 'is', null)
    .where('verified', '=', false)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Ends a living account of a role. @returns its row, or undefined when there is none */
export function endActive(
  transaction: Transaction,
  { id, role, at }: { id: string; role: Role; at: Date },
): Promise<UserRow | undefined> {
  return transaction
    .updateTable('users')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('role', '=', role)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Whether this account is alive; if it is, it stays so until the transaction ends. Any number may share it. */
export async function share(transaction: Transaction, id: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** The same, and nobody else can lock the account until the transaction ends. */
export async function lock(transaction: Transaction, id: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The living admins' ids, locked until the transaction ends. */
export async function selectAdminsForUpdate(transaction: Transaction): Promise<string[]> {
  const rows = await transaction
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'Admin')
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes name and address from an ended account's row, which stays because sales, reports and bookings name it. */
export async function anonymize(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ name: 'Former account', email: anonymizedEmail(id), verified: false, email_verified: false })
    .where('id', '=', id)
    .execute();
}

/** Gives a living user a role, from the command line only. @returns the user, or undefined when there is none */
export function setRole(database: Database, email: string, role: Role): Promise<UserRow | undefined> {
  return database
    .updateTable('users')
    .set(role === 'Seller' ? { role } : { role, verified: false })
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
