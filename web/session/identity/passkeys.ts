import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import type { PasskeyDevice } from './environment.ts';
import { IdentityError } from './errors.ts';

/** The options of the provider as far as this module looks into them; the rest is the browser's affair. */
const Creation = z.custom<PublicKeyCredentialCreationOptionsJSON>((value) => hasChallenge(value));
const Request = z.custom<PublicKeyCredentialRequestOptionsJSON>((value) => hasChallenge(value));

function hasChallenge(value: unknown): boolean {
  return z.safeParse(z.object({ challenge: z.string() }), value).success;
}

/** What a browser's refusal amounts to. */
function failureOf(error: unknown): IdentityError {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return new IdentityError('auth/passkey-cancelled', { cause: error });
  }
  if (name === 'InvalidStateError') {
    return new IdentityError('auth/argument-error', {
      message: 'This device has a passkey for your account already.',
      cause: error,
    });
  }
  return new IdentityError('auth/passkey-not-available', { cause: error });
}

/** The browser's own passkeys; its code is loaded with the first use. */
export const browserPasskeys: PasskeyDevice = {
  async create(options) {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON: Creation.parse(options) }).catch((error: unknown) => {
      throw failureOf(error);
    });
  },
  async get(options) {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON: Request.parse(options) }).catch((error: unknown) => {
      throw failureOf(error);
    });
  },
};
