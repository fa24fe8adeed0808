import * as z from 'zod/mini';
import { identityEndpoint } from './endpoint.ts';
import { atMost, ByEmail, Done, existingPassword, IssuedToken, Name, NewPassword } from './schemas.ts';

/** The token in the link of an e-mail. */
const LinkToken = z
  .string({ error: 'This link is not whole' })
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/, { error: 'This link is not whole' }));

const notAPicture = 'A photo is the address of a picture on the web';
const isWebAddress = (address: string) => z.safeParse(z.url({ protocol: /^https?$/ }), address).success;

const Ended = z.object({ deletedCount: z.int() });

export const updateProfile = identityEndpoint({
  method: 'PATCH',
  path: '/user',
  access: 'session',
  summary: 'Changes the display name or the photo; a field that is left out stays',
  body: z.object({
    displayName: z.optional(Name),
    photoURL: z.optional(
      z.nullable(
        z.string({ error: notAPicture }).check(
          atMost(2048, 'This address is too long'),
          z.refine((address) => isWebAddress(address), { error: notAPicture }),
        ),
      ),
    ),
  }),
  answer: IssuedToken,
});

export const listSessions = identityEndpoint({
  method: 'GET',
  path: '/sessions',
  access: 'session',
  summary: 'Lists the sessions of the account',
  answer: z.array(
    z.object({
      id: z.string(),
      signedInAt: z.string(),
      renewedAt: z.string(),
      userAgent: z.nullable(z.string()),
      current: z.boolean(),
    }),
  ),
});
export type OpenSession = z.infer<typeof listSessions.answer>[number];

export const endSession = identityEndpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  access: 'session',
  summary: 'Ends a session of the account',
  params: z.object({ id: z.string().check(z.minLength(1), atMost(100, 'This is no session')) }),
  answer: Ended,
  refusals: ['not_found'],
});

export const endOtherSessions = identityEndpoint({
  method: 'DELETE',
  path: '/sessions',
  access: 'session',
  summary: 'Ends the other sessions of the account',
  answer: Ended,
});

export const readAccount = identityEndpoint({
  method: 'GET',
  path: '/account',
  access: 'session',
  summary: 'Answers how the account signs in',
  answer: z.object({
    email: z.string(),
    emailVerified: z.boolean(),
    sendsMail: z.boolean(),
    hasPassword: z.boolean(),
    totp: z.boolean(),
    recoveryCodesLeft: z.number(),
    /** Times are ISO 8601 in UTC. */
    passkeys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        createdAt: z.string(),
        lastUsedAt: z.nullable(z.string()),
      }),
    ),
  }),
});
export type Account = z.infer<typeof readAccount.answer>;

export const sendVerification = identityEndpoint({
  method: 'POST',
  path: '/email/verification-letter',
  access: 'session',
  summary: 'Sends an e-mail with a link that verifies the address',
  answer: Done,
  refusals: ['mail_unavailable', 'already_set_up'],
});

export const verifyEmail = identityEndpoint({
  method: 'POST',
  path: '/email/verify',
  access: 'none',
  summary:
    'Verifies an address; outside the browser that registered it removes the account’s passwords, sessions and second factors',
  body: z.object({ token: LinkToken }),
  /** `passwordToken` chooses a new password where the old one was removed; else null. */
  answer: z.extend(Done, { passwordToken: z.nullable(z.string()) }),
  refusals: ['link_spent'],
});

export const sendPasswordReset = identityEndpoint({
  method: 'POST',
  path: '/password/reset-letter',
  access: 'none',
  summary: 'Sends an e-mail with a link that sets a new password, if the address has an account',
  body: ByEmail,
  answer: z.extend(Done, { message: z.string() }),
  refusals: ['mail_unavailable'],
});

export const resetPassword = identityEndpoint({
  method: 'POST',
  path: '/password/reset',
  access: 'none',
  summary: 'Sets a new password by the link of an e-mail and ends every session of the account',
  body: z.object({ token: LinkToken, password: NewPassword }),
  answer: Done,
  refusals: ['weak_password', 'breached_password', 'link_spent'],
});

export const changePassword = identityEndpoint({
  method: 'POST',
  path: '/password/change',
  access: 'session',
  summary: 'Changes the password and ends the other sessions of the account',
  body: z.object({
    currentPassword: existingPassword('Your present password is required'),
    password: NewPassword,
  }),
  answer: Done,
  refusals: ['weak_password', 'breached_password', 'invalid_credential', 'not_found'],
});
