import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Email, line, Modified } from '#contract/platform/scalars.ts';
import { StaffRights } from '#contract/platform/staff-rights.ts';

/** The local storage key of the shop's token in the web client. */
export const TOKEN_KEY = 'coomercioToken';

/** The default audience of the ID tokens that this shop accepts. */
export const ID_TOKEN_AUDIENCE = 'coomercio';

const ByEmail = z.object({ email: Email });

export const NewUser = z.object({
  name: line(100, 'Name is required'),
  email: Email,
  role: z.enum(['Buyer', 'Seller'], { error: 'Register as Buyer or as Seller' }),
  /** False in registrations by email (specification). Ignored: only admins can verify a seller. */
  status: z.optional(z.boolean()),
});

export const exchangeToken = endpoint({
  method: 'GET',
  path: '/jwt',
  access: 'identity',
  summary: 'Exchanges an ID token of the identity provider for the token of this shop',
  query: ByEmail,
  response: z.object({ coomercioToken: z.string() }),
  refusals: ['not_allowed', 'account_ended'],
});

export const registerUser = endpoint({
  method: 'POST',
  path: '/users',
  access: 'identity',
  summary: 'Creates the user record of a verified identity; a known email keeps its record and its role',
  body: NewUser,
  response: z.object({
    acknowledged: z.boolean(),
    insertedId: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
  refusals: ['not_allowed', 'account_ended'],
  limit: 'registration',
});

export const renameUser = endpoint({
  method: 'PUT',
  path: '/users/me',
  access: 'signed-in',
  summary:
    'Changes the caller’s own name; `modifiedCount` is 0 when it is the same, and when it `waits` for an admin, as it does for a seller of whom the shop has checked something',
  body: z.object({ name: line(100, 'Name is required') }),
  response: z.extend(Modified, { waits: z.optional(z.literal(true)) }),
  limit: 'renaming',
  changes: ['everything'],
});

export const readOwnName = endpoint({
  method: 'GET',
  path: '/users/me/name',
  access: 'signed-in',
  summary: 'The caller’s own name, and the new one that waits for an admin',
  response: z.object({
    name: z.string(),
    /** Whether a new name waits for an admin. */
    isChecked: z.boolean(),
    waiting: z.nullable(
      z.object({
        name: z.string(),
        /** ISO 8601 in UTC. */
        at: z.string(),
      }),
    ),
  }),
});

export const withdrawName = endpoint({
  method: 'DELETE',
  path: '/users/me/waitingName',
  access: 'signed-in',
  summary: 'Withdraws the caller’s new name that waits for an admin; `deletedCount` is 0 without one',
  response: Deleted,
});

export const addRole = endpoint({
  method: 'PUT',
  path: '/users/me/roles',
  access: ['Buyer', 'Seller'],
  summary:
    'Lets the caller’s account buy as well as sell. `modifiedCount` is 0 when it could already; no role is ever removed',
  body: z.object({ role: z.enum(['Buyer', 'Seller'], { error: 'Add Buyer or Seller' }) }),
  response: Modified,
  changes: ['everything'],
});

export const isAdmin = endpoint({
  method: 'GET',
  path: '/users/admin/:email',
  access: 'signed-in',
  summary: 'Whether this user is an admin: one’s own email, or any for an admin',
  params: ByEmail,
  response: z.object({
    isAdmin: z.boolean(),
    /** Present if the caller must sign in with a second factor to do what their roles permit. */
    secondFactorDue: z.optional(z.literal(true)),
  }),
  refusals: ['not_allowed'],
});

export const readOwnRights = endpoint({
  method: 'GET',
  path: '/users/me/rights',
  access: 'signed-in',
  summary: 'What the caller may do as an admin; nothing for everybody else',
  response: StaffRights,
});

export const isBuyer = endpoint({
  method: 'GET',
  path: '/users/buyer/:email',
  access: 'signed-in',
  summary: 'Whether this user is a buyer: one’s own email, or any for an admin',
  params: ByEmail,
  response: z.object({ isBuyer: z.boolean() }),
  refusals: ['not_allowed'],
});

export const isSeller = endpoint({
  method: 'GET',
  path: '/users/seller/:email',
  access: 'signed-in',
  summary: 'Whether this user is a seller: one’s own email, or any for an admin',
  params: ByEmail,
  response: z.object({ isSeller: z.boolean() }),
  refusals: ['not_allowed'],
});

export const sellerStatus = endpoint({
  method: 'GET',
  path: '/sellers/:email',
  access: 'signed-in',
  summary: 'Whether a seller is verified',
  params: ByEmail,
  response: z.object({ status: z.boolean() }),
  refusals: ['not_found'],
  limit: 'lookingUp',
});
