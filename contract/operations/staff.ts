import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Email, Id, Inserted, listOf, Modified } from '#contract/platform/scalars.ts';
import { StaffRights, staffAreas } from '#contract/platform/staff-rights.ts';

/** The maximum number of open invitations. */
export const MAXIMUM_INVITATIONS = 20;

/** How many days an invitation is valid. */
export const INVITATION_DAYS = 7;

const ById = z.object({ _id: Id });

/** Rights that an owner gives. */
const GivenRights = z.object({
  isOwner: z.boolean({ error: 'Say whether this is an owner' }),
  areas: listOf(
    staffAreas.length,
    z.enum(staffAreas, { error: `An area is one of ${staffAreas.join(', ')}` }),
    'These must be areas',
    'Name each area once',
  ).check(z.refine((areas) => new Set(areas).size === areas.length, { error: 'Name each area once' })),
});

/** An admin. */
export const StaffMember = z.extend(StaffRights, {
  _id: Id,
  name: z.string(),
  email: z.string(),
});
export type StaffMember = z.infer<typeof StaffMember>;

/** An invitation that was neither accepted nor withdrawn. */
export const StaffInvitation = z.extend(StaffRights, {
  _id: Id,
  email: z.string(),
  /** ISO 8601 in UTC. */
  expiresAt: z.string(),
  /** `valid`, `expired`, or `orphaned`: whoever sent it is no owner any more. */
  state: z.enum(['valid', 'expired', 'orphaned']),
});
export type StaffInvitation = z.infer<typeof StaffInvitation>;

export const listStaff = endpoint({
  method: 'GET',
  path: '/staff',
  access: ['Admin'],
  rights: ['owner'],
  summary: 'All admins with their rights, owners first, and the open invitations',
  response: z.object({ members: z.array(StaffMember), invitations: z.array(StaffInvitation) }),
});

export const changeRights = endpoint({
  method: 'PUT',
  path: '/staff/:_id',
  access: ['Admin'],
  rights: ['owner'],
  needsRecentAuthentication: true,
  summary: 'Gives an admin other rights, from the admin’s next call on. The last owner stays one',
  params: ById,
  body: GivenRights,
  response: Modified,
  refusals: ['not_found', 'last_owner'],
  changes: ['everything'],
});

export const removeStaff = endpoint({
  method: 'DELETE',
  path: '/staff/:_id',
  access: ['Admin'],
  rights: ['owner'],
  needsRecentAuthentication: true,
  summary: 'Makes an admin a buyer, without the notifications of an admin. The last owner stays',
  params: ById,
  response: Deleted,
  refusals: ['not_found', 'last_owner'],
  changes: ['everything'],
});

export const inviteStaff = endpoint({
  method: 'POST',
  path: '/staffInvitations',
  access: ['Admin'],
  rights: ['owner'],
  needsRecentAuthentication: true,
  limit: 'inviting',
  summary: `Emails a link with which the owner of an address becomes an admin, within ${INVITATION_DAYS} days. An earlier invitation of the address ends`,
  body: z.extend(GivenRights, { email: Email }),
  response: Inserted,
  refusals: ['invitation_refused'],
  changes: ['staff'],
});

export const withdrawInvitation = endpoint({
  method: 'DELETE',
  path: '/staffInvitations/:_id',
  access: ['Admin'],
  rights: ['owner'],
  needsRecentAuthentication: true,
  summary: 'Withdraws an invitation; its link no longer works',
  params: ById,
  response: Deleted,
  refusals: ['not_found'],
  changes: ['staff'],
});

/** The token of an emailed link. */
const LinkToken = z
  .string({ error: 'This link is incomplete' })
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/, { error: 'This link is incomplete' }));

export const readInvitation = endpoint({
  method: 'POST',
  path: '/staffInvitations/reading',
  access: 'public',
  limit: 'invitation',
  summary: 'What the link of an invitation offers. `email` and the rights are those of a valid one',
  body: z.object({ token: LinkToken }),
  response: z.object({
    state: z.enum(['valid', 'accepted', 'expired', 'withdrawn']),
    /** Of a valid one. */
    offer: z.nullable(z.extend(StaffRights, { email: z.string() })),
  }),
  refusals: ['not_found'],
});
export type Invitation = z.infer<typeof readInvitation.response>;

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/staffInvitations/acceptance',
  access: 'signed-in',
  limit: 'invitation',
  summary: 'Makes the caller an admin by an invitation to their confirmed address, with the next call',
  body: z.object({ token: LinkToken }),
  response: z.object({ acknowledged: z.boolean() }),
  refusals: ['not_found', 'not_allowed', 'invitation_refused'],
  changes: ['everything'],
});
