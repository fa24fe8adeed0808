import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import {
  INVITATION_DAYS,
  type Invitation,
  MAXIMUM_INVITATIONS,
  type StaffInvitation,
  type StaffMember,
} from '#contract/operations/staff.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { describeRights, type StaffRights } from '#contract/platform/staff-rights.ts';
import { rightsOf, toRecipient } from '#server/people/accounts/rules.ts';
import * as accounts from '#server/people/accounts/steps.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import { toEmailShop } from '#server/people/email-shop.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import { formatUtcDay } from '#server/people/notifications/rules.ts';
import { keepNotificationsOf, removeNotificationsOf } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database, Reader, Transaction, UserRow } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { job } from '#server/platform/jobs/queue.ts';
import {
  accountRefusal,
  hashToken,
  type InvitationRow,
  invitationEmail,
  maskAddress,
  stateOf,
  toInvitation,
  toRights,
} from './rules.ts';
import * as store from './store.ts';

type StaffDependencies = Pick<Context, 'database' | 'enqueue'>;

/** How long an invitation is kept after its end, in days. Its link says until then why it does not work. */
const KEPT_DAYS = 30;

/**
 * The job that emails the link of an invitation. The token is in the email only. `expiresAt` tells from which invitation of the address
 * it comes: jobs of two can run at once, and only the latest one's link works.
 */
export const invitationDue = job(
  'staff.invitation',
  z.object({ invitationId: z.string(), expiresAt: z.iso.datetime() }),
);

const validUntil = () => new Date(Date.now() + INVITATION_DAYS * DAY_MS);

const noSuchAdmin = () => new Refusal('not_found', 'There is no such admin any more. Nothing was changed.');

const noSuchInvitation = () =>
  new Refusal('not_found', 'This invitation was accepted or withdrawn. Nothing was changed.');

/**
 * Runs a change that only owners can make. The owners are locked, so that two of them cannot remove each other.
 * @throws Refusal for a caller who is no owner any more
 */
function asOwner<Result>(
  database: Database,
  caller: Pick<Caller, 'userId'>,
  change: (transaction: Transaction, ownerIds: readonly string[]) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    const ownerIds = await accounts.selectOwnersForUpdate(transaction);
    if (!ownerIds.includes(caller.userId)) {
      throw new Refusal('not_allowed', 'You are no longer an owner of this shop. Nothing was changed.');
    }
    return change(transaction, ownerIds);
  });
}

/** @throws Refusal when this is the only owner */
function requireOtherOwner(ownerIds: readonly string[], id: string): void {
  if (ownerIds.some((ownerId) => ownerId !== id)) return;
  throw new Refusal(
    'last_owner',
    'This is the only owner of the shop. Make somebody else an owner first. Nothing was changed.',
  );
}

/** Finds an active admin. @throws Refusal */
async function findAdmin(transaction: Transaction, id: string): Promise<UserRow> {
  const user = await accounts.findUser(transaction, id);
  if (user === undefined || !user.is_admin || user.ended_at !== null) throw noSuchAdmin();
  return user;
}

/** All admins and the open invitations. */
export async function listStaff(
  database: Database,
): Promise<{ members: StaffMember[]; invitations: StaffInvitation[] }> {
  const now = new Date();
  const [members, invitations] = [await accounts.listAdmins(database), await store.listOpen(database)];
  return {
    members: members.map((user) => ({
      _id: user.id,
      name: user.name,
      email: user.email,
      ...toRights(user),
    })),
    invitations: invitations.map((row) => toInvitation(row, now)),
  };
}

/** Gives an admin other rights, and removes the notifications of areas that are not among them. @returns whether they differ from those before @throws Refusal */
export function changeRights(
  database: Database,
  caller: Caller,
  id: string,
  rights: StaffRights,
): Promise<boolean> {
  return asOwner(database, caller, async (transaction, ownerIds) => {
    const user = await findAdmin(transaction, id);
    if (!rights.isOwner) requireOtherOwner(ownerIds, id);
    const [before, after] = [describeRights(rightsOf(user)), describeRights(rights)];
    if (before === after) return false;
    if (!(await accounts.setRights(transaction, id, rights))) throw noSuchAdmin();
    if (!rights.isOwner) await keepNotificationsOf(transaction, id, rights.areas);
    await recordAudit(transaction, {
      adminId: caller.userId,
      act: 'Changed rights',
      personIds: [user.id],
      note: `${before}, now ${after}`,
    });
    return true;
  });
}

/** Makes an admin a buyer, and removes the notifications, which are about other people. @throws Refusal */
export function removeStaff(database: Database, caller: Caller, id: string): Promise<void> {
  return asOwner(database, caller, async (transaction, ownerIds) => {
    const user = await findAdmin(transaction, id);
    requireOtherOwner(ownerIds, id);
    if (!(await accounts.removeAdmin(transaction, id))) throw noSuchAdmin();
    await removeNotificationsOf(transaction, id);
    await recordAudit(transaction, {
      adminId: caller.userId,
      act: 'Removed admin',
      personIds: [user.id],
      note: describeRights(rightsOf(user)),
    });
  });
}

/** Why an account cannot become an admin's, see {@link accountRefusal}. */
async function refusalOf(
  transaction: Transaction,
  user: UserRow | undefined,
  reader: 'owner' | 'invited',
): Promise<string | null> {
  return accountRefusal(
    user && {
      is_admin: user.is_admin,
      is_seller: user.is_seller,
      ended: user.ended_at !== null,
      hasBooked: await store.hasBooked(transaction, user.id),
    },
    reader,
  );
}

/** Invites the owner of an address, also again. @returns the invitation's id @throws Refusal */
export function invite(
  { database, enqueue }: StaffDependencies,
  caller: Caller,
  { email, ...rights }: { email: string } & StaffRights,
): Promise<string> {
  return asOwner(database, caller, async (transaction) => {
    const refusal = await refusalOf(transaction, await accounts.findByEmail(transaction, email), 'owner');
    if (refusal !== null) throw new Refusal('invitation_refused', `${refusal} Nothing was sent.`);
    const open = await store.listOpen(transaction);
    // Inviting an address again replaces its open invitation.
    if (open.length >= MAXIMUM_INVITATIONS && !open.some((invitation) => invitation.email === email)) {
      throw new Refusal(
        'invitation_refused',
        `There are ${MAXIMUM_INVITATIONS} open invitations, which is the most that is possible. Withdraw one first. Nothing was sent.`,
      );
    }
    const expiresAt = validUntil();
    const id = await store.invite(transaction, { email, rights, invitedBy: caller.userId, expiresAt });
    await enqueue(transaction, invitationDue, { invitationId: id, expiresAt: expiresAt.toISOString() });
    await recordAudit(transaction, {
      adminId: caller.userId,
      act: 'Invited admin',
      subject: maskAddress(email),
      note: describeRights(rights),
    });
    return id;
  });
}

/** Withdraws an open invitation. @throws Refusal */
export function withdraw(database: Database, caller: Caller, id: string): Promise<void> {
  return asOwner(database, caller, async (transaction) => {
    const withdrawn = await store.withdraw(transaction, id);
    if (withdrawn === undefined) throw noSuchInvitation();
    await recordAudit(transaction, {
      adminId: caller.userId,
      act: 'Withdrew invitation',
      subject: maskAddress(withdrawn.email),
    });
  });
}

/** Emails a new link. A repetition of the job sends another one, and the one before no longer works. */
export async function sendInvitation(
  {
    database,
    emailSender,
    origin,
    shop,
  }: Pick<Context, 'database' | 'origin' | 'shop'> & { emailSender: EmailSender },
  { invitationId, expiresAt }: z.infer<typeof invitationDue.data>,
): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const invitation = await store.setToken(database, invitationId, new Date(expiresAt), hashToken(token));
  const inviter = invitation && (await accounts.findUser(database, invitation.invited_by));
  // Without an owner who invites, the link would not work.
  if (!invitation || !inviter?.is_owner || inviter.ended_at !== null) return;
  await emailSender.send(
    invitationEmail(
      {
        email: invitation.email,
        inviter: toRecipient(inviter),
        rights: rightsOf(invitation),
        origin,
        token,
        until: formatUtcDay(invitation.expires_at),
      },
      toEmailShop(shop()),
    ),
  );
}

const unknownLink = () =>
  new Refusal(
    'not_found',
    'This link is not one of an invitation, or it ended with a newer email or with a deleted account. Please open the link of the latest email, or ask an owner of the shop to invite you.',
  );

/** Finds the invitation of a link. @throws Refusal */
async function findInvitation(reader: Reader, token: string): Promise<InvitationRow> {
  const invitation = await store.findByToken(reader, hashToken(token));
  if (invitation === undefined) throw unknownLink();
  return invitation;
}

/** Reads what a link offers. @throws Refusal */
export async function readInvitation(database: Database, token: string): Promise<Invitation> {
  const invitation = await findInvitation(database, token);
  const state = stateOf(invitation, new Date());
  if (state !== 'valid') return { state, offer: null };
  return { state, offer: { email: invitation.email, ...toRights(invitation) } };
}

const sentences = {
  accepted: 'This invitation was accepted already. Sign in with the account that accepted it.',
  expired: 'This invitation has expired. Ask an owner of the shop to invite you again.',
  withdrawn: 'This invitation was withdrawn. Ask an owner of the shop, if you think that is a mistake.',
} as const;

/** Makes the caller an admin by an invitation. @throws Refusal */
export async function acceptInvitation(
  database: Database,
  caller: Pick<Caller, 'userId' | 'email'>,
  token: string,
): Promise<void> {
  // Before any lock, for links that are none.
  await findInvitation(database, token);
  await database.transaction().execute(async (transaction) => {
    // Nobody accepts, invites again, withdraws or loses the right to invite at the same time.
    await accounts.selectOwnersForUpdate(transaction);
    const invitation = await findInvitation(transaction, token);
    const state = stateOf(invitation, new Date());
    if (state !== 'valid') throw new Refusal('invitation_refused', sentences[state]);
    if (invitation.email !== caller.email) {
      throw new Refusal(
        'not_allowed',
        `This invitation is for ${invitation.email}, and you are signed in as ${caller.email}. Sign out, and sign in or register with that address.`,
      );
    }
    const user = await accounts.lockUser(transaction, caller.userId);
    if (!user?.email_verified) {
      throw new Refusal(
        'invitation_refused',
        'Your address is not confirmed yet. Please open the link in the email that you got when you registered; your account page sends another one. Then accept.',
      );
    }
    const refusal = await refusalOf(transaction, user, 'invited');
    if (refusal !== null) throw new Refusal('invitation_refused', refusal);
    await store.accept(transaction, invitation.id);
    const rights = rightsOf(invitation);
    if ((await accounts.grantAdmin(transaction, caller.email, rights)) === undefined) throw noSuchAdmin();
    await recordAudit(transaction, {
      adminId: caller.userId,
      act: 'Accepted invitation',
      personIds: [user.id],
      note: describeRights(rights),
    });
  });
}

/** Removes the invitations whose links need not say any more why they do not work. */
export const removeEndedInvitations = (database: Database, now: Date): Promise<void> =>
  store.removeEnded(database, new Date(now.getTime() - KEPT_DAYS * DAY_MS));
