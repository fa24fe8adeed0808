import * as z from 'zod/mini';
import { parseJson } from '#contract/json.ts';
import { ProblemDocument } from '#contract/refusals.ts';
import { type Environment, within } from './environment.ts';
import { errorOfProblem, IdentityError } from './errors.ts';
import { UserProfile } from './user.ts';

/** How long one request to the provider may take, in milliseconds. */
export const REQUEST_LIMIT = 10_000;

const Issued = z.object({ idToken: z.string(), user: UserProfile });
export type Issued = z.infer<typeof Issued>;
const Begun = z.extend(Issued, { sessionToken: z.string() });
export type Begun = z.infer<typeof Begun>;
/** A sign-in that waits for its second factor. */
const Due = z.object({
  secondFactor: z.object({
    challenge: z.string(),
    methods: z.array(z.enum(['totp', 'passkey', 'recovery-code'])),
  }),
});
export type Due = z.infer<typeof Due>;
const Entered = z.union([Begun, Due]);
/** What signing in is answered with. */
export type Entered = z.infer<typeof Entered>;
/** A changed way of signing in, with recovery codes where there were none before. */
const Changed = z.extend(Begun, { recoveryCodes: z.nullable(z.array(z.string())) });
export type Changed = z.infer<typeof Changed>;
const Done = z.object({ success: z.literal(true) });
/** A proven address, and what chooses a new password where the old one was removed. */
const Proven = z.extend(Done, { passwordToken: z.nullable(z.string()) });
const Ended = z.object({ deletedCount: z.int() });

/** How somebody signs in, as the account page shows it. Moments are ISO 8601 in UTC. */
export const Account = z.object({
  email: z.string(),
  emailVerified: z.boolean(),
  sendsMail: z.boolean(),
  hasPassword: z.boolean(),
  totp: z.boolean(),
  recoveryCodesLeft: z.number(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      createdAt: z.string(),
      lastUsedAt: z.nullable(z.string()),
    }),
  ),
});
export type Account = z.infer<typeof Account>;

const Sessions = z.array(
  z.object({
    id: z.string(),
    signedInAt: z.string(),
    renewedAt: z.string(),
    userAgent: z.nullable(z.string()),
    current: z.boolean(),
  }),
);
export type OpenSession = z.infer<typeof Sessions>[number];

const Setup = z.object({ secret: z.string(), url: z.string() });
export type AuthenticatorSetup = z.infer<typeof Setup>;
/** What the browser needs to make or use a passkey; only the browser looks into it. */
const PasskeyOptions = z.record(z.string(), z.unknown());
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Without a password, for who has none. */
const again = (password: string | null) => (password === null ? {} : { password });

/** The identity provider's calls. Each throws IdentityError and ends within {@link REQUEST_LIMIT}. */
export interface Provider {
  signUp(email: string, password: string): Promise<Begun>;
  signIn(email: string, password: string): Promise<Entered>;
  /** Goes on from a session that the popup handed over. */
  enter(sessionToken: string): Promise<Entered>;
  /** Completes a sign-in with a code of an authenticator app or a recovery code. */
  proveCode(challenge: string, code: string): Promise<Begun>;
  /** @param challenge of a sign-in whose second factor is due; null to sign in by the passkey alone */
  passkeyRequest(challenge: string | null): Promise<unknown>;
  provePasskey(challenge: string | null, response: unknown): Promise<Begun>;
  /** Shows once more who it is: a session that begins now, in place of the present one. @param password null for who has none */
  signInAgain(sessionToken: string, password: string | null): Promise<Begun>;
  sendPasswordReset(email: string): Promise<void>;
  resetPassword(token: string, password: string): Promise<void>;
  /** @returns a token to choose a password with, when what was set up in another browser was removed; else null */
  verifyEmail(token: string): Promise<string | null>;
  account(sessionToken: string): Promise<Account>;
  sendVerification(sessionToken: string): Promise<void>;
  changePassword(sessionToken: string, currentPassword: string, password: string): Promise<void>;
  sessions(sessionToken: string): Promise<OpenSession[]>;
  endSession(sessionToken: string, id: string): Promise<void>;
  /** @returns how many ended */
  endOtherSessions(sessionToken: string): Promise<number>;
  /** In what follows `password` is null for who has none. */
  beginAuthenticator(sessionToken: string, password: string | null): Promise<AuthenticatorSetup>;
  confirmAuthenticator(sessionToken: string, code: string): Promise<Changed>;
  removeAuthenticator(sessionToken: string, password: string | null): Promise<void>;
  newRecoveryCodes(sessionToken: string, password: string | null): Promise<string[]>;
  passkeyCreation(sessionToken: string, password: string | null): Promise<unknown>;
  addPasskey(sessionToken: string, name: string, response: unknown): Promise<Changed>;
  removePasskey(sessionToken: string, id: string, password: string | null): Promise<void>;
  /** A new ID token, and the user as they are now. */
  issue(sessionToken: string): Promise<Issued>;
  update(sessionToken: string, changes: { displayName?: string; photoURL?: string | null }): Promise<Issued>;
  signOut(sessionToken: string): Promise<void>;
}

/** @param url the provider's address, ending in `/identity` */
export function createProvider(
  url: string,
  { fetch, clock, deviceToken }: Pick<Environment, 'fetch' | 'clock' | 'deviceToken'>,
): Provider {
  async function call<Schema extends z.ZodMiniType>(
    answer: Schema,
    method: string,
    path: string,
    { body, token, keepalive = false }: { body?: unknown; token?: string; keepalive?: boolean },
  ): Promise<z.output<Schema>> {
    const abort = new AbortController();
    const headers = new Headers({ accept: 'application/json', 'device-token': deviceToken() });
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('content-type', 'application/json');

    async function exchange() {
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        // The session travels as a bearer token and never as a cookie, so no other site can make use of it.
        credentials: 'omit',
        cache: 'no-store',
        keepalive,
        signal: abort.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { response, text: await response.text() };
    }

    const { response, text } = await within(clock, REQUEST_LIMIT, exchange(), () => {
      abort.abort();
      return new Error('The identity provider took too long.');
    }).catch((cause: unknown) => {
      throw new IdentityError('auth/network-request-failed', { cause });
    });
    const json = parseJson(text);
    if (!response.ok) {
      const problem = ProblemDocument.safeParse(json);
      throw errorOfProblem(
        problem.success
          ? problem.data
          : { status: response.status, code: '', detail: new IdentityError('auth/internal-error').message },
      );
    }
    const parsed = z.safeParse<Schema>(answer, json);
    if (!parsed.success) throw new IdentityError('auth/internal-error', { cause: parsed.error });
    return parsed.data;
  }

  /** With the challenge of a sign-in under way, if there is one. */
  const due = (challenge: string | null) => (challenge === null ? {} : { token: challenge });

  return {
    signUp: (email, password) => call(Begun, 'POST', '/sign-up/email', { body: { email, password } }),
    signIn: (email, password) => call(Entered, 'POST', '/sign-in/email', { body: { email, password } }),
    enter: (token) => call(Entered, 'POST', '/sign-in/continue', { token, body: {} }),
    proveCode: (token, code) => call(Begun, 'POST', '/sign-in/code', { token, body: { code } }),
    passkeyRequest: (challenge) =>
      call(PasskeyOptions, 'POST', '/sign-in/passkey/options', { ...due(challenge), body: {} }),
    provePasskey: (challenge, response) =>
      call(Begun, 'POST', '/sign-in/passkey', { ...due(challenge), body: { response } }),
    signInAgain: (token, password) => call(Begun, 'POST', '/sign-in/again', { token, body: again(password) }),
    async sendPasswordReset(email) {
      await call(Done, 'POST', '/password/reset-letter', { body: { email } });
    },
    async resetPassword(token, password) {
      await call(Done, 'POST', '/password/reset', { body: { token, password } });
    },
    async verifyEmail(token) {
      return (await call(Proven, 'POST', '/email/verify', { body: { token } })).passwordToken;
    },
    account: (token) => call(Account, 'GET', '/account', { token }),
    async sendVerification(token) {
      await call(Done, 'POST', '/email/verification-letter', { token, body: {} });
    },
    async changePassword(token, currentPassword, password) {
      await call(Done, 'POST', '/password/change', { token, body: { currentPassword, password } });
    },
    sessions: (token) => call(Sessions, 'GET', '/sessions', { token }),
    async endSession(token, id) {
      await call(Ended, 'DELETE', `/sessions/${encodeURIComponent(id)}`, { token });
    },
    endOtherSessions: async (token) => (await call(Ended, 'DELETE', '/sessions', { token })).deletedCount,
    beginAuthenticator: (token, password) => call(Setup, 'POST', '/totp', { token, body: again(password) }),
    confirmAuthenticator: (token, code) => call(Changed, 'POST', '/totp/confirm', { token, body: { code } }),
    async removeAuthenticator(token, password) {
      await call(Done, 'POST', '/totp/remove', { token, body: again(password) });
    },
    newRecoveryCodes: async (token, password) =>
      (await call(RecoveryCodes, 'POST', '/recovery-codes', { token, body: again(password) })).recoveryCodes,
    passkeyCreation: (token, password) =>
      call(PasskeyOptions, 'POST', '/passkeys/options', { token, body: again(password) }),
    addPasskey: (token, name, response) =>
      call(Changed, 'POST', '/passkeys', { token, body: { name, response } }),
    async removePasskey(token, id, password) {
      await call(Done, 'POST', `/passkeys/${encodeURIComponent(id)}/remove`, {
        token,
        body: again(password),
      });
    },
    issue: (token) => call(Issued, 'GET', '/token', { token }),
    update: (token, changes) => call(Issued, 'PATCH', '/user', { token, body: changes }),
    async signOut(token) {
      // Whoever signs out may close the page at once.
      await call(Done, 'POST', '/sign-out', { token, keepalive: true });
    },
  };
}
