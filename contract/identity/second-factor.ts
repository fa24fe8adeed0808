import * as z from 'zod/mini';
import { isOneLine, listOf } from '../scalars.ts';
import { identityEndpoint } from './endpoint.ts';
import {
  atMost,
  Base64url,
  CodeBody,
  PasskeyOptions,
  PasswordConfirmation,
  SecondFactorAdded,
  Success,
} from './schemas.ts';

export const beginAuthenticator = identityEndpoint({
  method: 'POST',
  path: '/totp',
  access: 'session',
  summary: 'Creates the key of an authenticator app; its first code activates it',
  body: PasswordConfirmation,
  answer: z.object({ secret: z.string(), url: z.string() }),
  refusals: ['invalid_credential', 'reauthentication_required', 'already_set_up'],
});
export type AuthenticatorSetup = z.infer<typeof beginAuthenticator.answer>;

export const confirmAuthenticator = identityEndpoint({
  method: 'POST',
  path: '/totp/confirm',
  access: 'session',
  summary: 'Activates an authenticator app with its first code and ends the other sessions of the account',
  body: CodeBody,
  answer: SecondFactorAdded,
  refusals: ['invalid_code', 'already_set_up'],
});

export const removeAuthenticator = identityEndpoint({
  method: 'POST',
  path: '/totp/remove',
  access: 'session',
  summary: 'Removes the authenticator app',
  body: PasswordConfirmation,
  answer: Success,
  refusals: ['invalid_credential', 'reauthentication_required', 'not_found'],
});

export const renewRecoveryCodes = identityEndpoint({
  method: 'POST',
  path: '/recovery-codes',
  access: 'session',
  summary: 'Replaces the recovery codes',
  body: PasswordConfirmation,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  refusals: ['invalid_credential', 'reauthentication_required', 'not_found'],
});

export const readNewPasskeyOptions = identityEndpoint({
  method: 'POST',
  path: '/passkeys/options',
  access: 'session',
  summary: 'Returns the options for creating a passkey',
  body: PasswordConfirmation,
  answer: PasskeyOptions,
  refusals: ['invalid_credential', 'reauthentication_required'],
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
    response: z.object({
      id: Base64url,
      rawId: Base64url,
      type: z.literal('public-key'),
      response: z.object({
        clientDataJSON: Base64url,
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
  }),
  answer: SecondFactorAdded,
  refusals: ['passkey_refused', 'already_set_up'],
});

export const removePasskey = identityEndpoint({
  method: 'POST',
  path: '/passkeys/:id/remove',
  access: 'session',
  summary: 'Removes a passkey',
  params: z.object({ id: Base64url }),
  body: PasswordConfirmation,
  answer: Success,
  refusals: ['invalid_credential', 'reauthentication_required', 'not_found'],
});
