import { createHash } from 'node:crypto';
import type { Invitation, StaffInvitation } from '#contract/operations/staff.ts';
import { describeRights, type StaffRights } from '#contract/platform/staff-rights.ts';
import { type Email, type EmailShop, type RenderedEmail, renderEmail } from '#emails/email.ts';
import { type Account, nameIfVerified } from '#emails/user-text.ts';
import { type RightColumns, rightsOf } from '#server/people/accounts/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** The page that an invitation's link opens. Its token is in the fragment, which browsers send to no server. */
const INVITATION_PATH = '/invitation';

/** What the table has in place of a token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** An invited address in the audit trail, which is kept for ever: enough for the owner who sent the invitation to know it. */
export const maskAddress = (email: string): string => email.replace(/^(.).*@/, '$1…@');

/** An invitation, and whether its sender is still an owner. */
export interface InvitationRow
  extends RightColumns,
    Pick<
      Row<'staff_invitations'>,
      'id' | 'email' | 'invited_by' | 'expires_at' | 'accepted_at' | 'withdrawn_at'
    > {
  is_from_owner: boolean;
}

/** What has become of an invitation. It is withdrawn with its sender's right to invite. */
export function stateOf(row: InvitationRow, now: Date): Invitation['state'] {
  if (row.accepted_at !== null) return 'accepted';
  if (row.withdrawn_at !== null || !row.is_from_owner) return 'withdrawn';
  return row.expires_at <= now ? 'expired' : 'valid';
}

/** The response for an open invitation. */
export const toInvitation = (row: InvitationRow, now: Date): StaffInvitation => ({
  _id: row.id,
  email: row.email,
  ...toRights(row),
  expiresAt: row.expires_at.toISOString(),
  state: !row.is_from_owner ? 'orphaned' : row.expires_at <= now ? 'expired' : 'valid',
});

/** Rights in a response. */
export function toRights(row: RightColumns): { isOwner: boolean; areas: StaffRights['areas'][number][] } {
  const { isOwner, areas } = rightsOf(row);
  return { isOwner, areas: [...areas] };
}

/**
 * Why an account cannot become an admin's, in sentences; null when it can, or without one.
 * @param reader the owner who invites, or the invited person
 */
export function accountRefusal(
  account: { is_admin: boolean; is_seller: boolean; ended: boolean; hasBooked: boolean } | undefined,
  reader: 'owner' | 'invited',
): string | null {
  if (account === undefined) return null;
  if (account.is_admin) {
    return reader === 'owner'
      ? 'This address belongs to an admin already. Change their rights on the Staff page.'
      : 'You are an admin already. Ask an owner of the shop, if you need other rights.';
  }
  if (account.ended) {
    return 'The account with this address was ended by the shop. An invitation can go to another address.';
  }
  if (!account.is_seller && !account.hasBooked) return null;
  // With the account, the invitation is removed as well.
  return reader === 'owner'
    ? 'The account with this address buys or sells here, and admins cannot. Invite another address, or have the account deleted first on its Account page.'
    : 'Your account buys or sells here, and admins cannot. Ask an owner of the shop to invite another address of yours. Or delete the account on its Account page, which ends this invitation, and ask for a new one.';
}

/** The email of an invitation. */
export function invitationEmail(
  {
    email,
    inviter,
    rights,
    origin,
    token,
    until,
  }: {
    email: string;
    inviter: Account;
    rights: StaffRights;
    origin: string;
    token: string;
    /** The day on which the link ends, in words. */
    until: string;
  },
  shop: EmailShop,
): RenderedEmail {
  const content: Email = {
    to: { email },
    subject: `Help to run ${shop.name}`,
    paragraphs: [
      `${nameIfVerified(inviter, inviter.name, 'An owner')} invites you to work for ${shop.name}.`,
      'Open the link, sign in or register with this very address, and accept. The link works once.',
      'If you did not expect this, you need not do anything.',
    ],
    facts: [
      ['What you may do', describeRights(rights)],
      ['Works until', until],
    ],
    action: { label: 'See the invitation', url: `${origin}${INVITATION_PATH}#${token}` },
  };
  return renderEmail(content, shop);
}
