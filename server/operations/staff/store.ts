import { sql } from 'kysely';
import type { StaffRights } from '#contract/platform/staff-rights.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import type { InvitationRow } from './rules.ts';

const invitations = (reader: Reader) =>
  reader
    .selectFrom('staff_invitations')
    .innerJoin('users as inviters', 'inviters.id', 'invited_by')
    .select([
      'staff_invitations.id',
      'staff_invitations.email',
      'staff_invitations.is_owner',
      'staff_invitations.areas',
      'invited_by',
      'expires_at',
      'accepted_at',
      'withdrawn_at',
    ])
    .select(sql<boolean>`inviters.is_owner and inviters.ended_at is null`.as('is_from_owner'));

/** The invitations that were neither accepted nor withdrawn, newest first. */
export function listOpen(reader: Reader): Promise<InvitationRow[]> {
  return invitations(reader)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('staff_invitations.number', 'desc')
    .execute();
}

/** Finds the invitation of a link. */
export function findByToken(reader: Reader, tokenHash: string): Promise<InvitationRow | undefined> {
  return invitations(reader).where('token_sha256', '=', tokenHash).executeTakeFirst();
}

/** Stores an invitation. An open one of the address begins anew: the link before no longer works. @returns its id */
export async function invite(
  transaction: Transaction,
  {
    email,
    rights,
    invitedBy,
    expiresAt,
  }: { email: string; rights: StaffRights; invitedBy: string; expiresAt: Date },
): Promise<string> {
  const invitation = {
    is_owner: rights.isOwner,
    areas: rights.isOwner ? [] : rights.areas,
    invited_by: invitedBy,
    expires_at: expiresAt,
  };
  const { id } = await transaction
    .insertInto('staff_invitations')
    .values({ email, ...invitation })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .where('accepted_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .doUpdateSet({ ...invitation, token_sha256: null }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const open = (transaction: Database | Transaction, id: string) =>
  transaction
    .updateTable('staff_invitations')
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null);

/** Withdraws an open invitation. @returns it, or undefined when there is none */
export function withdraw(transaction: Transaction, id: string): Promise<{ email: string } | undefined> {
  return open(transaction, id).set({ withdrawn_at: new Date() }).returning('email').executeTakeFirst();
}

/** Marks an open invitation as accepted. */
export async function accept(transaction: Transaction, id: string): Promise<void> {
  await open(transaction, id).set({ accepted_at: new Date() }).execute();
}

/** Stores the hash of a new token of an open invitation until a time. @returns the invitation, or undefined when there is none */
export function setToken(database: Database, id: string, expiresAt: Date, tokenHash: string) {
  return open(database, id)
    .where('expires_at', '=', expiresAt)
    .set({ token_sha256: tokenHash })
    .returning(['email', 'is_owner', 'areas', 'invited_by', 'expires_at'])
    .executeTakeFirst();
}

/** Whether a user has ever booked a laptop. */
export async function hasBooked(reader: Reader, userId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('bookings')
    .select('id')
    .where('buyer_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the invitations to an address. */
export async function removeInvitationsTo(transaction: Transaction, email: string): Promise<void> {
  await transaction.deleteFrom('staff_invitations').where('email', '=', email).execute();
}

/** Removes the invitations that ended or expired before a time: they have addresses of people without an account. */
export async function removeEnded(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom('staff_invitations')
    .where(({ or, eb }) =>
      or([eb('accepted_at', '<', before), eb('withdrawn_at', '<', before), eb('expires_at', '<', before)]),
    )
    .execute();
}
