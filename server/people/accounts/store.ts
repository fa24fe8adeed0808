import { sql } from 'kysely';
import type { StaffArea, StaffRights } from '#contract/platform/staff-rights.ts';
import type { Account } from '#emails/user-text.ts';
import { prepared } from '#server/platform/database/prepared-statements.ts';
import type { Database, Reader, Transaction, UserRow } from '#server/platform/database/tables.ts';
import type { EndedSession } from './identity-verifier.ts';
import { applyWaitingName, takeWaitingName } from './name-store.ts';
import {
  anonymizedEmail,
  type RightColumns,
  type RoleColumns,
  toRecipient,
  type VerifiedColumns,
  withoutBadges,
} from './rules.ts';

/** Finds a user, active or ended. */
export function findUser(reader: Reader, id: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Finds a user, active or ended, as the recipient of an email. */
export async function findEmailRecipient(reader: Reader, id: string): Promise<Account | undefined> {
  const row = await reader
    .selectFrom('users')
    .select(['name', 'email', 'email_verified'])
    .where('id', '=', id)
    .modifyFront(prepared)
    .executeTakeFirst();
  return row && toRecipient(row);
}

/** Not a parameter: a plan for all parameters could not use the index of admins. */
const isAdmin = sql<boolean>`is_admin`;

/** Whether a user works in an area: an admin with the right, or an owner. */
const worksIn = (area: StaffArea) => sql`is_admin and (is_owner or ${area} = any (areas))`;

/** The ids of the active admins who work in an area. */
export async function findAdminsOf(reader: Reader, area: StaffArea): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where ended_at is null and ${worksIn(area)} order by number`.execute(reader);
  return rows.map(({ id }) => id);
}

/** All active admins: owners first. */
export function listAdmins(reader: Reader): Promise<UserRow[]> {
  return reader
    .selectFrom('users')
    .selectAll()
    .where(isAdmin)
    .where('ended_at', 'is', null)
    .orderBy('is_owner', 'desc')
    .orderBy('number')
    .execute();
}

export interface TokenUser
  extends Pick<UserRow, 'id' | 'email' | 'name' | 'ended_at'>,
    RoleColumns,
    RightColumns {
  session_ended: boolean;
}

/** Finds the user of a token, active or ended, and whether the token's session has ended. */
export async function findTokenUser(
  reader: Reader,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<TokenUser | undefined> {
  const { rows } = await sql<TokenUser>`${prepared}
    select id, email, name, is_buyer, is_seller, is_admin, is_owner, areas, ended_at,
           exists (select from ended_sessions where ended_sessions.id = ${sessionId}) as session_ended
      from users where users.id = ${userId}`.execute(reader);
  return rows[0];
}

/** Whether the identity provider has reported the end of a session. */
export async function isSessionEnded(reader: Reader, sessionId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('ended_sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records the end of a session. @param removeAt after the expiry of all its tokens */
export async function recordEndedSession(
  database: Database,
  { id, replacedBy }: EndedSession,
  removeAt: Date,
): Promise<void> {
  await database
    .insertInto('ended_sessions')
    .values({ id, replaced_by: replacedBy, forget_at: removeAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** Removes records of sessions whose tokens have all expired. */
export async function removeExpiredSessions(database: Database, now: Date): Promise<void> {
  await database.deleteFrom('ended_sessions').where('forget_at', '<', now).execute();
}

/** Finds the user with this email address, active or ended. @param email in lower case */
export function findByEmail(reader: Reader, email: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Selects those of these email addresses that belong to active accounts. @param emails in lower case */
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

/** Inserts a user. @returns the id, or undefined when the email address is taken */
export async function insert(
  transaction: Transaction,
  user: Pick<UserRow, 'email' | 'name' | 'is_buyer' | 'is_seller'> & VerifiedColumns,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Stores whether the identity provider has verified the address, unless an ID token that was issued later has said so.
 * @returns whether it is stored
 */
export async function setEmailVerified(
  transaction: Transaction,
  id: string,
  columns: VerifiedColumns,
): Promise<boolean> {
  const result = await transaction
    .updateTable('users')
    .set(columns)
    .where('id', '=', id)
    .where(({ or, eb }) =>
      or([
        eb('email_verified_as_of', 'is', null),
        eb('email_verified_as_of', '<=', columns.email_verified_as_of),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Adds a role to an active account that has the other one. @returns whether there is one without it */
export async function addRole(
  database: Database,
  id: string,
  column: 'is_buyer' | 'is_seller',
): Promise<boolean> {
  const result = await database
    .updateTable('users')
    .set(column, true)
    .where('id', '=', id)
    .where(column, '=', false)
    .where('is_admin', '=', false)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Ends an active account, and removes its telephone number and its waiting name.
 * @param roles that the account must have or not have
 * @returns its row, or undefined when there is none
 */
export async function endActive(
  transaction: Transaction,
  { id, roles, at }: { id: string; roles: Partial<RoleColumns>; at: Date },
): Promise<UserRow | undefined> {
  const user = await transaction
    .updateTable('users')
    .set({ ended_at: at, phone: null, phone_confirmed_at: null })
    .where('id', '=', id)
    .where(({ and }) => and(roles))
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (user !== undefined) await takeWaitingName(transaction, { user_id: id });
  return user;
}

/** The query of {@link lockActiveAccountForShare}, for a statement that locks an account and then rows of others. */
export const activeAccountForShare = (id: string) =>
  sql<{ id: string; is_buyer: boolean }>`
    select id, is_buyer from users where id = ${id} and ended_at is null for share`;

/**
 * Locks an account with FOR SHARE, so that it cannot end before the transaction. Call it before writing rows of the account:
 * the access check before the transaction may be outdated. Lock order: account, photos, laptops, bookings.
 * @returns whether the account is active
 */
export async function lockActiveAccountForShare(transaction: Transaction, id: string): Promise<boolean> {
  const { rows } = await sql`${prepared} ${activeAccountForShare(id)}`.execute(transaction);
  return rows.length > 0;
}

/**
 * Locks an admin's account with FOR SHARE, so that the rights do not change before the transaction ends.
 * @returns whether the admin is active and works in the area
 */
export async function lockAdminForShare(
  transaction: Transaction,
  id: string,
  area: StaffArea,
): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${id} and ended_at is null and ${worksIn(area)} for share`.execute(
    transaction,
  );
  return rows.length > 0;
}

/** Locks a user with FOR SHARE, active or ended. Same lock order as {@link lockActiveAccountForShare}. @returns the name */
export async function lockName(transaction: Transaction, id: string): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('users')
    .select('name')
    .where('id', '=', id)
    .forShare()
    .modifyFront(prepared)
    .executeTakeFirst();
  return row?.name;
}

/** Locks a user with FOR NO KEY UPDATE, active or ended. Same lock order as {@link lockActiveAccountForShare}. */
export function lockUser(transaction: Transaction, id: string): Promise<UserRow | undefined> {
  return transaction.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Locks an account with FOR NO KEY UPDATE, for limits on what one account may have at the same time. Same lock order as
 * {@link lockActiveAccountForShare}.
 * @returns the account; undefined when it has ended
 */
export function lockActiveAccount(transaction: Transaction, id: string): Promise<UserRow | undefined> {
  return transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Locks accounts with FOR KEY SHARE, which the foreign keys of new rows do as well: before other locks, so that a deletion of
 * one of the accounts and the transaction do not wait for each other. Same lock order as {@link lockActiveAccountForShare}.
 */
export async function lockAccountKeys(transaction: Transaction, ids: readonly string[]): Promise<void> {
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
}

/** Locks all active owners with FOR UPDATE, ordered by id. @returns their ids */
export async function selectOwnersForUpdate(transaction: Transaction): Promise<string[]> {
  const rows = await transaction
    .selectFrom('users')
    .select('id')
    .where(isAdmin)
    .where('is_owner', '=', true)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes name and address from an ended account. The row stays because sales, reports and bookings refer to it. */
export async function anonymize(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({
      name: 'Former account',
      email: anonymizedEmail(id),
      ...withoutBadges,
      email_verified: false,
    })
    .where('id', '=', id)
    .execute();
}

/** Takes an address from an ended account for which nobody confirmed it. @param email in lower case */
export async function releaseUnconfirmedAddress(transaction: Transaction, email: string): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ email: sql<string>`id::text || ${anonymizedEmail('')}` })
    .where('email', '=', email)
    .where('ended_at', 'is not', null)
    .where('email_verified', '=', false)
    .execute();
}

/** Rights as columns. An owner needs no areas. */
const toColumns = ({ isOwner, areas }: StaffRights): RightColumns => ({
  is_owner: isOwner,
  areas: isOwner ? [] : areas,
});

/**
 * Makes a registered user an admin, of whom nothing is checked: a new name that waits because of badges applies.
 * @param email in lower case
 * @returns the user, or undefined when there is no active one
 */
export async function grantAdmin(
  reader: Reader,
  email: string,
  rights: StaffRights = { isOwner: true, areas: [] },
): Promise<UserRow | undefined> {
  const user = await reader
    .updateTable('users')
    .set({
      is_buyer: false,
      is_seller: false,
      is_admin: true,
      ...toColumns(rights),
      ...withoutBadges,
      phone: null,
      phone_confirmed_at: null,
    })
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (user !== undefined) await applyWaitingName(reader, user.id);
  return user;
}

/** Changes the rights of an active admin. @returns whether there is one */
export async function setRights(transaction: Transaction, id: string, rights: StaffRights): Promise<boolean> {
  const result = await transaction
    .updateTable('users')
    .set(toColumns(rights))
    .where('id', '=', id)
    .where(isAdmin)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Makes an active admin a buyer without rights. @returns whether there is one */
export async function removeAdmin(transaction: Transaction, id: string): Promise<boolean> {
  const result = await transaction
    .updateTable('users')
    .set({ is_admin: false, is_buyer: true, is_owner: false, areas: [] })
    .where('id', '=', id)
    .where(isAdmin)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
