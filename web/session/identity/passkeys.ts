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

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');

/** Whether the person or the page has ended the use of a passkey. */
const isCancelled = (error: unknown) => ['NotAllowedError', 'AbortError'].includes(nameOf(error));

/** Converts an error of the browser. */
function fail(error: unknown): never {
  if (isCancelled(error)) throw identityError('passkey_cancelled', error);
  const exists = nameOf(error) === 'InvalidStateError';
  throw identityError(exists ? 'passkey_exists' : 'passkeys_unavailable', error);
}

// The library is loaded at first use. Each function names what it imports, so that the bundler drops the rest.

/** Creates a passkey with the provider's options. @throws IdentityError */
export async function createPasskey(options: unknown) {
  const optionsJSON = CreationOptions.parse(options);
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON }).catch(fail);
}

/** Answers the provider's challenge with a passkey. It ends {@link choosePasskey}. @throws IdentityError */
export async function answerWithPasskey(options: unknown) {
  const optionsJSON = RequestOptions.parse(options);
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON }).catch(fail);
}

/** The answer to a challenge of the provider. */
export type PasskeyAnswer = Awaited<ReturnType<typeof answerWithPasskey>>;

/**
 * Offers the passkeys of this browser in the autofill of the field with `webauthn` in its `autocomplete`, and waits until one is chosen.
 * @returns null when the signal or another use of a passkey ends it
 * @throws IdentityError
 */
export async function choosePasskey(options: unknown, signal: AbortSignal): Promise<PasskeyAnswer | null> {
  const optionsJSON = RequestOptions.parse(options);
  const { startAuthentication, WebAuthnAbortService } = await import('@simplewebauthn/browser');
  if (signal.aborted) return null;
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener('abort', cancel);
  return startAuthentication({ optionsJSON, useBrowserAutofill: true })
    .catch((error: unknown) => (isCancelled(error) ? null : fail(error)))
    .finally(() => signal.removeEventListener('abort', cancel));
}
