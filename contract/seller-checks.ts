import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Email, Modified } from './scalars.ts';

/** The documents that an admin looks at before verifying a seller. Nothing of them is stored but the day. */
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

export const recordSellerCheck = endpoint({
  method: 'PUT',
  path: '/sellers/:email/checks',
  access: ['Admin'],
  summary:
    'Records that an admin has seen a document of a seller, with the day; a document that was seen before stays as it is',
  params: z.object({ email: Email }),
  body: z.object({ document: CheckedDocument }),
  answer: Modified,
  refusals: ['not_found'],
});
