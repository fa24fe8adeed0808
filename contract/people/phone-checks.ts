import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Inserted, Modified, telephone } from '#contract/platform/scalars.ts';

/** How many minutes a code can be typed after it was asked for. */
export const PHONE_CODE_MINUTES = 10;

/** How often a code can be typed wrongly before it ends. */
export const PHONE_CODE_ATTEMPTS = 5;

/**
 * - `sending`: the hook has not answered yet;
 * - `sent`: the hook has taken the message;
 * - `not_sent`: the hook has refused it or cannot be reached;
 * - `uncertain`: the connection ended before the hook's answer, so the message may arrive or not.
 */
export const phoneCodeStates = ['sending', 'sent', 'not_sent', 'uncertain'] as const;
export const PhoneCodeState = z.enum(phoneCodeStates);
export type PhoneCodeState = z.infer<typeof PhoneCodeState>;

/** The caller's own telephone number. */
export const OwnPhone = z.object({
  /** Whether this shop sends codes. */
  offered: z.boolean(),
  /** The confirmed number; null without one. `confirmedAt` is ISO 8601 in UTC. */
  confirmed: z.nullable(z.object({ phone: z.string(), confirmedAt: z.string() })),
  /** The latest code, until it was typed or has expired. */
  code: z.nullable(
    z.object({
      /** The number to which it is sent, such as +351 912 345 678. */
      phone: z.string(),
      state: PhoneCodeState,
      /** ISO 8601 in UTC. */
      expiresAt: z.string(),
      /** How often it can still be typed. */
      attemptsLeft: z.int(),
    }),
  ),
});
export type OwnPhone = z.infer<typeof OwnPhone>;

export const readOwnPhone = endpoint({
  method: 'GET',
  path: '/myPhone',
  access: ['Seller'],
  summary: 'The caller’s confirmed telephone number, and the state of the code that was asked for last',
  response: OwnPhone,
});

export const askPhoneCode = endpoint({
  method: 'POST',
  path: '/myPhone/codes',
  access: ['Seller'],
  summary:
    'Sends a code to a telephone number by SMS. It replaces an earlier code; a confirmed number stays until the code was typed',
  body: z.object({ phone: telephone('Phone Number is required') }),
  response: Inserted,
  refusals: ['phone_checks_off', 'too_many_requests'],
  limit: 'phoneCode',
  idempotencyKey: true,
});

export const confirmPhone = endpoint({
  method: 'PUT',
  path: '/myPhone',
  access: ['Seller'],
  summary:
    'Confirms the telephone number with the code that was sent to it; `modifiedCount` is 0 when this code has confirmed it already',
  body: z.object({
    code: z.string({ error: 'A code is required' }).check(
      z.trim(),
      // Some messages are copied with the space in the middle.
      z.regex(/^\d{3} ?\d{3}$/, { error: 'A code has six digits' }),
    ),
  }),
  response: Modified,
  refusals: ['wrong_code'],
  limit: 'phoneCode',
});

export const removePhone = endpoint({
  method: 'DELETE',
  path: '/myPhone',
  access: ['Seller'],
  summary: 'Removes the confirmed telephone number, its date and a code that was asked for',
  response: Deleted,
});
