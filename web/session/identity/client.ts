import type { Client } from '#contract/client.ts';
import { resetPassword, sendPasswordReset, updateProfile, verifyEmail } from '#contract/identity/account.ts';
import type { SecondFactorMethod, SignInResult } from '#contract/identity/schemas.ts';
import { addPasskey, confirmAuthenticator, readNewPasskeyOptions } from '#contract/identity/second-factor.ts';
import {
  continueSignIn,
  readSignInPasskeyOptions,
  reauthenticate,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signUp,
} from '#contract/identity/sign-in.ts';
import type { SessionStateAccess } from '../session-state.ts';
import type { Environment } from './environment.ts';
import { createGooglePopup } from './google-popup.ts';
import { createIdentitySession } from './identity-session.ts';
import { createProvider } from './provider.ts';

export type IdentityClient = ReturnType<typeof createIdentityClient>;
export type AccountActions = IdentityClient['account'];

/** The second factor that a sign-in requires. `challenge`: the token that completes it. */
interface SecondFactor {
  methods: readonly SecondFactorMethod[];
  challenge: string;
}

/**
 * Creates the identity provider's client. Its actions throw IdentityError.
 * @param url the identity provider's address, ending in `/identity`
 * @param access the store whose `signIn` it sets
 */
export function createIdentityClient(url: string, environment: Environment, access: SessionStateAccess) {
  const { passkeys } = environment;
  const provider = createProvider(url, environment);
  const session = createIdentitySession(provider, environment, access);
  const openGooglePopup = createGooglePopup(url, environment.page);
  const withoutSession = provider(null);
  const call: Client['call'] = async (endpoint, input) =>
    provider(session.current().sessionToken).call(endpoint, input);

  /** Completes a sign-in, unless it requires a second factor. @returns the second factor, or null */
  async function begin(result: SignInResult): Promise<SecondFactor | null> {
    if ('secondFactor' in result) return result.secondFactor;
    await session.begin(result);
    return null;
  }

  return {
    getIdToken: session.getIdToken,
    signOut: session.signOut,
    dispose: session.dispose,
    signUp: async (email: string, password: string) =>
      begin(await withoutSession.call(signUp, { body: { email, password } })),
    signIn: async (email: string, password: string) =>
      begin(await withoutSession.call(signIn, { body: { email, password } })),
    /** Must be called during a click, or browsers block the window. */
    signInWithGoogle: async () => begin(await provider(await openGooglePopup()).call(continueSignIn, {})),
    /** @param challenge of the sign-in @param code of an authenticator app, or a recovery code */
    signInWithCode: async (challenge: string, code: string) =>
      begin(await provider(challenge).call(signInWithCode, { body: { code } })),
    /** @param challenge of a sign-in whose second factor is due; null to sign in with the passkey alone */
    async signInWithPasskey(challenge: string | null) {
      const calls = provider(challenge);
      const response = await passkeys.get(await calls.call(readSignInPasskeyOptions, {}));
      return begin(await calls.call(signInWithPasskey, { body: { response } }));
    },
    setDisplayName: async (displayName: string) =>
      session.update(session.current(), (calls) => calls.call(updateProfile, { body: { displayName } })),
    /** Confirms the password, null for an account without one, and replaces the session by one that begins now. */
    reauthenticate: async (password: string | null) =>
      session.begin(await call(reauthenticate, { body: { password: password ?? undefined } })),

    /** Reads and changes how the account signs in. Actions that send an e-mail's token or address need no session. */
    account: {
      /** Makes any other call of the identity provider with the session's token. */
      call,
      /** Requests an e-mail with a link that sets a new password. */
      async sendPasswordReset(email: string): Promise<void> {
        await withoutSession.call(sendPasswordReset, { body: { email } });
      },
      /** @param token of the e-mail's link */
      async resetPassword(token: string, password: string): Promise<void> {
        await withoutSession.call(resetPassword, { body: { token, password } });
        // Every session of that account has ended, perhaps this browser's too.
        await session.recheck();
      },
      /**
       * Verifies an address. Outside the browser that registered it, the account's passwords, sessions and second
       * factors are removed.
       * @param token of the e-mail's link
       * @returns a token for `resetPassword` when they were removed; else null
       */
      async verifyEmail(token: string): Promise<string | null> {
        const { passwordToken } = await withoutSession.call(verifyEmail, { body: { token } });
        await session.recheck();
        return passwordToken;
      },
      /** @returns recovery codes, which are shown only once; null for an account that has some */
      async confirmAuthenticator(code: string): Promise<readonly string[] | null> {
        const added = await call(confirmAuthenticator, { body: { code } });
        await session.begin(added);
        return added.recoveryCodes;
      },
      /**
       * @param password null for an account without one
       * @returns recovery codes, which are shown only once; null for an account that has some
       */
      async addPasskey(name: string, password: string | null): Promise<readonly string[] | null> {
        const options = await call(readNewPasskeyOptions, { body: { password: password ?? undefined } });
        const added = await call(addPasskey, { body: { name, response: await passkeys.create(options) } });
        await session.begin(added);
        return added.recoveryCodes;
      },
    },
  };
}
