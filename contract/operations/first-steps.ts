import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';

/** The page that makes somebody the first admin. Its key is the fragment of the URL, which no server logs. */
export const CLAIM_PATH = '/dashboard/claim';

const Done = z.object({ acknowledged: z.boolean() });

export const claimShop = endpoint({
  method: 'POST',
  path: '/shopClaim',
  access: 'signed-in',
  summary: 'Makes the caller the first admin, with the key that the shop prints while it has none',
  limit: 'registration',
  body: z.object({
    key: z
      .string({ error: 'The link is not complete' })
      .check(z.trim(), z.regex(/^[A-Za-z0-9_-]{32}$/, { error: 'The link is not complete' })),
  }),
  response: Done,
  refusals: ['not_allowed', 'shop_claimed'],
  changes: ['everything'],
});

export const connectCardProcessor = endpoint({
  method: 'POST',
  path: '/cardProcessorConnection',
  access: ['Admin'],
  rights: ['settings'],
  summary:
    'Lets the card processor send its events to this shop, and stops its automatic payouts to the shop’s bank when sellers are paid through it. Does only what is missing',
  limit: 'editing',
  response: z.object({
    acknowledged: z.boolean(),
    /** How many destinations of events were created. */
    created: z.int(),
  }),
  refusals: ['provider_refused'],
  changes: ['health', 'auditTrail'],
});

export const sendTestEmail = endpoint({
  method: 'POST',
  path: '/testEmail',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Sends the caller an email at once, and says what the mail server answers',
  limit: 'editing',
  response: Done,
  refusals: ['provider_refused'],
});
