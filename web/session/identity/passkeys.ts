import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import { identityError } from './errors.ts';

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

// The library is loaded at first use. Each function names what it imports, so that the bundler drops the rest.

/** Creates a passkey with the provider's options. @throws IdentityError */
export async function createPasskey(options: unknown) {
  const optionsJSON = CreationOptions.parse(options);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON }).catch(fail);
}

/** Answers the provider's challenge with a passkey. @throws IdentityError */
export async function answerWithPasskey(options: unknown) {
  const optionsJSON = RequestOptions.parse(options);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON }).catch(fail);
}
