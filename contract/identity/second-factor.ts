import * as z from 'zod/mini';
import { isOneLine, listOf } from '#contract/platform/scalars.ts';
import { identityEndpoint } from './endpoint.ts';
import {
  atMost,
  Base64url,
  CodeBody,
  confirmedByPassword,
  PasskeyOptions,
  passkeyCredential,
  SecondFactorAdded,
  Success,
} from './schemas.ts';

export const beginAuthenticator = identityEndpoint({
  ...confirmedByPassword,
  path: '/totp',
  summary: 'Creates the key of an authenticator app; its first code activates it',
  response: z.object({ secret: z.string(), url: z.string() }),
});
export type AuthenticatorSetup = z.infer<typeof beginAuthenticator.response>;

export const confirmAuthenticator = identityEndpoint({
  method: 'POST',
  path: '/totp/confirm',
  access: 'session',
  summary: 'Activates an authenticator app with its first code and ends the other sessions of the account',
  body: CodeBody,
  response: SecondFactorAdded,
});

export const removeAuthenticator = identityEndpoint({
  ...confirmedByPassword,
  path: '/totp/remove',
  summary: 'Removes the authenticator app',
  response: Success,
});

export const renewRecoveryCodes = identityEndpoint({
  ...confirmedByPassword,
  path: '/recovery-codes',
  summary: 'Replaces the recovery codes',
  response: z.object({ recoveryCodes: z.array(z.string()) }),
});

export const readNewPasskeyOptions = identityEndpoint({
  ...confirmedByPassword,
  path: '/passkeys/options',
  summary: 'Returns the options for creating a passkey',
  response: PasskeyOptions,
});

export const addPasskey = identityEndpoint({
  method: 'POST',
  path: '/passkeys',
  access: 'session',
  summary: 'Adds a passkey and ends the other sessions of the account',
  body: z.object({
    name: z._default(
      z
        .string()
        .check(
          z.trim(),
          atMost(60, 'At most 60 characters, please'),
          z.refine(isOneLine, { error: 'This name cannot be shown' }),
        ),
      '',
    ),
    response: passkeyCredential({
      attestationObject: Base64url,
      transports: z._default(
        listOf(
          10,
          z.string().check(z.regex(/^[a-z-]{1,20}$/)),
          'Transports are a list',
          'At most 10 transports',
        ),
        [],
      ),
    }),
  }),
  response: SecondFactorAdded,
});

export const removePasskey = identityEndpoint({
  ...confirmedByPassword,
  path: '/passkeys/:id/remove',
  summary: 'Removes a passkey',
  params: z.object({ id: Base64url }),
  response: Success,
});
