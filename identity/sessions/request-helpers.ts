import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { IdentityRefusalCode } from '#contract/identity/refusals.ts';
import {
  MAXIMUM_SESSION_DAYS,
  PasswordConfirmation,
  type SecondFactorMethod,
} from '#contract/identity/schemas.ts';
import { parse } from '../input.ts';
import { identifyClient } from '../known-clients/known-clients.ts';
import { BASE_PATH } from '../options.ts';
import type { Identity } from '../provider.ts';
import { fromBetterAuthError, Refusal } from '../refusals.ts';
import { setLogFields } from '../sign-in-log/sign-in-log.ts';
import type { UserSession } from './session.ts';
import { PENDING_SIGN_IN_MINUTES } from './session-store.ts';

const ErrorBody = z.object({ code: z.optional(z.string()) });

/** For an account without a password, a session of at most this age replaces the password. */
const RECENT_SIGN_IN_MINUTES = 10;

/** Length to which a User-Agent header is cut, in characters. */
const MAXIMUM_USER_AGENT = 300;

const userAgentOf = (request: FastifyRequest) => request.headers['user-agent']?.slice(0, MAXIMUM_USER_AGENT);

/** Shared by the route handlers: calls of better-auth, the session of a request, and the response to a sign-in. */
export type RequestHelpers = ReturnType<typeof createRequestHelpers>;

/** @param origin the provider's public origin */
export function createRequestHelpers(provider: Identity, origin: string) {
  /**
   * Calls one of better-auth's endpoints on behalf of a request.
   * @param init.cookies whether to forward cookies; only the Google sign-in window uses them
   */
  function callBetterAuth(
    request: FastifyRequest,
    path: string,
    init: { method?: string; body?: unknown; cookies?: boolean },
  ): Promise<Response> {
    const headers = new Headers({ 'x-forwarded-for': request.ip });
    const { cookie } = request.headers;
    const userAgent = userAgentOf(request);
    if (userAgent !== undefined) headers.set('user-agent', userAgent);
    if (init.cookies === true && cookie !== undefined) headers.set('cookie', cookie);
    if (init.body !== undefined) headers.set('content-type', 'application/json');
    return provider.handle(
      new Request(`${origin}${BASE_PATH}${path}`, {
        method: init.method ?? 'GET',
        headers,
        ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
      }),
    );
  }

  const findSession = (authorization: string | undefined): Promise<UserSession | null> =>
    authorization === undefined
      ? Promise.resolve(null)
      : provider.findSession(new Headers({ authorization }));

  /**
   * Returns the session of a bearer token, even if its second factor is pending.
   * @param authorization default: the request's header
   * @throws Refusal `session_ended`, `user_disabled`
   */
  async function requireAnySession(
    request: FastifyRequest,
    authorization = request.headers.authorization,
  ): Promise<UserSession> {
    const found = await findSession(authorization);
    if (found === null) throw new Refusal('session_ended');
    setLogFields(request, { account: found.user.id });
    if (found.user.disabledAt != null) throw new Refusal('user_disabled');
    const age = Date.now() - found.session.createdAt.getTime();
    if (age > MAXIMUM_SESSION_DAYS * 24 * 60 * 60_000) {
      await provider.sessions.end(found.user.id, found.session.id);
      throw new Refusal('session_ended');
    }
    if (found.session.due === true && age > PENDING_SIGN_IN_MINUTES * 60_000) {
      await provider.sessions.end(found.user.id, found.session.id);
      throw new Refusal('session_ended', 'This took too long. Please log in again.');
    }
    return found;
  }

  /**
   * Returns the session of a bearer token.
   * @param authorization default: the request's header
   * @throws Refusal `session_ended`, `user_disabled`, `second_factor_required`
   */
  async function requireSession(request: FastifyRequest, authorization?: string): Promise<UserSession> {
    const found = await requireAnySession(request, authorization);
    if (found.session.due === true) throw new Refusal('second_factor_required');
    return found;
  }

  /** Returns the session of a request whose second factor is pending. @throws Refusal for any other request */
  async function requirePendingSession(request: FastifyRequest): Promise<UserSession> {
    const found = await requireAnySession(request);
    if (found.session.due !== true) throw new Refusal('session_ended');
    return found;
  }

  /**
   * Requires the password in the request's body before a change of the sign-in methods. An account without a password must
   * have signed in within the last {@link RECENT_SIGN_IN_MINUTES} minutes instead.
   * @returns which of the two was satisfied, and the session
   * @throws Refusal `invalid_credential`, `reauthentication_required`, `too_many_requests`, and those of `requireSession`
   */
  async function requireReauthentication(
    request: FastifyRequest,
  ): Promise<UserSession & { confirmedBy: 'password' | 'recent-sign-in' }> {
    const { user, session } = await requireSession(request);
    const hash = await provider.accounts.findPasswordHash({ id: user.id });
    if (hash === null) {
      if (Date.now() - session.createdAt.getTime() > RECENT_SIGN_IN_MINUTES * 60_000) {
        throw new Refusal('reauthentication_required');
      }
      return { user, session, confirmedBy: 'recent-sign-in' };
    }
    const { password } = parse(PasswordConfirmation, request.body ?? {});
    if (password === undefined) {
      const sentence = 'Your password is required';
      throw new Refusal('invalid_input', sentence, { password: sentence });
    }
    await provider.limitAttempts(user.id, { sessionId: session.id }, async () => {
      if (!(await provider.passwordHashing.verify({ hash, password }))) {
        const sentence = 'This is not your password';
        throw new Refusal('invalid_credential', `${sentence}.`, { password: sentence });
      }
    });
    return { user, session, confirmedBy: 'password' };
  }

  async function toUserProfile({ user, session }: UserSession) {
    const profile = {
      uid: user.id,
      displayName: user.name === '' ? null : user.name,
      email: user.email,
      phoneNumber: null,
      photoURL: user.image ?? null,
    };
    const providers = await provider.accounts.listSignInProviders(user.id);
    return {
      ...profile,
      emailVerified: user.emailVerified,
      isAnonymous: false,
      providerData: providers.map(({ providerId, accountId }) =>
        providerId === 'credential'
          ? { ...profile, providerId: 'password', uid: user.email }
          : { ...profile, providerId: 'google.com', uid: accountId },
      ),
      metadata: {
        creationTime: user.createdAt.toISOString(),
        lastSignInTime: session.createdAt.toISOString(),
      },
    };
  }

  /** Issues an ID token. @param sessionToken default: the request's bearer token */
  async function issueIdToken(request: FastifyRequest, sessionToken?: string) {
    const session = await requireSession(request, sessionToken && `Bearer ${sessionToken}`);
    return { idToken: await provider.issueIdToken(session), user: await toUserProfile(session) };
  }

  /** Returns the response to a sign-in: the tokens, or a challenge with the possible second factors. */
  async function toSignInResult(request: FastifyRequest, reply: FastifyReply, sessionToken: string) {
    const { user, session } = await requireAnySession(request, `Bearer ${sessionToken}`);
    if (session.due === true) {
      setLogFields(request, { outcome: 'second_factor_required' satisfies IdentityRefusalCode });
      const { totp, passkeys, recoveryCodesLeft } = await provider.secondFactorStore.summarize(user.id);
      const methods: SecondFactorMethod[] = [
        ...(totp ? ['totp' as const] : []),
        ...(passkeys > 0 ? ['passkey' as const] : []),
        ...(recoveryCodesLeft > 0 ? ['recovery-code' as const] : []),
      ];
      return { secondFactor: { challenge: sessionToken, methods } };
    }
    await provider.knownClients.add(user.id, identifyClient(request));
    reply.header('set-auth-token', sessionToken);
    return { sessionToken, ...(await issueIdToken(request, sessionToken)) };
  }

  /**
   * Opens a session for a user whom the provider itself has authenticated.
   * @param methods RFC 8176 `amr` values, separated by spaces
   * @returns its id and its bearer token
   */
  const openSession = (request: FastifyRequest, userId: string, methods: string) =>
    provider.openSession(userId, methods, { userAgent: userAgentOf(request) ?? '', ipAddress: request.ip });

  /**
   * Opens a session that replaces another one.
   * @param methods RFC 8176 `amr` values, separated by spaces
   * @param replace ends the other session; if it throws, the new one ends
   * @returns the bearer token, and what `replace` returned
   */
  async function openReplacement<Result>(
    request: FastifyRequest,
    userId: string,
    methods: string,
    replace: (newSessionId: string) => Promise<Result>,
  ): Promise<{ token: string; result: Result }> {
    const { id, token } = await openSession(request, userId, methods);
    try {
      return { token, result: await replace(id) };
    } catch (error) {
      await provider.sessions.end(userId, id);
      throw error;
    }
  }

  return {
    callBetterAuth,
    requireSession,
    requirePendingSession,
    requireReauthentication,
    issueIdToken,
    toSignInResult,
    openSession,
    openReplacement,

    /** Ends the session of a bearer token, if there is one. @param authorization default: the request's header */
    async endSession(request: FastifyRequest, authorization = request.headers.authorization): Promise<void> {
      const found = await findSession(authorization);
      if (found === null) return;
      setLogFields(request, { account: found.user.id });
      await provider.sessions.end(found.user.id, found.session.id);
    },

    /** Signs up or in at better-auth. @param path the endpoint of better-auth @throws Refusal for an error response */
    async authenticate(request: FastifyRequest, reply: FastifyReply, path: string, body: unknown) {
      const response = await callBetterAuth(request, path, { method: 'POST', body });
      if (!response.ok) {
        const error = ErrorBody.safeParse(await response.json().catch(() => null));
        throw fromBetterAuthError(response.status, error.data?.code);
      }
      const sessionToken = response.headers.get('set-auth-token');
      if (sessionToken === null) throw new Error(`${path} returned no session token.`);
      return { sessionToken, toResult: () => toSignInResult(request, reply, sessionToken) };
    },

    /**
     * Opens a session that replaces another one.
     * @param methods RFC 8176 `amr` values, separated by spaces
     * @throws Refusal `session_ended` when the other session has ended
     */
    async replaceSession(request: FastifyRequest, reply: FastifyReply, old: UserSession, methods: string) {
      const { token } = await openReplacement(request, old.user.id, methods, (kept) =>
        provider.sessions.endReplaced(old.user.id, { replaced: old.session.id, kept }),
      );
      return toSignInResult(request, reply, token);
    },
  };
}
