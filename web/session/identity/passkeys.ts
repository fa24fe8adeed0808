import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import type { addPasskey } from '#contract/identity/second-factor.ts';
import type { signInWithPasskey } from '#contract/identity/sign-in.ts';
import { identityError } from './errors.ts';

/** Creates and uses passkeys, with the provider's options. Its methods throw IdentityError. */
export interface PasskeyDevice {
  create(options: unknown): Promise<z.input<typeof addPasskey.body>['response']>;
  get(options: unknown): Promise<z.input<typeof signInWithPasskey.body>['response']>;
}

/** Checks only that the provider's options have a challenge; the browser checks the rest. */
const hasChallenge = (options: unknown) => z.safeParse(z.object({ challenge: z.string() }), options).success;
const CreationOptions = z.custom<PublicKeyCredentialCreationOptionsJSON>(hasChallenge);
const RequestOptions = z.custom<PublicKeyCredentialRequestOptionsJSON>(hasChallenge);

/** Converts an error of the browser. */
function fail(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') throw identityError('passkey_cancelled', error);
  if (name === 'InvalidStateError') throw identityError('passkey_exists', error);
  throw identityError('passkeys_unavailable', error);
}

/** Passkeys of the browser. The library is loaded at first use. */
export const browserPasskeys: PasskeyDevice = {
  async create(options) {
    const optionsJSON = CreationOptions.parse(options);
    const { startRegistration } = await import('@simplewebauthn/browser');
    return startRegistration({ optionsJSON }).catch(fail);
  },
  async get(options) {
    const optionsJSON = RequestOptions.parse(options);
    const { startAuthentication } = await import('@simplewebauthn/browser');
    return startAuthentication({ optionsJSON }).catch(fail);
  },
};
