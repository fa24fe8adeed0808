import { updateProfile } from '#contract/identity/account.ts';
import type { SignInResult } from '#contract/identity/schemas.ts';
import {
  continueSignIn,
  readSignInPasskeyOptions,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signUp,
} from '#contract/identity/sign-in.ts';
import { createAccountActions } from './account.ts';
import type { Environment } from './environment.ts';
import { SecondFactorRequired } from './errors.ts';
import { createGooglePopup } from './google-popup.ts';
import { createIdentitySession } from './identity-session.ts';
import { createProvider } from './provider.ts';
import type { User } from './user.ts';

export type IdentityClient = ReturnType<typeof createIdentityClient>;

/**
 * Creates the identity provider's client. Its actions throw IdentityError.
 * @param url the identity provider's address, ending in `/identity`
 * @param onChange called after each change of the state
 */
export function createIdentityClient(url: string, environment: Environment, onChange: () => void) {
  const provider = createProvider(url, environment);
  const session = createIdentitySession(provider, environment, onChange);
  const openGooglePopup = createGooglePopup(url, environment);

  /** @throws SecondFactorRequired */
  async function beginSession(request: () => Promise<SignInResult>): Promise<User> {
    const result = await request();
    if ('secondFactor' in result) throw new SecondFactorRequired(result.secondFactor);
    return session.begin(result);
  }

  return {
    state: session.state,
    createUserWithEmailAndPassword: (email: string, password: string) =>
      beginSession(() => provider(null).call(signUp, { body: { email, password } })),
    /** @throws SecondFactorRequired */
    signInWithEmailAndPassword: (email: string, password: string) =>
      beginSession(() => provider(null).call(signIn, { body: { email, password } })),
    /** Must be called during a click, or browsers block the window. @throws SecondFactorRequired */
    signInWithGoogle: () =>
      beginSession(async () => provider(await openGooglePopup()).call(continueSignIn, {})),
    /** @param challenge of the sign-in @param code of an authenticator app, or a recovery code */
    signInWithCode: (challenge: string, code: string) =>
      beginSession(() => provider(challenge).call(signInWithCode, { body: { code } })),
    /** @param challenge of a sign-in whose second factor is due; null to sign in with the passkey alone */
    signInWithPasskey: (challenge: string | null) =>
      beginSession(async () => {
        const { call } = provider(challenge);
        const options = await call(readSignInPasskeyOptions, {});
        return call(signInWithPasskey, { body: { response: await environment.passkeys.get(options) } });
      }),
    account: createAccountActions(provider, session, environment.passkeys),
    /** Changes the name or the photo; a field that is left out stays. */
    updateProfile: async (changes: { displayName?: string; photoURL?: string | null }): Promise<User> =>
      session.update(session.current(), ({ call }) => call(updateProfile, { body: changes })),
    signOut: session.signOut,
    dispose: session.dispose,
  };
}
