import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  continueSignIn,
  disableAccount,
  endOtherSessions,
  endSession,
  eraseAccount,
  issueIdToken,
  listSessions,
  reauthenticate,
  resetSecondFactor,
  signIn,
  signOut,
  signUp,
  updateProfile,
} from '#contract/identity.ts';
import { closingPage, refusingPage, toldBy } from './google/popup-pages.ts';
import { PopupRequest, parse } from './input.ts';
import { clientOf } from './known-clients/known-clients.ts';
import type { IdentityOptions } from './options.ts';
import type { Identity } from './provider.ts';
import { Refusal, type RefusalCode, refusalFor, refusals } from './refusals.ts';
import { requireComplete, serve } from './serve.ts';
import type { Desk } from './sessions/request-helpers.ts';
import { note } from './sign-in-log/sign-in-log.ts';

function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The endpoints of the identity provider: each checks its input, asks better-auth, and says it in our words. */
export function routes(parts: {
  provider: Identity;
  desk: Desk;
  options: IdentityOptions;
  /** Origins of pages that may sign people in. */
  pages: ReadonlySet<string>;
}) {
  const { provider, desk, options, pages } = parts;
  const { ask, succeed, sessionOf, issue } = desk;

  function sendPage(reply: FastifyReply, page: ReturnType<typeof closingPage>) {
    return reply
      .header('content-security-policy', page.contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(page.html);
  }

  /** Passes on an answer of the popup's way, without the session cookie: pages hold sessions, not the jar. */
  async function passOn(answer: Response, reply: FastifyReply) {
    for (const name of ['location', 'content-type']) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    // better-auth's own policy allows its script and says nothing about frames.
    const policy = answer.headers.get('content-security-policy');
    if (policy !== null) reply.header('content-security-policy', `${policy}; frame-ancestors 'none'`);
    const kept = answer.headers.getSetCookie().filter((cookie) => /\.(state|oauth_popup)=/.test(cookie));
    if (kept.length > 0) reply.header('set-cookie', kept);
    return reply.code(answer.status).send(await answer.text());
  }

  /** Notes whom Google has shown, or why it has shown nobody, as the page at the end of the popup tells its opener. */
  async function noteOutcome(request: FastifyRequest, page: string): Promise<void> {
    const { token, error } = toldBy(page);
    if (token === null) return note(request, { outcome: error });
    const session = await provider.sessionOf(new Headers({ authorization: `Bearer ${token}` }));
    if (session === null) return;
    note(request, { account: session.user.id });
    if (session.session.due === true)
      note(request, { outcome: 'second_factor_required' satisfies RefusalCode });
  }

  return async function identityRoutes(scope: FastifyInstance): Promise<void> {
    serve(scope, signUp, async (request, reply) => {
      const person = parse(signUp.body, request.body);
      await provider.checkPassword(person.password, person);
      if ((await provider.store.userOf(person.email)) !== null) throw new Refusal('email_already_in_use');
      const begun = await provider.passwordHashing.withHashOf(person.password, () =>
        desk.begin(request, reply, '/sign-up/email', person),
      );
      await provider.clients.noteRegistration(person.email, clientOf(request));
      await provider.order('verify-email', person.email, null);
      return requireComplete(await begun.answer());
    });
    serve(scope, signIn, async (request, reply) => {
      const person = parse(signIn.body, request.body);
      const before = await provider.store.passwordOf(person);
      const begun = await desk.begin(request, reply, '/sign-in/email', person);
      // The password may have been changed just when it was found right; whoever knew only the old one stays out.
      if ((await provider.store.passwordOf(person)) !== before) {
        await ask(request, '/sign-out', { method: 'POST', body: {}, token: begun.sessionToken });
        throw new Refusal('session_ended');
      }
      return begun.answer();
    });
    /** Goes on from a session that the popup has handed over. */
    serve(scope, continueSignIn, async (request, reply) => {
      const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
      return desk.enter(request, reply, token);
    });
    /** For what only somebody may do who has just shown who they are: a session that begins now. */
    serve(scope, reauthenticate, async (request, reply) => {
      const session = await sessionOf(request);
      if ((await desk.demandAgain(request, session)) === 'password') {
        return requireComplete(await desk.replace(request, reply, session, session.session.methods ?? ''));
      }
      // Nothing was shown anew, so the session gets no younger.
      const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
      return requireComplete(await desk.enter(request, reply, token));
    });
    serve(scope, signOut, async (request, reply) => {
      const { authorization } = request.headers;
      const ended = authorization && (await provider.sessionOf(new Headers({ authorization })));
      if (ended) note(request, { account: ended.user.id });
      await succeed(await ask(request, '/sign-out', { method: 'POST', body: {} }), reply);
      return { success: true as const };
    });

    serve(scope, issueIdToken, (request, reply) => issue(request, reply));

    serve(scope, updateProfile, async (request, reply) => {
      await sessionOf(request);
      const { displayName, photoURL } = parse(updateProfile.body, request.body);
      const body = {
        ...(displayName === undefined ? {} : { name: displayName }),
        ...(photoURL === undefined ? {} : { image: photoURL }),
      };
      if (Object.keys(body).length > 0) {
        await succeed(await ask(request, '/update-user', { method: 'POST', body }), reply);
      }
      return issue(request, reply);
    });

    serve(scope, listSessions, async (request) => {
      const { user, session } = await sessionOf(request);
      const all = await provider.sessions.list(user.id);
      return all.map(({ id, createdAt, updatedAt, userAgent }) => ({
        id,
        signedInAt: createdAt.toISOString(),
        renewedAt: updatedAt.toISOString(),
        userAgent,
        current: id === session.id,
      }));
    });
    serve(scope, endSession, async (request) => {
      const { user } = await sessionOf(request);
      const { id } = parse(endSession.params, request.params);
      if (!(await provider.sessions.end(user.id, id))) throw new Refusal('not_found');
      return { deletedCount: 1 };
    });
    serve(scope, endOtherSessions, async (request) => {
      const { user, session } = await sessionOf(request);
      return { deletedCount: await provider.sessions.endOthers(user.id, session.id) };
    });

    // People look at these answers, so a failure is a page too.
    const seen = {
      errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
        const refusal = refusalFor(error);
        note(request, { outcome: refusal.code });
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
      const answer = await ask(request, `/callback/google${search}`, { cookies: true });
      await noteOutcome(request, await answer.clone().text());
      return passOn(answer, reply);
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
      backchannel_logout_supported: options.logoutUrl !== undefined,
      backchannel_logout_session_supported: options.logoutUrl !== undefined,
    }));

    /** @throws Refusal for whoever is not the shop itself */
    function requireService(request: FastifyRequest): void {
      const [, given = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (!sameSecret(given, options.serviceSecret)) throw new Refusal('not_allowed');
    }
    serve(scope, disableAccount, async (request) => {
      requireService(request);
      const { email } = parse(disableAccount.body, request.body);
      if (!(await provider.store.disable(email))) throw new Refusal('not_found', `No account has ${email}.`);
      return { disabled: true as const };
    });
    /** For who has lost every second factor: the password alone signs in again, and a letter says so. */
    serve(scope, resetSecondFactor, async (request) => {
      requireService(request);
      const { email } = parse(resetSecondFactor.body, request.body);
      const userId = await provider.store.userOf(email);
      if (userId === null) throw new Refusal('not_found', `No account has ${email}.`);
      await provider.methods.removeSecondFactors(userId);
      await provider.note('second-factor-reset', userId);
      return { reset: true as const };
    });
    /** For who deletes their own account: nothing that is kept here of them stays. */
    serve(scope, eraseAccount, async (request) => {
      requireService(request);
      const { email, madeBefore } = parse(eraseAccount.body, request.body);
      if (!(await provider.store.erase(email, madeBefore)))
        throw new Refusal('not_found', `No account has ${email}.`);
      return { erased: true as const };
    });
  };
}
