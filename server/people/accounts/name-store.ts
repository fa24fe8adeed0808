import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import { readPage } from '#server/platform/database/keyset-page.ts';
import type { Reader, Row, Transaction, UserRow } from '#server/platform/database/tables.ts';
import type { SellerCheckColumns } from './rules.ts';

/** Changes the name of a locked account. */
export async function setName(reader: Reader, id: string, name: string): Promise<void> {
  await reader.updateTable('users').set({ name }).where('id', '=', id).execute();
}

/** Finds the new name of a person that waits for an admin. */
export function findWaitingName(reader: Reader, userId: string): Promise<Row<'waiting_names'> | undefined> {
  return reader.selectFrom('waiting_names').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Finds whose new name this is. */
export async function findOwnerOfWaitingName(reader: Reader, id: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('waiting_names')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.user_id;
}

/** Inserts a new name. The person has no other one that waits. */
export async function insertWaitingName(
  transaction: Transaction,
  row: { user_id: string; name: string },
): Promise<void> {
  await transaction.insertInto('waiting_names').values(row).execute();
}

/**
 * Deletes a waiting name, or that of a person.
 * @returns the name; undefined when there is none, perhaps because it was withdrawn, replaced or decided about meanwhile
 */
export async function takeWaitingName(
  reader: Reader,
  which: { id: string } | { user_id: string },
): Promise<string | undefined> {
  const row = await reader
    .deleteFrom('waiting_names')
    .where(({ and }) => and(which))
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Gives a locked account its waiting name, if it has one. */
export async function applyWaitingName(reader: Reader, userId: string): Promise<void> {
  const name = await takeWaitingName(reader, { user_id: userId });
  if (name !== undefined) await setName(reader, userId, name);
}

/** A waiting name with its owner. */
export interface WaitingNameRow
  extends Row<'waiting_names'>,
    SellerCheckColumns,
    Pick<UserRow, 'email' | 'verified'> {
  present_name: string;
}

/** Lists the waiting names, newest first. */
export function listWaitingNames(reader: Reader, request: PageRequest): Promise<Page<WaitingNameRow>> {
  const query = reader
    .selectFrom('waiting_names')
    .innerJoin('users', 'users.id', 'waiting_names.user_id')
    .selectAll('waiting_names')
    .select([
      'users.email',
      'users.name as present_name',
      'users.verified',
      'users.verified_at',
      'users.address_checked_at',
      'users.identity_checked_at',
      'users.phone_confirmed_at',
    ]);
  return readPage(query, 'waiting_names.number', request);
}
