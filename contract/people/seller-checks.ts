import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Email, line, Modified, text } from '#contract/platform/scalars.ts';
import { DAY_MS } from '../platform/durations.ts';

/** The documents that an admin looks at before verifying a seller. No copy and no number of them is stored. */
export const checkedDocuments = ['address', 'identity'] as const;
export const CheckedDocument = z.enum(checkedDocuments, {
  error: 'Say which document was checked: address or identity',
});
export type CheckedDocument = z.infer<typeof CheckedDocument>;

/** When each was checked, ISO 8601 in UTC; null when it was not. */
export const SellerChecks = z.object({
  /** When an admin verified the seller; null also for sellers verified before this was recorded. */
  verifiedAt: z.nullable(z.string()),
  /** When an admin saw a proof of address. */
  address: z.nullable(z.string()),
  /** When an admin saw an identity document. */
  identity: z.nullable(z.string()),
  /** When the seller typed a code that was sent to the seller's telephone. */
  phone: z.nullable(z.string()),
});
export type SellerChecks = z.infer<typeof SellerChecks>;

/** Which documents count as which. */
export const documentKinds = {
  address: ['Utility bill', 'Bank statement', 'Letter of an authority', 'Rental agreement'],
  identity: ['Passport', 'Identity card', 'Driving licence', 'Residence permit'],
} as const satisfies Record<CheckedDocument, readonly string[]>;

/** How an admin has seen a document. */
export const waysSeen = ['In person', 'By video', 'As a copy'] as const;

/** What is recorded of a document besides the day. */
export const RecordedDocument = z.object({
  kind: z.enum([...documentKinds.address, ...documentKinds.identity], { error: 'Say which document it was' }),
  seen: z.enum(waysSeen, { error: 'Say how you have seen it' }),
});
export type RecordedDocument = z.infer<typeof RecordedDocument>;

/** For how many days back a document can be recorded. */
export const MAXIMUM_CHECK_AGE_DAYS = 365;

/** Noon in UTC of a day such as `2026-11-26`: the same day in almost every time zone. */
export const noonOf = (day: string): Date => new Date(`${day}T12:00:00Z`);

export const NewSellerCheck = z
  .object({
    document: CheckedDocument,
    kind: RecordedDocument.shape.kind,
    seen: RecordedDocument.shape.seen,
    /** The day on which it was seen, of the admin's calendar. */
    day: z.iso.date({ error: 'Choose the day on which you have seen it' }).check(
      z.refine(
        (day) => Math.abs(Date.now() - noonOf(day).getTime()) <= (MAXIMUM_CHECK_AGE_DAYS + 1) * DAY_MS,
        {
          error: 'Choose a day of the last year',
          abort: true,
        },
      ),
      // Noon in UTC of a day that has begun in the easternmost time zone is at most 26 hours ahead.
      z.refine((day) => noonOf(day).getTime() - Date.now() <= 26 * 3_600_000, {
        error: 'This day has not come yet',
      }),
    ),
    /** The seller's name as the admin saw it, which is the one on the document. */
    name: line(100, 'Say whose document it was'),
  })
  .check(
    z.refine(({ document, kind }) => documentKinds[document].some((known) => known === kind), {
      error: 'Say which document it was',
      path: ['kind'],
    }),
  );

export const recordSellerCheck = endpoint({
  method: 'PUT',
  path: '/sellers/:email/checks',
  access: ['Admin'],
  rights: ['people'],
  summary:
    'Records which document of a seller an admin has seen, how and when; a document that was recorded before stays as it is',
  params: z.object({ email: Email }),
  body: NewSellerCheck,
  response: Modified,
  refusals: ['not_found', 'changed_elsewhere'],
});

/** What an admin can take back of a seller. */
export const sellerBadges = ['verified', ...checkedDocuments] as const;
export type SellerBadge = (typeof sellerBadges)[number];

/** Why a badge is taken back, for the seller and the audit trail. */
export const BadgeReason = z.object({ reason: text(1000, 'Say why, so that the seller understands') });

export const takeBadgeBack = endpoint({
  method: 'PUT',
  path: '/sellers/:email/badges/:badge/takeBack',
  access: ['Admin'],
  rights: ['people'],
  summary:
    'Takes the verification of a seller back, or that a document was seen, with a reason for the seller',
  params: z.object({ email: Email, badge: z.enum(sellerBadges) }),
  body: BadgeReason,
  response: Modified,
  refusals: ['not_found'],
});
