import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Email } from '#contract/platform/scalars.ts';

/**
 * A row of the database, by the names of its columns: times in ISO 8601 in UTC, amounts in cents. Left out are other people's ids and
 * words, and what protects the account, such as hashes of codes.
 */
const StoredRow = z.record(z.string(), z.unknown());
const StoredRows = z.array(StoredRow);

/** All personal data that the shop stores about a user. */
export const OwnData = z.object({
  /** ISO 8601 in UTC. */
  exportedAt: z.string(),
  account: StoredRow,
  /** The new name that waits for an admin, if there is one. */
  waitingNames: StoredRows,
  /** The codes that this user asked for by SMS in the last day, without the codes themselves. */
  phoneCodes: StoredRows,
  laptops: StoredRows,
  /** What this user's laptops reported about themselves. */
  measurements: StoredRows,
  /** The shop's decisions about this user's laptops. */
  inspections: StoredRows,
  /** Laptops that are not listed yet. */
  drafts: StoredRows,
  /** The tests made in the browsers of this user's laptops. */
  browserChecks: StoredRows,
  /** The certificates of this user's laptops, all versions. */
  certificates: StoredRows,
  bookings: StoredRows,
  /** Where laptops are or were sent to this user. */
  shippingAddresses: StoredRows,
  /** From where this user sends laptops, at most one. */
  senderAddresses: StoredRows,
  wishlist: StoredRows,
  savedSearches: StoredRows,
  notifications: StoredRows,
  /** When notifications are emailed, for the topics for which the user has chosen. */
  notificationSettings: StoredRows,
  /** Browsers that get push messages. */
  pushSubscriptions: StoredRows,
  /** Sales of which this user is the buyer or the seller, with what happened to them. */
  orders: StoredRows,
  /** The parcels of these sales. */
  parcels: StoredRows,
  /** The labels that the shop bought for this user. */
  labels: StoredRows,
  /** The photos of how this user packed sold laptops. */
  packingPhotos: StoredRows,
  /** What this user said about complaints, also as an admin. */
  complaintStatements: StoredRows,
  /** What this user wrote about the other side of an order. */
  reviews: StoredRows,
  /** This user's answers to reviews. */
  reviewAnswers: StoredRows,
  /** What this user wrote to others, also as an answer. */
  messages: StoredRows,
  /** The people whose messages this user has blocked. */
  messageBlocks: StoredRows,
  /** The meetings that this user has proposed, and those of others to which this user has agreed. */
  meetings: StoredRows,
  /** This user's reports of conversations. */
  messageReports: StoredRows,
  /** Reports of reviews by this user. */
  reviewReports: StoredRows,
  /** All payment attempts, also unsuccessful ones. */
  paymentAttempts: StoredRows,
  refunds: StoredRows,
  /** Payments to this user as a seller outside the card processor, repayments to the shop, and debts that the shop gave up. */
  settlements: StoredRows,
  /** This user's account at the card processor, as a seller; at most one. */
  payoutAccounts: StoredRows,
  /** Transfers to this account. */
  transfers: StoredRows,
  /** Payouts from this account to this user's bank. */
  bankPayouts: StoredRows,
  /** Payments that this user has disputed at the bank. */
  disputes: StoredRows,
  receipts: StoredRows,
  reports: StoredRows,
  /** The invitations to this user's confirmed address to work for the shop. */
  staffInvitations: StoredRows,
  /** This user's actions as an admin. */
  adminActs: StoredRows,
  /** Sentences about data that other services store. */
  elsewhere: z.array(z.string()),
});
export type OwnData = z.infer<typeof OwnData>;

export const readOwnData = endpoint({
  method: 'GET',
  path: '/myData',
  access: 'signed-in',
  needsSecondFactor: true,
  summary: 'All data that the shop stores about the caller',
  response: OwnData,
  limit: 'export',
});

export const deleteOwnAccount = endpoint({
  method: 'DELETE',
  path: '/myAccount',
  access: 'signed-in',
  needsRecentAuthentication: true,
  summary:
    'Ends the caller’s own account immediately and removes personal data; paid sales stay for bookkeeping',
  /** The caller's email, typed again as a confirmation. */
  query: z.object({ email: Email }),
  response: z.object({
    acknowledged: z.boolean(),
    deletedCount: z.int(),
    /** Sentences about the data that is kept, and why; empty if none is. */
    kept: z.array(z.string()),
  }),
  refusals: ['not_found', 'last_owner', 'money_on_its_way', 'card_processor_unavailable'],
});
