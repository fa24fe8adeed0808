import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Dollars, Email, Id, Role } from './scalars.ts';

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
  query: z.object({ email: Email }),
  answer: z.object({
    acknowledged: z.boolean(),
    deletedCount: z.int(),
    /** What stays and why, a sentence each; empty when nothing does. */
    kept: z.array(z.string()),
  }),
  refusals: ['not_found', 'last_admin', 'money_on_its_way', 'card_processor_unavailable'],
});
