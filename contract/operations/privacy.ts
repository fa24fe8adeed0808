import * as z from 'zod/mini';
import { BrowserFacts, CheckResult } from '#contract/certification/browser-checks.ts';
import { RevocationReason } from '#contract/certification/certificates.ts';
import { Decision, InspectedListing, InspectionKind } from '#contract/certification/inspection-desk.ts';
import { Machine } from '#contract/certification/machine.ts';
import { PhotoCaptions } from '#contract/listings/photo-captions.ts';
import { PhotoKinds } from '#contract/listings/photo-kinds.ts';
import { RecordedDocument } from '#contract/people/seller-checks.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Dollars, Email, Id, Role } from '#contract/platform/scalars.ts';
import { OrderEvent } from '#contract/sales/orders.ts';

/** ISO 8601 in UTC. */
const Timestamp = z.string();

/** All personal data that the shop stores about a user, in one schema. This makes the file longer than others. */
export const OwnData = z.object({
  exportedAt: Timestamp,
  account: z.object({
    _id: Id,
    name: z.string(),
    email: z.string(),
    role: Role,
    verified: z.boolean(),
    verifiedAt: z.nullable(Timestamp),
    /** When an admin saw a proof of address. No copy of it is stored. */
    addressCheckedAt: z.nullable(Timestamp),
    /** Which document it was, and how it was seen; null for one that was seen before this was recorded. */
    addressDocument: z.nullable(RecordedDocument),
    /** When an admin saw an identity document. No copy and no number of it is stored. */
    identityCheckedAt: z.nullable(Timestamp),
    identityDocument: z.nullable(RecordedDocument),
    /** The telephone number that this user has confirmed with a code. */
    phone: z.nullable(z.string()),
    phoneConfirmedAt: z.nullable(Timestamp),
    emailVerified: z.boolean(),
    createdAt: Timestamp,
  }),
  /** The new name that waits for an admin, if there is one. */
  waitingNames: z.array(z.object({ name: z.string(), askedAt: Timestamp })),
  /** The codes that this user asked for by SMS in the last day, without the codes themselves. */
  phoneCodes: z.array(
    z.object({ phone: z.string(), askedAt: Timestamp, state: z.string(), wrongAttempts: z.int() }),
  ),
  laptops: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      category_Id: z.string(),
      location: z.string(),
      images: z.array(z.string()),
      captions: PhotoCaptions,
      kinds: PhotoKinds,
      slipCode: z.string(),
      description: z.unknown(),
      original_price: Dollars,
      resale_price: Dollars,
      posted_time: z.string(),
      use_time: z.string(),
      mobile_number: z.string(),
      condition: z.string(),
      state: z.string(),
      level: z.string(),
      levelAt: z.nullable(Timestamp),
      /** Since when measurements and inspections count, and why earlier ones do not; null when all count. */
      evidenceSince: z.nullable(Timestamp),
      evidenceEnded: z.nullable(z.string()),
      takenDownNote: z.nullable(z.string()),
      advertisedAt: z.nullable(Timestamp),
      listedAt: Timestamp,
      /** The last change by its seller; null when there was none. */
      editedAt: z.nullable(Timestamp),
    }),
  ),
  /** What this user's laptops reported about themselves. */
  measurements: z.array(
    z.object({ productCode: Id, productName: z.string(), measuredAt: Timestamp, machine: Machine }),
  ),
  /** The shop's decisions about this user's laptops. */
  inspections: z.array(
    z.object({
      productCode: Id,
      productName: z.string(),
      inspectedAt: Timestamp,
      kind: InspectionKind,
      decision: Decision,
      grade: z.nullable(z.string()),
      note: z.string(),
      /** The admin's photos of the laptop. */
      photos: z.array(z.string()),
      /** The texts of the listing that were inspected. */
      listing: InspectedListing,
    }),
  ),
  /** Laptops that are not listed yet. */
  drafts: z.array(
    z.object({
      _id: Id,
      deletedAfter: Timestamp,
      slipCode: z.string(),
      measuredAt: z.nullable(Timestamp),
      machine: z.nullable(Machine),
      checkedAt: z.nullable(Timestamp),
      checkResults: z.nullable(z.array(CheckResult)),
      browser: z.nullable(BrowserFacts),
    }),
  ),
  /** The tests made in the browsers of this user's laptops. */
  browserChecks: z.array(
    z.object({
      productCode: Id,
      productName: z.string(),
      checkedAt: Timestamp,
      results: z.array(CheckResult),
      browser: BrowserFacts,
    }),
  ),
  /** The certificates of this user's laptops, all versions. */
  certificates: z.array(
    z.object({
      productCode: Id,
      productName: z.string(),
      version: z.int(),
      issuedAt: Timestamp,
      /** The signed certificate; null when its content was erased. */
      jws: z.nullable(z.string()),
      revokedAt: z.nullable(Timestamp),
      revocationReason: z.nullable(RevocationReason),
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
      bookedAt: Timestamp,
      /** When its order ended and the laptop was the seller's again. */
      endedAt: z.nullable(Timestamp),
      cancelledAt: z.nullable(Timestamp),
      /** `withdrawal`: the laptop left the shop and was listed again later. */
      cancelledBy: z.nullable(z.enum(['buyer', 'withdrawal'])),
      /** The price that the buyer knows, by the booking, an agreement or an email; null when that is `price`. */
      toldPrice: z.nullable(Dollars),
    }),
  ),
  wishlist: z.array(z.object({ _id: Id, productCode: Id, productName: z.string(), addedAt: Timestamp })),
  savedSearches: z.array(
    z.object({
      _id: Id,
      name: z.string(),
      filters: z.unknown(),
      frequency: z.string(),
      savedAt: Timestamp,
      pausedAt: z.nullable(Timestamp),
      lastEmailAt: z.nullable(Timestamp),
    }),
  ),
  notifications: z.array(
    z.object({
      _id: Id,
      topic: z.string(),
      title: z.string(),
      body: z.string(),
      path: z.string(),
      at: Timestamp,
      seenAt: z.nullable(Timestamp),
      emailedAt: z.nullable(Timestamp),
    }),
  ),
  /** When notifications are emailed, for the topics for which the user has chosen. */
  notificationSettings: z.array(z.object({ topic: z.string(), delivery: z.string() })),
  /** Browsers that get push messages. */
  pushSubscriptions: z.array(z.object({ _id: Id, endpoint: z.string(), subscribedAt: Timestamp })),
  /** All payment attempts, also unsuccessful ones. */
  paymentAttempts: z.array(
    z.object({
      bookingId: Id,
      transactionId: z.nullable(z.string()),
      amount: Dollars,
      state: z.string(),
      createdAt: Timestamp,
    }),
  ),
  /** Payments by this user as a buyer, and for this user's laptops as a seller. */
  payments: z.array(
    z.object({
      party: z.enum(['buyer', 'seller']),
      bookingId: Id,
      transactionId: z.string(),
      amount: Dollars,
      paidAt: Timestamp,
    }),
  ),
  /** Sales of which this user is the buyer or the seller. */
  orders: z.array(
    z.object({
      party: z.enum(['buyer', 'seller']),
      _id: Id,
      bookingId: Id,
      productCode: Id,
      productName: z.string(),
      price: Dollars,
      refunded: Dollars,
      /** What the shop keeps of the whole price; of the seller's own sales only. */
      commission: z.optional(Dollars),
      state: z.string(),
      placedAt: Timestamp,
      releasedAt: z.nullable(Timestamp),
      /** Why the seller gave the sale up. */
      cancelReason: z.nullable(z.string()),
      events: z.array(OrderEvent),
    }),
  ),
  /** What this user said about complaints, also as an admin. */
  complaintStatements: z.array(
    z.object({
      orderId: Id,
      productName: z.string(),
      kind: z.string(),
      party: z.enum(['buyer', 'seller', 'admin']),
      move: z.nullable(z.string()),
      text: z.string(),
      amount: z.nullable(Dollars),
      photos: z.array(z.string()),
      saidAt: Timestamp,
    }),
  ),
  /** What this user wrote about the other side of an order. */
  reviews: z.array(
    z.object({
      orderId: Id,
      stars: z.int(),
      text: z.string(),
      writtenAt: Timestamp,
      shownAt: z.nullable(Timestamp),
      removedAt: z.nullable(Timestamp),
      removalReason: z.nullable(z.string()),
    }),
  ),
  /** This user's answers to reviews. */
  reviewAnswers: z.array(z.object({ orderId: Id, text: z.string(), answeredAt: z.nullable(Timestamp) })),
  /** What this user wrote to others, also as an answer. */
  messages: z.array(
    z.object({
      conversationId: Id,
      productName: z.string(),
      text: z.string(),
      /** Signed addresses, which end after an hour or two. */
      photos: z.array(z.string()),
      sentAt: Timestamp,
    }),
  ),
  /** The meetings that this user has proposed. */
  meetings: z.array(
    z.object({ productName: z.string(), place: z.string(), startsAt: Timestamp, state: z.string() }),
  ),
  /** This user's reports of conversations. */
  messageReports: z.array(
    z.object({
      productName: z.string(),
      note: z.string(),
      reportedAt: Timestamp,
      resolvedAt: z.nullable(Timestamp),
    }),
  ),
  /** Reports of reviews by this user. */
  reviewReports: z.array(
    z.object({
      orderId: Id,
      reason: z.string(),
      note: z.string(),
      reportedAt: Timestamp,
      resolution: z.nullable(z.string()),
    }),
  ),
  refunds: z.array(
    z.object({
      bookingId: Id,
      transactionId: z.string(),
      amount: Dollars,
      reason: z.string(),
      state: z.string(),
      /** What an admin said about it; empty for nothing. */
      note: z.string(),
      createdAt: Timestamp,
      doneAt: z.nullable(Timestamp),
    }),
  ),
  /** Payments to this user as a seller, which an admin made outside the shop. */
  settlements: z.array(z.object({ amount: Dollars, reference: z.string(), settledAt: Timestamp })),
  /** What this user repaid to the shop, and debts that the shop gave up. */
  debtSettlements: z.array(
    z.object({
      kind: z.enum(['repaid', 'written_off']),
      amount: Dollars,
      reference: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      settledAt: Timestamp,
    }),
  ),
  /** This user's account at the card processor, as a seller; at most one. */
  payoutAccounts: z.array(
    z.object({
      country: z.string(),
      accountId: z.nullable(z.string()),
      state: z.string(),
      /** Until when transfers wait after a change of the account. */
      holdUntil: z.nullable(Timestamp),
      createdAt: Timestamp,
    }),
  ),
  /** Transfers to this account. */
  transfers: z.array(
    z.object({
      orderId: Id,
      transferId: z.nullable(z.string()),
      amount: Dollars,
      takenBack: Dollars,
      state: z.string(),
      createdAt: Timestamp,
    }),
  ),
  /** Payments that this user has disputed at the bank. */
  disputes: z.array(
    z.object({
      bookingId: Id,
      transactionId: z.string(),
      amount: Dollars,
      reason: z.string(),
      state: z.string(),
      openedAt: Timestamp,
      closedAt: z.nullable(Timestamp),
    }),
  ),
  receipts: z.array(
    z.object({
      number: z.string(),
      kind: z.string(),
      productName: z.string(),
      amount: Dollars,
      issuedAt: Timestamp,
    }),
  ),
  reports: z.array(
    z.object({
      productCode: Id,
      productName: z.string(),
      reason: z.string(),
      note: z.string(),
      resolution: z.nullable(z.string()),
      reportedAt: Timestamp,
    }),
  ),
  /** This user's actions as an admin. */
  adminActs: z.array(z.object({ act: z.string(), subject: z.string(), note: z.string(), at: Timestamp })),
  /** Sentences about data that other services store. */
  elsewhere: z.array(z.string()),
});
export type OwnData = z.infer<typeof OwnData>;

export const readOwnData = endpoint({
  method: 'GET',
  path: '/myData',
  access: 'signed-in',
  summary: 'All data that the shop stores about the caller',
  answer: OwnData,
  limit: 'export',
});

export const deleteOwnAccount = endpoint({
  method: 'DELETE',
  path: '/myAccount',
  access: 'signed-in',
  needsRecentAuthentication: true,
  summary:
    'Ends the caller’s own account immediately and removes personal data; paid sales stay for bookkeeping',
  /** The caller's e-mail, typed again as a confirmation. */
  query: z.object({ email: Email }),
  answer: z.object({
    acknowledged: z.boolean(),
    deletedCount: z.int(),
    /** Sentences about the data that is kept, and why; empty if none is. */
    kept: z.array(z.string()),
  }),
  refusals: ['not_found', 'last_admin', 'money_on_its_way', 'card_processor_unavailable'],
});
