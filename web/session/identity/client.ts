import type * as z from 'zod/mini';
import { resetPassword, verifyEmail } from '#contract/identity/account.ts';
import { NewSession } from '#contract/identity/schemas.ts';
import { addPasskey, readNewPasskeyOptions } from '#contract/identity/second-factor.ts';
import { continueSignIn, readSignInPasskeyOptions, signInWithPasskey } from '#contract/identity/sign-in.ts';
import { type Callable, type Client, createClient, type Input, Problem } from '#contract/platform/client.ts';
import { randomHex } from '../../requests/random-hex.ts';
import { tryStorage } from '../../ui/browser-storage.ts';
import type { Environment } from './environment.ts';
import { IdentityError, identityError } from './errors.ts';
import { createGooglePopup } from './google-popup.ts';
import { createIdentitySession, type SessionOptions } from './identity-session.ts';
import { answerWithPasskey, choosePasskey, createPasskey, type PasskeyAnswer } from './passkeys.ts';

export type IdentityClient = ReturnType<typeof createIdentityClient>;

/** Milliseconds until a request without a response fails. */
const REQUEST_TIMEOUT = 10_000;

/** Storage key of the device token. Signing out keeps it. */
const DEVICE_KEY = 'coomercioDevice';

/** Endpoints that end sessions of an account: perhaps this browser's. */
const sessionEnding: readonly Callable[] = [resetPassword, verifyEmail];

const unreachable = identityError('network').message;
const unexpected = identityError('internal').message;

/**
 * Creates a function that returns the token by which the identity provider recognizes this browser. The provider counts
 * sign-in attempts of known browsers apart, and an address verified in the browser that registered keeps its password.
 * Without storage the token lasts as long as the page.
 */
function createDeviceToken({ localStorage }: Pick<Environment, 'localStorage'>): () => string {
  let token: string | null = null;
  return () => {
    token ??= tryStorage(() => localStorage().getItem(DEVICE_KEY));
    if (token !== null) return token;
    const created = randomHex();
    tryStorage(() => localStorage().setItem(DEVICE_KEY, created));
    token = created;
    return created;
  };
}

/**
 * Creates the identity provider's client. Its actions throw IdentityError.
 * @param url the identity provider's address, ending in `/identity`
 */
export function createIdentityClient(url: string, environment: Environment, options: SessionOptions) {
  const deviceToken = createDeviceToken(environment);
  const openGooglePopup = createGooglePopup(url);

  /** @param token the bearer token of the calls */
  function provider(token: string | null): Pick<Client, 'call'> {
    const client = createClient({
      base: url,
      token: () => token,
      timeout: REQUEST_TIMEOUT,
      messages: { unreachable, timeout: unreachable, unexpected },
      fetch(address, init) {
        const headers = new Headers(init.headers);
        headers.set('device-token', deviceToken());
        // Cookies are omitted, so that no other site can use the session (CSRF).
        return environment.fetch(address, { ...init, headers, credentials: 'omit', cache: 'no-store' });
      },
    });
    return {
      call: (endpoint, input) =>
        client.call(endpoint, input).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          throw new IdentityError(error.code, error.message, error, error.errors);
        }),
    };
  }

  const session = createIdentitySession(provider, environment, options);

  /**
   * Makes a call. A session in the response is saved: it is a new sign-in, or replaces the present session.
   * @param token by default that of the session, where the endpoint requires one
   */
  async function call<E extends Callable>(
    endpoint: E,
    input: Input<E>,
    token = endpoint.access === 'session' ? session.current().sessionToken : null,
  ): Promise<z.output<E['response']>> {
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
      choosePasskey(await call(readSignInPasskeyOptions, {}), signal),
    /** Signs in with a passkey of `choosePasskey`. */
    signInWithChosenPasskey: (response: PasskeyAnswer) => call(signInWithPasskey, { body: { response } }),
    /** Asks for a passkey. @param challenge of a sign-in that requires its second factor, or null */
    async signInWithPasskey(challenge: string | null) {
      const response = await answerWithPasskey(await call(readSignInPasskeyOptions, {}, challenge));
      return call(signInWithPasskey, { body: { response } }, challenge);
    },
    /** @param password undefined for an account without one */
    async addPasskey(name: string, password: string | undefined) {
      const options = await call(readNewPasskeyOptions, { body: { password } });
      return call(addPasskey, { body: { name, response: await createPasskey(options) } });
    },
  };
}
