import type * as z from 'zod/mini';
import { resetPassword, verifyEmail } from '#contract/identity/account.ts';
import type { IdentityEndpoint } from '#contract/identity/endpoint.ts';
import { NewSession } from '#contract/identity/schemas.ts';
import { addPasskey, readNewPasskeyOptions } from '#contract/identity/second-factor.ts';
import { continueSignIn, readSignInPasskeyOptions, signInWithPasskey } from '#contract/identity/sign-in.ts';
import type { Input } from '#contract/platform/client.ts';
import type { SessionStateAccess } from '../session-state.ts';
import type { Environment } from './environment.ts';
import { identityError } from './errors.ts';
import { createGooglePopup } from './google-popup.ts';
import { createIdentitySession } from './identity-session.ts';
import { answerWithPasskey, choosePasskey, createPasskey, type PasskeyAnswer } from './passkeys.ts';
import { createProvider } from './provider.ts';

export type IdentityClient = ReturnType<typeof createIdentityClient>;

/** Endpoints that end sessions of an account: perhaps this browser's. */
const sessionEnding: readonly IdentityEndpoint[] = [resetPassword, verifyEmail];

/**
 * Creates the identity provider's client. Its actions throw IdentityError.
 * @param url the identity provider's address, ending in `/identity`
 * @param access the store whose `signIn` it sets
 */
export function createIdentityClient(url: string, environment: Environment, access: SessionStateAccess) {
  const provider = createProvider(url, environment);
  const session = createIdentitySession(provider, environment, access);
  const openGooglePopup = createGooglePopup(url);

  /** The bearer token that an endpoint requires: of the session, of the pending sign-in, or none. */
  function tokenFor(endpoint: Pick<IdentityEndpoint, 'access'>): string | null {
    const { session: pending } = access.state();
    switch (endpoint.access) {
      case 'session':
        return session.current().sessionToken;
      case 'challenge':
      case 'optional-challenge':
        if (pending.status === 'second-factor') return pending.challenge;
        if (endpoint.access === 'challenge') throw identityError('session_ended');
        return null;
      default:
        return null;
    }
  }

  /** Makes a call. A session in the response is saved: it is a new sign-in, or replaces the present session. */
  async function call<E extends IdentityEndpoint>(
    endpoint: E,
    input: Input<E>,
    token = tokenFor(endpoint),
  ): Promise<z.output<E['answer']>> {
    const answer = await provider(token).call(endpoint, input);
    const issued = NewSession.safeParse(answer);
    if (issued.success) await session.begin(issued.data);
    if (sessionEnding.includes(endpoint)) await session.recheck();
    return answer;
  }

  return {
    ...session,
    call,
    signInWithGoogle: async () => call(continueSignIn, {}, await openGooglePopup()),
    /** Waits until a passkey is chosen in the autofill of a field, and leaves the session as it is. @returns null when it was ended */
    choosePasskey: async (signal: AbortSignal): Promise<PasskeyAnswer | null> =>
      choosePasskey(await call(readSignInPasskeyOptions, {}, null), signal),
    /** @param chosen the passkey of `choosePasskey`; without it, the browser asks for one */
    async signInWithPasskey(chosen?: PasskeyAnswer) {
      const token = chosen === undefined ? tokenFor(signInWithPasskey) : null;
      const response = chosen ?? (await answerWithPasskey(await call(readSignInPasskeyOptions, {}, token)));
      return call(signInWithPasskey, { body: { response } }, token);
    },
    /** @param password undefined for an account without one */
    async addPasskey(name: string, password: string | undefined) {
      const options = await call(readNewPasskeyOptions, { body: { password } });
      return call(addPasskey, { body: { name, response: await createPasskey(options) } });
    },
  };
}
