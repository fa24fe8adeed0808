import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type IdentityRefusalCode, refusals } from '#contract/identity/refusals.ts';
import { isOneLine } from '#contract/platform/scalars.ts';
import { PopupRequest, parse } from '../input.ts';
import type { Identity } from '../provider.ts';
import { Refusal, toRefusal } from '../refusals.ts';
import type { RequestHelpers } from '../sessions/request-helpers.ts';
import { setLogFields } from '../sign-in-log/sign-in-log.ts';
import { readPopupMessage, renderMessagePage, renderRefusalPage } from './popup-pages.ts';

function sendPage(reply: FastifyReply, page: ReturnType<typeof renderMessagePage>) {
  return reply
    .header('content-security-policy', page.contentSecurityPolicy)
    .type('text/html; charset=utf-8')
    .send(page.html);
}

/** Forwards a response of better-auth, without its session cookie: pages hold session tokens instead. */
async function forward(response: Response, reply: FastifyReply) {
  for (const name of ['location', 'content-type']) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  // better-auth's policy allows its script, but does not restrict framing.
  const policy = response.headers.get('content-security-policy');
  if (policy !== null) reply.header('content-security-policy', `${policy}; frame-ancestors 'none'`);
  const cookies = response.headers.getSetCookie().filter((cookie) => /\.(state|oauth_popup)=/.test(cookie));
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  return reply.code(response.status).send(await response.text());
}

// The window shows these responses to people, so an error is answered with a page.
const htmlErrors = {
  errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const refusal = toRefusal(error);
    setLogFields(request, { outcome: refusal.code });
    if (refusal.code === 'internal') request.log.error({ err: error }, 'A sign-in with Google failed');
    void sendPage(reply.code(refusals[refusal.code].status), renderMessagePage(refusal.message));
  },
};

/**
 * Routes of the window in which a user signs in with Google.
 * @param parts.origin the provider's public origin
 * @param parts.pages origins of pages that may sign users in
 */
export function googleRoutes(parts: {
  provider: Identity;
  requests: RequestHelpers;
  origin: string;
  pages: ReadonlySet<string>;
}) {
  const { provider, requests, origin: ownOrigin, pages } = parts;

  /** Sets the log fields from the message that the last page posts to its opener. */
  async function logOutcome(request: FastifyRequest, page: string): Promise<void> {
    const { token, error } = readPopupMessage(page);
    if (token === null) return setLogFields(request, { outcome: error });
    const session = await provider.findSession(new Headers({ authorization: `Bearer ${token}` }));
    if (session === null) return;
    setLogFields(request, { account: session.user.id });
    if (session.session.due === true)
      setLogFields(request, { outcome: 'second_factor_required' satisfies IdentityRefusalCode });
  }

  return async function routes(scope: FastifyInstance): Promise<void> {
    scope.get('/popup/google', htmlErrors, async (request, reply) => {
      const { origin, nonce } = parse(PopupRequest, request.query);
      if (!pages.has(origin)) {
        const refusal = new Refusal('unauthorized_domain');
        const opener = URL.canParse(origin) ? new URL(origin).origin : 'null';
        reply.code(refusals.unauthorized_domain.status);
        return sendPage(
          reply,
          opener === 'null'
            ? renderMessagePage(refusal.message)
            : renderRefusalPage(opener, nonce, refusal.message),
        );
      }
      const query = new URLSearchParams({ provider: 'google', popupOrigin: origin, popupNonce: nonce });
      const response = await requests.callBetterAuth(request, `/oauth-popup/start?${query}`, {
        cookies: true,
      });
      return forward(response, reply);
    });
    scope.get('/callback/google', htmlErrors, async (request, reply) => {
      const { search, searchParams } = new URL(request.url, ownOrigin);
      // better-auth looks up the state as it is, and PostgreSQL rejects NUL.
      if (![...searchParams.values()].every(isOneLine)) throw new Refusal('invalid_input');
      const response = await requests.callBetterAuth(request, `/callback/google${search}`, { cookies: true });
      await logOutcome(request, await response.clone().text());
      return forward(response, reply);
    });
    scope.get('/error', (_request, reply) =>
      sendPage(
        reply.code(400),
        renderMessagePage('Signing in did not work. Please close this window and try again.'),
      ),
    );
  };
}
