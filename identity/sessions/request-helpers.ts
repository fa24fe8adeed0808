import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { PasswordConfirmation, type SecondFactorMethod } from '#contract/identity.ts';
import { BASE_PATH } from '../base-path.ts';
import { parse } from '../input.ts';
import { clientOf } from '../known-clients/known-clients.ts';
import type { Identity } from '../provider.ts';
import { Refusal, type RefusalCode, refusalOf } from '../refusals.ts';
import { note } from '../sign-in-log/sign-in-log.ts';
import type { SessionOfUser } from './session.ts';

const AuthFailure = z.object({ code: z.optional(z.string()) });
const TokenAnswer = z.object({ token: z.string() });

/** Within so many minutes of signing in, who has no password need not sign in again to change how they sign in. */
const FRESH_MINUTES = 10;

/** After so many days everybody signs in anew, however often they come. */
const LONGEST_SESSION_DAYS = 90;

/** How long a sign-in waits for its second factor, in minutes. */
const DUE_MINUTES = 10;

/** What every endpoint does with requests: whom they come from, and how people are let in. */
export type Desk = ReturnType<typeof createDesk>;

/** @param origin the provider's public origin */
export function createDesk(provider: Identity, origin: string) {
  /** Asks one of better-auth's endpoints. Cookies travel only where the popup needs them. */
  function ask(
    request: FastifyRequest,
    path: string,
    init: { method?: string; body?: unknown; token?: string; cookies?: boolean } = {},
  ): Promise<Response> {
    const headers = new Headers({ 'x-forwarded-for': request.ip });
    const { authorization, cookie } = request.headers;
    const agent = request.headers['user-agent'];
    if (agent !== undefined) headers.set('user-agent', agent.slice(0, 300));
    if (init.token !== undefined) headers.set('authorization', `Bearer ${init.token}`);
    else if (authorization !== undefined) headers.set('authorization', authorization);
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

  /** @throws Refusal when the answer is not a success */
  async function succeed(answer: Response, reply: FastifyReply): Promise<Response> {
    if (answer.ok) return answer;
    const retryAfter = answer.headers.get('x-retry-after');
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    const body = AuthFailure.safeParse(await answer.json().catch(() => null));
    throw refusalOf(answer.status, body.data?.code);
  }

  /** The session of a request's bearer token, or of another, whether or not its second factor is still due. @throws Refusal */
  async function anySessionOf(
    request: FastifyRequest,
    authorization = request.headers.authorization,
  ): Promise<SessionOfUser> {
    const found =
      authorization === undefined ? null : await provider.sessionOf(new Headers({ authorization }));
    if (found === null) throw new Refusal('session_ended');
    note(request, { account: found.user.id });
    if (found.user.disabledAt != null) throw new Refusal('user_disabled');
    const age = Date.now() - found.session.createdAt.getTime();
    if (age > LONGEST_SESSION_DAYS * 24 * 60 * 60_000) {
      await provider.sessions.end(found.user.id, found.session.id);
      throw new Refusal('session_ended');
    }
    if (found.session.due === true && age > DUE_MINUTES * 60_000) {
      await provider.sessions.end(found.user.id, found.session.id);
      throw new Refusal('session_ended', 'This took too long. Please log in again.');
    }
    return found;
  }

  /**
   * @throws Refusal `session_ended` without a session that is good, `user_disabled` for a disabled account,
   *   `second_factor_required` for a sign-in that is not complete
   */
  async function sessionOf(request: FastifyRequest, authorization?: string): Promise<SessionOfUser> {
    const found = await anySessionOf(request, authorization);
    if (found.session.due === true) throw new Refusal('second_factor_required');
    return found;
  }

  /** The session of a sign-in whose second factor is due. @throws Refusal */
  async function dueSessionOf(request: FastifyRequest): Promise<SessionOfUser> {
    const found = await anySessionOf(request);
    if (found.session.due !== true) throw new Refusal('session_ended');
    return found;
  }

  async function userOf({ user, session }: SessionOfUser) {
    const profile = {
      uid: user.id,
      displayName: user.name === '' ? null : user.name,
      email: user.email,
      phoneNumber: null,
      photoURL: user.image ?? null,
    };
    const providers = await provider.store.providersOf(user.id);
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

  /** A fresh ID token and the user it speaks of. */
  async function issue(request: FastifyRequest, reply: FastifyReply, sessionToken?: string) {
    const session = await sessionOf(request, sessionToken && `Bearer ${sessionToken}`);
    const answer = await ask(request, '/token', sessionToken === undefined ? {} : { token: sessionToken });
    const { token } = TokenAnswer.parse(await (await succeed(answer, reply)).json());
    return { idToken: token, user: await userOf(session) };
  }

  /** What a new session is answered with: its token and an ID token, or what its second factor may be. */
  async function enter(request: FastifyRequest, reply: FastifyReply, sessionToken: string) {
    const { user, session } = await anySessionOf(request, `Bearer ${sessionToken}`);
    if (session.due === true) {
      note(request, { outcome: 'second_factor_required' satisfies RefusalCode });
      const { totp, passkeys, recoveryCodesLeft } = await provider.factorStore.overview(user.id);
      const methods: SecondFactorMethod[] = [
        ...(totp ? ['totp' as const] : []),
        ...(passkeys > 0 ? ['passkey' as const] : []),
        ...(recoveryCodesLeft > 0 ? ['recovery-code' as const] : []),
      ];
      return { secondFactor: { challenge: sessionToken, methods } };
    }
    await provider.clients.remember(user.id, clientOf(request));
    reply.header('set-auth-token', sessionToken);
    return { sessionToken, ...(await issue(request, reply, sessionToken)) };
  }

  return {
    ask,
    succeed,
    sessionOf,
    anySessionOf,
    dueSessionOf,
    issue,
    enter,

    /** Signs up or in at better-auth and lets in. */
    async begin(request: FastifyRequest, reply: FastifyReply, path: string, body: unknown) {
      const answer = await succeed(await ask(request, path, { method: 'POST', body }), reply);
      const sessionToken = answer.headers.get('set-auth-token');
      if (sessionToken === null) throw new Error(`${path} made no session.`);
      return { sessionToken, answer: () => enter(request, reply, sessionToken) };
    },

    /** Opens a session in place of another, which ends. @param methods how the person has shown who they are */
    async replace(request: FastifyRequest, reply: FastifyReply, old: SessionOfUser, methods: string) {
      const sessionToken = await provider.openSession(old.user.id, methods, {
        userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
        ipAddress: request.ip,
      });
      // Its browser may have calls under way with the tokens of the old one.
      if (!(await provider.sessions.endReplaced(old.user.id, old.session.id))) {
        await provider.endSession(sessionToken);
        throw new Refusal('session_ended');
      }
      return enter(request, reply, sessionToken);
    },

    /**
     * Demands that whoever changes how they sign in shows once more who they are.
     * @returns by the password, or by having signed in just now, for who has no password
     * @throws Refusal `invalid_credential`, `reauthentication_required`, `too_many_requests`
     */
    async demandAgain(
      request: FastifyRequest,
      { user, session }: SessionOfUser,
    ): Promise<'password' | 'just-signed-in'> {
      const hash = await provider.store.passwordOf({ id: user.id });
      if (hash === null) {
        if (Date.now() - session.createdAt.getTime() > FRESH_MINUTES * 60_000) {
          throw new Refusal('reauthentication_required');
        }
        return 'just-signed-in';
      }
      const { password } = parse(PasswordConfirmation, request.body ?? {});
      if (password === undefined) {
        throw new Refusal('invalid_input', 'Your password is required', {
          password: 'Your password is required',
        });
      }
      await provider.factors.guardAttempt(user.id, { sessionId: session.id }, async () => {
        if (!(await provider.passwordHashing.verify({ hash, password }))) {
          const sentence = 'This is not your password';
          throw new Refusal('invalid_credential', `${sentence}.`, { password: sentence });
        }
      });
      return 'password';
    },
  };
}
