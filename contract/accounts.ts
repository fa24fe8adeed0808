import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Deleted, Dollars, Email, Id, line, Modified, optionalLine, Paging, Role } from './scalars.ts';

/** The key under which the web client keeps the shop's token in local storage. */
export const TOKEN_KEY = 'coomercioToken';

/** The audience of the ID tokens that this shop takes, unless it is configured otherwise. */
export const ID_TOKEN_AUDIENCE = 'coomercio';

const ByEmail = z.object({ email: Email });
const ById = z.object({ _id: Id });

export const Buyer = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  /** Whether the person has proven to receive mail at this address. */
  emailVerified: z.boolean(),
});
export type Buyer = z.infer<typeof Buyer>;

export const Seller = z.extend(Buyer, {
  /** Whether an admin has verified this seller. */
  status: z.boolean(),
});
export type Seller = z.infer<typeof Seller>;

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

/** How the lists of people are searched and sorted. */
export const PeopleQuery = z.extend(Paging, {
  /** A part of the name or of the e-mail. */
  search: optionalLine(100),
  sort: z.optional(z.enum(['newest', 'name', 'email'], { error: 'Sort by newest, name or email' })),
});
export type PeopleSort = NonNullable<z.infer<typeof PeopleQuery>['sort']>;

export const listSellers = endpoint({
  method: 'GET',
  path: '/sellers',
  access: ['Admin'],
  summary: 'All sellers whose accounts are alive; searched by name or e-mail, sorted, page by page',
  query: PeopleQuery,
  answer: z.array(Seller),
});

export const verifySeller = endpoint({
  method: 'PUT',
  path: '/sellers/:email',
  access: ['Admin'],
  summary: 'Marks a seller as verified',
  params: ByEmail,
  answer: Modified,
  refusals: ['not_found'],
});

export const deleteSeller = endpoint({
  method: 'DELETE',
  path: '/sellers/:_id',
  access: ['Admin'],
  summary: 'Ends a seller’s account at once; what was paid stays on record',
  params: ById,
  answer: Deleted,
  refusals: ['not_found'],
});

export const listBuyers = endpoint({
  method: 'GET',
  path: '/buyers',
  access: ['Admin'],
  summary: 'All buyers whose accounts are alive; searched by name or e-mail, sorted, page by page',
  query: PeopleQuery,
  answer: z.array(Buyer),
});

export const deleteBuyer = endpoint({
  method: 'DELETE',
  path: '/buyers/:_id',
  access: ['Admin'],
  summary: 'Ends a buyer’s account at once; what was paid stays on record',
  params: ById,
  answer: Deleted,
  refusals: ['not_found'],
});

/** Moments in what follows are ISO 8601 in UTC. */
const Moment = z.string();

/** Everything that the shop keeps about somebody, as that person may have it. */
export const OwnData = z.object({
  exportedAt: Moment,
  account: z.object({
    _id: Id,
    name: z.string(),
    email: z.string(),
    role: Role,
    verified: z.boolean(),
    emailVerified: z.boolean(),
    createdAt: Moment,
  }),
  laptops: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      category_Id: z.string(),
      location: z.string(),
      images: z.array(z.string()),
      description: z.unknown(),
      original_price: Dollars,
      resale_price: Dollars,
      posted_time: z.string(),
      use_time: z.string(),
      mobile_number: z.string(),
      condition: z.string(),
      state: z.string(),
      takenDownNote: z.nullable(z.string()),
      advertisedAt: z.nullable(Moment),
      listedAt: Moment,
    }),
  ),
  bookings: z.array(
    z.object({
      _id: Id,
      productCode: Id,
      productName: z.string(),
      price: Dollars,
      phone: z.string(),
      location: z.string(),
      bookedAt: Moment,
      paidAt: z.nullable(Moment),
      transactionId: z.nullable(z.string()),
    }),
  ),
  wishlist: z.array(z.object({ _id: Id, productCode: Id, productName: z.string(), addedAt: Moment })),
  /** Each attempt at paying, whether or not money was taken. */
  paymentAttempts: z.array(
    z.object({
      bookingId: Id,
      transactionId: z.nullable(z.string()),
      amount: Dollars,
      state: z.string(),
      createdAt: Moment,
    }),
  ),
  /** Money taken: paid by this person as a buyer, or for this person's laptops as a seller. */
  payments: z.array(
    z.object({
      party: z.enum(['buyer', 'seller']),
      bookingId: Id,
      transactionId: z.string(),
      amount: Dollars,
      paidAt: Moment,
    }),
  ),
  refunds: z.array(
    z.object({
      bookingId: Id,
      transactionId: z.string(),
      amount: Dollars,
      reason: z.string(),
      state: z.string(),
      createdAt: Moment,
      doneAt: z.nullable(Moment),
    }),
  ),
  /** Payments that this person has disputed at the bank. */
  disputes: z.array(
    z.object({
      bookingId: Id,
      transactionId: z.string(),
      amount: Dollars,
      reason: z.string(),
      state: z.string(),
      openedAt: Moment,
      closedAt: z.nullable(Moment),
    }),
  ),
  reports: z.array(
    z.object({
      productCode: Id,
      productName: z.string(),
      reason: z.string(),
      note: z.string(),
      resolution: z.nullable(z.string()),
      reportedAt: Moment,
    }),
  ),
  /** What this person did as an admin. */
  adminActs: z.array(z.object({ act: z.string(), subject: z.string(), note: z.string(), at: Moment })),
  /** What others keep, in sentences. */
  elsewhere: z.array(z.string()),
});
export type OwnData = z.infer<typeof OwnData>;

export const readOwnData = endpoint({
  method: 'GET',
  path: '/myData',
  access: 'signed-in',
  summary: 'Everything that the shop keeps about the caller',
  answer: OwnData,
  limit: 'export',
});

export const deleteOwnAccount = endpoint({
  method: 'DELETE',
  path: '/myAccount',
  access: 'signed-in',
  fresh: true,
  summary:
    'Ends the caller’s own account at once and removes what is kept about the caller; paid sales stay for bookkeeping',
  /** One’s own e-mail, typed again: nobody ends an account by a stray click. */
  query: ByEmail,
  answer: z.object({
    acknowledged: z.boolean(),
    deletedCount: z.int(),
    /** What stays and why, a sentence each; empty when nothing does. */
    kept: z.array(z.string()),
  }),
  refusals: ['not_found', 'last_admin', 'money_on_its_way', 'card_processor_unavailable'],
});
