import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { ByEmail, BySessionId, PopupRequest, ProfileUpdate, parse, SignIn, SignUp } from './input.ts';
import { closingPage, refusingPage } from './popup.ts';
import { BASE_PATH, type Identity, type IdentityOptions, type SessionOfUser } from './provider.ts';
import { Refusal, refusalFor, refusalOf, refusals } from './refusals.ts';

const AuthFailure = z.object({ code: z.optional(z.string()) });
const TokenAnswer = z.object({ token: z.string() });

/** Requests here are small; anything larger is not one of ours. In bytes. */
const BODY_LIMIT = 16 * 1024;

function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The endpoints of the identity provider: each checks its input, asks better-auth, and says it in our words. */
export function routes(parts: {
  provider: Identity;
  options: IdentityOptions;
  /** Origins of pages that may sign people in. */
  pages: ReadonlySet<string>;
}) {
  const { provider, options, pages } = parts;

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
      new Request(`${options.origin}${BASE_PATH}${path}`, {
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

  /** @throws Refusal `session_ended` without a session that is good, `user_disabled` for a disabled account */
  async function sessionOf(authorization: string | undefined): Promise<SessionOfUser> {
    const found =
      authorization === undefined ? null : await provider.sessionOf(new Headers({ authorization }));
    if (found === null) throw new Refusal('session_ended');
    if (found.user.disabledAt != null) throw new Refusal('user_disabled');
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
    const session = await sessionOf(
      sessionToken === undefined ? request.headers.authorization : `Bearer ${sessionToken}`,
    );
    const answer = await ask(request, '/token', sessionToken === undefined ? {} : { token: sessionToken });
    const { token } = TokenAnswer.parse(await (await succeed(answer, reply)).json());
    return { idToken: token, user: await userOf(session) };
  }

  async function begin(request: FastifyRequest, reply: FastifyReply, path: string, body: unknown) {
    const answer = await succeed(await ask(request, path, { method: 'POST', body }), reply);
    const sessionToken = answer.headers.get('set-auth-token');
    if (sessionToken === null) throw new Error(`${path} made no session.`);
    reply.header('set-auth-token', sessionToken);
    return { sessionToken, ...(await issue(request, reply, sessionToken)) };
  }

  function sendPage(reply: FastifyReply, page: ReturnType<typeof closingPage>) {
    return reply
      .header('content-security-policy', page.contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(page.html);
  }

  /** Passes on an answer of the popup's way, without the session cookie: pages hold sessions, not the jar. */
  async function passOn(answer: Response, reply: FastifyReply) {
    for (const name of ['location', 'content-type', 'content-security-policy']) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    const kept = answer.headers.getSetCookie().filter((cookie) => /\.(state|oauth_popup)=/.test(cookie));
    if (kept.length > 0) reply.header('set-cookie', kept);
    return reply.code(answer.status).send(await answer.text());
  }

  return async function identityRoutes(scope: FastifyInstance): Promise<void> {
    const small = { bodyLimit: BODY_LIMIT };

    scope.post('/sign-up/email', small, (request, reply) =>
      begin(request, reply, '/sign-up/email', parse(SignUp, request.body)),
    );
    scope.post('/sign-in/email', small, (request, reply) =>
      begin(request, reply, '/sign-in/email', parse(SignIn, request.body)),
    );
    scope.post('/sign-out', small, async (request, reply) => {
      await succeed(await ask(request, '/sign-out', { method: 'POST', body: {} }), reply);
      return { success: true };
    });

    scope.get('/token', (request, reply) => issue(request, reply));

    scope.patch('/user', small, async (request, reply) => {
      await sessionOf(request.headers.authorization);
      const { displayName, photoURL } = parse(ProfileUpdate, request.body);
      const body = {
        ...(displayName === undefined ? {} : { name: displayName }),
        ...(photoURL === undefined ? {} : { image: photoURL }),
      };
      if (Object.keys(body).length > 0) {
        await succeed(await ask(request, '/update-user', { method: 'POST', body }), reply);
      }
      return issue(request, reply);
    });

    scope.get('/sessions', async (request) => {
      const { user, session } = await sessionOf(request.headers.authorization);
      const all = await provider.store.sessionsOf(user.id);
      return all.map(({ id, createdAt, updatedAt, userAgent }) => ({
        id,
        signedInAt: createdAt.toISOString(),
        renewedAt: updatedAt.toISOString(),
        userAgent,
        current: id === session.id,
      }));
    });
    scope.delete('/sessions/:id', async (request) => {
      const { user } = await sessionOf(request.headers.authorization);
      const { id } = parse(BySessionId, request.params);
      if (!(await provider.store.endSession(user.id, id))) throw new Refusal('not_found');
      return { deletedCount: 1 };
    });
    scope.delete('/sessions', async (request) => {
      const { user, session } = await sessionOf(request.headers.authorization);
      return { deletedCount: await provider.store.endOtherSessions(user.id, session.id) };
    });

    // People look at these answers, so a failure is a page too.
    const seen = {
      errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
        const refusal = refusalFor(error);
        if (refusal.code === 'internal') request.log.error({ err: error }, 'A sign-in with Google failed');
        void sendPage(reply.code(refusals[refusal.code].status), closingPage(refusal.message));
      },
    };
    scope.get('/popup/google', seen, async (request, reply) => {
      const { origin, nonce } = parse(PopupRequest, request.query);
      if (!pages.has(origin)) {
        const refusal = new Refusal('unauthorized_domain');
        const opener = URL.canParse(origin) ? new URL(origin).origin : 'null';
        reply.code(refusals.unauthorized_domain.status);
        return sendPage(
          reply,
          opener === 'null' ? closingPage(refusal.message) : refusingPage(opener, nonce, refusal.message),
        );
      }
      const query = new URLSearchParams({ provider: 'google', popupOrigin: origin, popupNonce: nonce });
      return passOn(await ask(request, `/oauth-popup/start?${query}`, { cookies: true }), reply);
    });
    scope.get('/callback/google', seen, async (request, reply) => {
      const { search } = new URL(request.url, options.origin);
      return passOn(await ask(request, `/callback/google${search}`, { cookies: true }), reply);
    });
    scope.get('/error', (_request, reply) =>
      sendPage(
        reply.code(400),
        closingPage('Signing in did not work. Please close this window and try again.'),
      ),
    );

    scope.get('/jwks', async (request, reply) => (await succeed(await ask(request, '/jwks'), reply)).json());
    scope.get('/.well-known/openid-configuration', () => ({
      issuer: provider.issuer,
      jwks_uri: `${provider.issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256'],
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
    }));

    scope.post('/admin/disable', small, async (request) => {
      const [, given = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (!sameSecret(given, options.serviceSecret)) throw new Refusal('not_allowed');
      const { email } = parse(ByEmail, request.body);
      if (!(await provider.store.disable(email))) throw new Refusal('not_found', `No account has ${email}.`);
      return { disabled: true };
    });
  };
}
