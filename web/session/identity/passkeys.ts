import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import type { PasskeyDevice } from './environment.ts';
import { IdentityError } from './errors.ts';

/** The provider's options. Only the challenge is checked here; the browser checks the rest. */
const Creation = z.custom<PublicKeyCredentialCreationOptionsJSON>((value) => hasChallenge(value));
const Request = z.custom<PublicKeyCredentialRequestOptionsJSON>((value) => hasChallenge(value));

function hasChallenge(value: unknown): boolean {
  return z.safeParse(z.object({ challenge: z.string() }), value).success;
}

/** Converts an error of the browser. */
function toIdentityError(error: unknown): IdentityError {
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

/** Passkeys of the browser. The library is loaded at first use. */
export const browserPasskeys: PasskeyDevice = {
  async create(options) {
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON: Creation.parse(options) }).catch((error: unknown) => {
      throw toIdentityError(error);
    });
  },
  async get(options) {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON: Request.parse(options) }).catch((error: unknown) => {
      throw toIdentityError(error);
    });
  },
};
