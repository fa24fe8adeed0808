import * as z from 'zod/mini';
import { isOneLine } from '#contract/platform/scalars.ts';
import { identityEndpoint } from './endpoint.ts';
import {
  atMost,
  Base64url,
  EmailBody,
  existingPassword,
  IssuedToken,
  Name,
  NewPassword,
  Success,
} from './schemas.ts';

/** The token in the link of an email. */
const LinkToken = z
  .string({ error: 'This link is incomplete' })
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/, { error: 'This link is incomplete' }));

const notAnImageUrl = 'A photo is the URL of an image on the web';
/** The parser of URLs accepts control characters, which PostgreSQL does not. */
const isHttpUrl = (address: string) =>
  isOneLine(address) && z.safeParse(z.url({ protocol: /^https?$/ }), address).success;

const EndedSessions = z.object({ deletedCount: z.int() });

export const updateProfile = identityEndpoint({
  method: 'PATCH',
  path: '/user',
  access: 'session',
  summary: 'Changes the display name or the photo; an omitted field is not changed',
  body: z.object({
    displayName: z.optional(Name),
    photoURL: z.optional(
      z.nullable(
        z.string({ error: notAnImageUrl }).check(
          atMost(2048, 'This URL is too long'),
          z.refine((address) => isHttpUrl(address), { error: notAnImageUrl }),
        ),
      ),
    ),
  }),
  response: IssuedToken,
});

export const listSessions = identityEndpoint({
  method: 'GET',
  path: '/sessions',
  access: 'session',
  summary: 'Lists the sessions of the account',
  response: z.array(
    z.object({
      id: z.string(),
      signedInAt: z.string(),
      renewedAt: z.string(),
      userAgent: z.nullable(z.string()),
      current: z.boolean(),
    }),
  ),
});
export type OpenSession = z.infer<typeof listSessions.response>[number];

export const endSession = identityEndpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  access: 'session',
  summary: 'Ends a session of the account',
  params: z.object({ id: Base64url }),
  response: EndedSessions,
});

export const endOtherSessions = identityEndpoint({
  method: 'DELETE',
  path: '/sessions',
  access: 'session',
  summary: 'Ends the other sessions of the account',
  response: EndedSessions,
});

export const readAccount = identityEndpoint({
  method: 'GET',
  path: '/account',
  access: 'session',
  summary: 'Returns the sign-in methods of the account',
  response: z.object({
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
export type Account = z.infer<typeof readAccount.response>;

export const sendVerification = identityEndpoint({
  method: 'POST',
  path: '/email/verification-letter',
  access: 'session',
  summary: 'Sends an email with a link that verifies the address',
  response: Success,
});

export const verifyEmail = identityEndpoint({
  method: 'POST',
  path: '/email/verify',
  access: 'none',
  summary:
    'Verifies an email address. In another browser than the one that registered, it also removes the account’s passwords, sessions and second factors',
  body: z.object({ token: LinkToken }),
  /** `passwordToken` is a token for {@link resetPassword} if the old password was removed, else null. */
  response: z.extend(Success, { passwordToken: z.nullable(z.string()) }),
});

export const sendPasswordReset = identityEndpoint({
  method: 'POST',
  path: '/password/reset-letter',
  access: 'none',
  summary: 'Sends an email with a link that sets a new password, if the address has an account',
  body: EmailBody,
  response: z.extend(Success, { message: z.string() }),
});

export const resetPassword = identityEndpoint({
  method: 'POST',
  path: '/password/reset',
  access: 'none',
  summary: 'Sets a new password with the token of an emailed link and ends every session of the account',
  body: z.object({ token: LinkToken, password: NewPassword }),
  response: Success,
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
  response: Success,
});
