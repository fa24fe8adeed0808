import * as z from 'zod/mini';
import { identityEndpoint } from './endpoint.ts';
import { atMost, ByEmail, KnownEmail } from './schemas.ts';

const notAMoment = 'This is no moment';

/** ISO 8601, UTC. */
const Moment = z.string().check(
  atMost(40, notAMoment),
  z.refine((moment) => z.safeParse(z.iso.datetime(), moment).success, { error: notAMoment }),
);

export const disableAccount = identityEndpoint({
  method: 'POST',
  path: '/admin/disable',
  access: 'service',
  summary: 'Disables an account and ends its sessions',
  body: ByEmail,
  answer: z.object({ disabled: z.literal(true) }),
  refusals: ['not_found'],
});

export const resetSecondFactor = identityEndpoint({
  method: 'POST',
  path: '/admin/reset-second-factor',
  access: 'service',
  summary: 'Removes the second factors of an account and notifies its owner',
  body: ByEmail,
  answer: z.object({ reset: z.literal(true) }),
  refusals: ['not_found'],
});

export const eraseAccount = identityEndpoint({
  method: 'POST',
  path: '/admin/erase',
  access: 'service',
  summary: 'Erases an account, unless it was created at or after `madeBefore`',
  body: z.object({ email: KnownEmail, madeBefore: z.optional(Moment) }),
  answer: z.object({ erased: z.literal(true) }),
  refusals: ['not_found'],
});
