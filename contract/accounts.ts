import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Email, line } from './scalars.ts';

/** The key under which the web client keeps the shop's token in local storage. */
export const TOKEN_KEY = 'coomercioToken';

/** The audience of the ID tokens that this shop takes, unless it is configured otherwise. */
export const ID_TOKEN_AUDIENCE = 'coomercio';

const ByEmail = z.object({ email: Email });

export const NewUser = z.object({
  name: line(100, 'Name is required'),
  email: Email,
  role: z.enum(['Buyer', 'Seller'], { error: 'Register as Buyer or as Seller' }),
  /** Sent as false on registration by e-mail, as the specification has it; only an admin's act makes it true. */
  status: z.optional(z.boolean()),
});

export const exchangeToken = endpoint({
  method: 'GET',
  path: '/jwt',
  access: 'identity',
  summary: 'Exchanges an ID token of the identity provider for the token of this shop',
  query: ByEmail,
  answer: z.object({ coomercioToken: z.string() }),
  refusals: ['not_allowed', 'account_ended'],
});

export const registerUser = endpoint({
  method: 'POST',
  path: '/users',
  access: 'identity',
  summary: 'Makes the user record of a proven identity; a known e-mail keeps its record and its role',
  body: NewUser,
  answer: z.object({
    acknowledged: z.boolean(),
    insertedId: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
  refusals: ['not_allowed', 'account_ended'],
  limit: 'registration',
});

export const isAdmin = endpoint({
  method: 'GET',
  path: '/users/admin/:email',
  access: 'signed-in',
  summary: 'Whether this user is an admin: one’s own e-mail, or any for an admin',
  params: ByEmail,
  answer: z.object({
    isAdmin: z.boolean(),
    /** There when what is an admin's stays closed to the caller until they sign in with a second factor. */
    secondFactorDue: z.optional(z.literal(true)),
  }),
  refusals: ['not_allowed'],
});

export const isBuyer = endpoint({
  method: 'GET',
  path: '/users/buyer/:email',
  access: 'signed-in',
  summary: 'Whether this user is a buyer: one’s own e-mail, or any for an admin',
  params: ByEmail,
  answer: z.object({ isBuyer: z.boolean() }),
  refusals: ['not_allowed'],
});

export const isSeller = endpoint({
  method: 'GET',
  path: '/users/seller/:email',
  access: 'signed-in',
  summary: 'Whether this user is a seller: one’s own e-mail, or any for an admin',
  params: ByEmail,
  answer: z.object({ isSeller: z.boolean() }),
  refusals: ['not_allowed'],
});

export const sellerStatus = endpoint({
  method: 'GET',
  path: '/sellers/:email',
  access: 'signed-in',
  summary: 'Whether a seller is verified',
  params: ByEmail,
  answer: z.object({ status: z.boolean() }),
  refusals: ['not_found'],
});
