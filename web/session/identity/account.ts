import {
  addPasskey,
  beginAuthenticator,
  changePassword,
  confirmAuthenticator,
  endOtherSessions,
  endSession,
  listSessions,
  type NewSession,
  readAccount,
  readNewPasskeyOptions,
  reauthenticate,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  resetPassword,
  sendPasswordReset,
  sendVerification,
  verifyEmail,
} from '#contract/identity.ts';
import type { PasskeyDevice } from './environment.ts';
import type { Provider } from './provider.ts';
import type { User } from './user.ts';

export type AccountActions = ReturnType<typeof createAccountActions>;

const confirmation = (password: string | null) => (password === null ? {} : { password });

/**
 * Creates the actions that read and change how people sign in. `sendPasswordReset`, `resetPassword` and `verifyEmail`
 * work without a session. Each throws IdentityError. A `password` confirms the account's own; null for an account
 * without one.
 */
export function createAccountActions(options: {
  provider: Provider;
  passkeys: PasskeyDevice;
  /** @throws IdentityError without a session */
  sessionToken: () => string;
  /** Replaces the present session. */
  setSession: (session: NewSession) => Promise<User>;
  /** Checks with the provider whether the present session, if any, still stands. */
  recheckSession: () => Promise<void>;
}) {
  const { provider, passkeys, sessionToken, setSession, recheckSession } = options;
  const session = () => provider(sessionToken());
  return {
    /** Requests an e-mail with a link that sets a new password. */
    async sendPasswordReset(email: string): Promise<void> {
      await provider(null).call(sendPasswordReset, { body: { email } });
    },
    /** @param token of the e-mail's link */
    async resetPassword(token: string, password: string): Promise<void> {
      await provider(null).call(resetPassword, { body: { token, password } });
      // Every session of that account has ended, perhaps this browser's too.
      await recheckSession();
    },
    /**
     * Verifies an address. Outside the browser that registered it, the account's passwords, sessions and second factors
     * are removed.
     * @param token of the e-mail's link
     * @returns a token for `resetPassword` when they were removed; else null
     */
    async verifyEmail(token: string): Promise<string | null> {
      const { passwordToken } = await provider(null).call(verifyEmail, { body: { token } });
      await recheckSession();
      return passwordToken;
    },
    /** Confirms the password and replaces the session by one that begins now. */
    reauthenticate: async (password: string | null): Promise<User> =>
      setSession(await session().call(reauthenticate, { body: confirmation(password) })),
    read: async () => session().call(readAccount, {}),
    sessions: async () => session().call(listSessions, {}),
    async endSession(id: string): Promise<void> {
      await session().call(endSession, { params: { id } });
    },
    /** @returns how many ended */
    endOtherSessions: async (): Promise<number> => (await session().call(endOtherSessions, {})).deletedCount,
    async sendVerification(): Promise<void> {
      await session().call(sendVerification, {});
    },
    async changePassword(currentPassword: string, password: string): Promise<void> {
      await session().call(changePassword, { body: { currentPassword, password } });
    },
    /** Creates the key of an authenticator app; `confirmAuthenticator` puts it to use. */
    beginAuthenticator: async (password: string | null) =>
      session().call(beginAuthenticator, { body: confirmation(password) }),
    /** @returns recovery codes, which are shown only once; null for an account that has some */
    async confirmAuthenticator(code: string): Promise<readonly string[] | null> {
      const added = await session().call(confirmAuthenticator, { body: { code } });
      await setSession(added);
      return added.recoveryCodes;
    },
    async removeAuthenticator(password: string | null): Promise<void> {
      await session().call(removeAuthenticator, { body: confirmation(password) });
    },
    renewRecoveryCodes: async (password: string | null): Promise<readonly string[]> =>
      (await session().call(renewRecoveryCodes, { body: confirmation(password) })).recoveryCodes,
    /** @returns recovery codes, which are shown only once; null for an account that has some */
    async addPasskey(name: string, password: string | null): Promise<readonly string[] | null> {
      const options = await session().call(readNewPasskeyOptions, { body: confirmation(password) });
      const response = await passkeys.create(options);
      const added = await session().call(addPasskey, { body: { name, response } });
      await setSession(added);
      return added.recoveryCodes;
    },
    async removePasskey(id: string, password: string | null): Promise<void> {
      await session().call(removePasskey, { params: { id }, body: confirmation(password) });
    },
  };
}
