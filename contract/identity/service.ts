import * as z from 'zod/mini';
import { identityEndpoint } from './endpoint.ts';
import { atMost, EmailBody, SingleLineEmail } from './schemas.ts';

const notATimestamp = 'This is not a point in time';

/** ISO 8601, UTC. */
const Timestamp = z.string().check(
  atMost(40, notATimestamp),
  z.refine((text) => z.safeParse(z.iso.datetime(), text).success, { error: notATimestamp }),
);

export const disableAccount = identityEndpoint({
  method: 'POST',
  path: '/admin/disable',
  access: 'service',
  summary: 'Disables an account and ends its sessions',
  body: EmailBody,
  response: z.object({ disabled: z.literal(true) }),
});

export const resetSecondFactor = identityEndpoint({
  method: 'POST',
  path: '/admin/reset-second-factor',
  access: 'service',
  summary: 'Removes the second factors of an account and notifies its owner',
  body: EmailBody,
  response: z.object({ reset: z.literal(true) }),
});

export const eraseAccount = identityEndpoint({
  method: 'POST',
  path: '/admin/erase',
  access: 'service',
  summary: 'Erases an account, unless it was created at or after `madeBefore`',
  body: z.object({ email: SingleLineEmail, madeBefore: z.optional(Timestamp) }),
  response: z.object({ erased: z.literal(true) }),
});
