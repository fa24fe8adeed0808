import type { Client } from '#contract/client.ts';
import { resetPassword, sendPasswordReset, verifyEmail } from '#contract/identity/account.ts';
import { addPasskey, confirmAuthenticator, readNewPasskeyOptions } from '#contract/identity/second-factor.ts';
import { reauthenticate } from '#contract/identity/sign-in.ts';
import type { PasskeyDevice } from './environment.ts';
import type { createIdentitySession } from './identity-session.ts';
import type { Provider } from './provider.ts';
import type { User } from './user.ts';

export type AccountActions = ReturnType<typeof createAccountActions>;

/**
 * Creates the actions that read and change how the account signs in. Those that send an e-mail's token or address work
 * without a session. Each throws IdentityError. A `password` is the account's own; null for an account without one.
 */
export function createAccountActions(
  provider: Provider,
  session: Pick<ReturnType<typeof createIdentitySession>, 'current' | 'replace' | 'recheck'>,
  passkeys: PasskeyDevice,
) {
  const call: Client['call'] = async (endpoint, input) =>
    provider(session.current().sessionToken).call(endpoint, input);

  return {
    /** Makes any other call of the identity provider with the session's token. */
    call,
    /** Requests an e-mail with a link that sets a new password. */
    async sendPasswordReset(email: string): Promise<void> {
      await provider(null).call(sendPasswordReset, { body: { email } });
    },
    /** @param token of the e-mail's link */
    async resetPassword(token: string, password: string): Promise<void> {
      await provider(null).call(resetPassword, { body: { token, password } });
      // Every session of that account has ended, perhaps this browser's too.
      await session.recheck();
    },
    /**
     * Verifies an address. Outside the browser that registered it, the account's passwords, sessions and second factors
     * are removed.
     * @param token of the e-mail's link
     * @returns a token for `resetPassword` when they were removed; else null
     */
    async verifyEmail(token: string): Promise<string | null> {
      const { passwordToken } = await provider(null).call(verifyEmail, { body: { token } });
      await session.recheck();
      return passwordToken;
    },
    /** Confirms the password and replaces the session by one that begins now. */
    reauthenticate: async (password: string | null): Promise<User> =>
      session.replace(await call(reauthenticate, { body: { password: password ?? undefined } })),
    /** @returns recovery codes, which are shown only once; null for an account that has some */
    async confirmAuthenticator(code: string): Promise<readonly string[] | null> {
      const added = await call(confirmAuthenticator, { body: { code } });
      await session.replace(added);
      return added.recoveryCodes;
    },
    /** @returns recovery codes, which are shown only once; null for an account that has some */
    async addPasskey(name: string, password: string | null): Promise<readonly string[] | null> {
      const options = await call(readNewPasskeyOptions, { body: { password: password ?? undefined } });
      const response = await passkeys.create(options);
      const added = await call(addPasskey, { body: { name, response } });
      await session.replace(added);
      return added.recoveryCodes;
    },
  };
}
