import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/platform/database/tables.ts';
import { sendProblem } from '#server/platform/http/problems.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { MAXIMUM_TOKEN_LIFETIME_MS, removeExpiredErasures } from './erased-addresses.ts';
import type { IdentityVerifier } from './identity-verifier.ts';
import * as store from './store.ts';

/** The path to which the identity provider posts logout tokens. */
export const LOGOUT_PATH = '/back-channel-logout';

/** Removes records of ended sessions and erased addresses that no valid token can refer to. */
export async function removeExpiredSessionRecords(database: Database): Promise<void> {
  await store.removeExpiredSessions(database, new Date());
  await removeExpiredErasures(database, new Date());
}

/**
 * `POST /back-channel-logout` of OpenID Connect Back-Channel Logout 1.0. A signed token names a session that has ended;
 * its tokens stop working.
 */
export async function backChannelLogout(
  app: FastifyInstance,
  { database, identityProvider }: { database: Database; identityProvider: IdentityVerifier },
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16 * 1024 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.post(LOGOUT_PATH, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
    const ended = token === null ? null : await identityProvider.verifyLogoutToken(token);
    if (ended === null) {
      return sendProblem(
        reply,
        new Refusal('malformed_request', 'This is not a valid logout token of the identity provider.'),
      );
    }
    await store.recordEndedSession(database, ended, new Date(Date.now() + MAXIMUM_TOKEN_LIFETIME_MS));
    return reply.code(200).send();
  });
}
