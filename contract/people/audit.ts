import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Paging } from '#contract/platform/scalars.ts';

/** Actions that the card processor reports. */
export const cardProcessorActions = [
  'Refund failed',
  'Refund went through',
  'Refund settled by bank',
  'Refund made at card processor',
  'Refund without explanation',
  'Dispute opened',
  'Inquiry closed',
  'Dispute escalated',
  'Dispute won',
  'Dispute lost',
  'Fraud warning',
] as const;
export type CardProcessorAction = (typeof cardProcessorActions)[number];

/** Actions about money, which are listed for admins with the right “Money” as well as the card processor's. */
export const moneyActions = [
  ...cardProcessorActions,
  'Tried refund again',
  'Paid seller by hand',
  'Recorded repayment',
  'Wrote off debt',
  'Explained movement',
  'Refunded order',
  'Gave goodwill',
  'Paid waiting refund',
  'Paid refund by hand',
  'Settled insurance claim',
  'Read receipt',
] as const satisfies readonly AuditAction[];

/** Actions in the audit trail: of an admin, of the command line, or reported by the card processor. */
export const auditActions = [
  'Verified seller',
  'Checked seller',
  'Took badge back',
  'Approved name',
  'Refused name',
  'Deleted seller',
  'Deleted buyer',
  'Dismissed reports',
  'Took laptop down',
  'Inspected laptop',
  'Sent laptop back',
  'Refused laptop',
  'Made admin',
  'Invited admin',
  'Withdrew invitation',
  'Accepted invitation',
  'Changed rights',
  'Removed admin',
  'Reset second factor',
  'Tried refund again',
  'Paid seller by hand',
  'Recorded repayment',
  'Wrote off debt',
  'Explained movement',
  'Decided complaint',
  'Decided delivery',
  'Settled insurance claim',
  'Refunded order',
  'Gave goodwill',
  'Paid waiting refund',
  'Paid refund by hand',
  'Removed review',
  'Read messages',
  'Read order',
  'Read receipt',
  'Resolved report of messages',
  'Changed settings',
  'Connected card processor',
  'Added brand',
  'Changed brand',
  'Ordered brands',
  'Merged brands',
  'Published page',
  'Withdrew page',
  'Deleted page',
  ...cardProcessorActions,
] as const;
export type AuditAction = (typeof auditActions)[number];

export const AuditEntry = z.object({
  _id: Id,
  adminName: z.string(),
  /** Empty for the command line and for the card processor. */
  adminEmail: z.string(),
  act: z.enum(auditActions),
  /**
   * The person, laptop or payment concerned, in words that stay true: name and email address, laptop name and seller,
   * or laptop name and transaction id.
   */
  subject: z.string(),
  note: z.string(),
  /** ISO 8601 in UTC. */
  at: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const listAuditTrail = endpoint({
  method: 'GET',
  path: '/auditTrail',
  access: ['Admin'],
  rights: ['money'],
  summary:
    'Admin actions, failed refunds, disputes and fraud warnings, newest first. An admin who is no owner gets those about money',
  query: Paging,
  response: z.array(AuditEntry),
});
