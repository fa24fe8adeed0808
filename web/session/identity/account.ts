import type { PasskeyDevice } from './environment.ts';
import type { Account, AuthenticatorSetup, Begun, OpenSession, Provider } from './provider.ts';
import type { User } from './user.ts';

/**
 * How people sign in, and changing it: the first three for anybody, the others for who is signed in. Each throws IdentityError. `password` is the person's own, once
 * more; null for who has none.
 */
export interface AccountActions {
  /** Asks for a letter with a link to choose a new password. */
  sendPasswordReset(email: string): Promise<void>;
  /** @param token of the link in the letter */
  resetPassword(token: string, password: string): Promise<void>;
  /**
   * Proves an address. In another browser than the one that registered, the account's passwords, sign-ins and second
   * factors are removed.
   * @param token of the link in the letter
   * @returns a token to choose a password with when they were removed; else null
   */
  verifyEmail(token: string): Promise<string | null>;
  /** Shows once more who it is, for what only that may do. @returns the same user, signed in just now */
  signInAgain(password: string | null): Promise<User>;
  read(): Promise<Account>;
  sessions(): Promise<OpenSession[]>;
  endSession(id: string): Promise<void>;
  /** @returns how many ended */
  endOtherSessions(): Promise<number>;
  sendVerification(): Promise<void>;
  changePassword(currentPassword: string, password: string): Promise<void>;
  /** The key for an authenticator app, in use once {@link confirmAuthenticator} has had its first code. */
  beginAuthenticator(password: string | null): Promise<AuthenticatorSetup>;
  /** @returns recovery codes, to be shown once; null for who has some already */
  confirmAuthenticator(code: string): Promise<readonly string[] | null>;
  removeAuthenticator(password: string | null): Promise<void>;
  newRecoveryCodes(password: string | null): Promise<readonly string[]>;
  /** @returns recovery codes, to be shown once; null for who has some already */
  addPasskey(name: string, password: string | null): Promise<readonly string[] | null>;
  removePasskey(id: string, password: string | null): Promise<void>;
}

export function createAccountActions(parts: {
  provider: Provider;
  passkeys: PasskeyDevice;
  /** @throws IdentityError when nobody is signed in */
  sessionToken: () => string;
  /** Takes a session in place of the present one. */
  adopt: (begun: Begun) => Promise<User>;
  /** Asks the provider anew who is signed in here, if anybody is. */
  lookAgain: () => Promise<void>;
}): AccountActions {
  const { provider, passkeys, sessionToken, adopt, lookAgain } = parts;
  return {
    sendPasswordReset: (email) => provider.sendPasswordReset(email),
    async resetPassword(token, password) {
      await provider.resetPassword(token, password);
      // Every session of that account has ended, this browser's too if it was one.
      await lookAgain();
    },
    async verifyEmail(token) {
      const passwordToken = await provider.verifyEmail(token);
      await lookAgain();
      return passwordToken;
    },
    signInAgain: async (password) => adopt(await provider.signInAgain(sessionToken(), password)),
    read: async () => provider.account(sessionToken()),
    sessions: async () => provider.sessions(sessionToken()),
    endSession: async (id) => provider.endSession(sessionToken(), id),
    endOtherSessions: async () => provider.endOtherSessions(sessionToken()),
    sendVerification: async () => provider.sendVerification(sessionToken()),
    changePassword: async (currentPassword, password) =>
      provider.changePassword(sessionToken(), currentPassword, password),
    beginAuthenticator: async (password) => provider.beginAuthenticator(sessionToken(), password),
    async confirmAuthenticator(code) {
      const changed = await provider.confirmAuthenticator(sessionToken(), code);
      await adopt(changed);
      return changed.recoveryCodes;
    },
    removeAuthenticator: async (password) => provider.removeAuthenticator(sessionToken(), password),
    newRecoveryCodes: async (password) => provider.newRecoveryCodes(sessionToken(), password),
    async addPasskey(name, password) {
      const options = await provider.passkeyCreation(sessionToken(), password);
      const made = await passkeys.create(options);
      const changed = await provider.addPasskey(sessionToken(), name, made);
      await adopt(changed);
      return changed.recoveryCodes;
    },
    removePasskey: async (id, password) => provider.removePasskey(sessionToken(), id, password),
  };
}
