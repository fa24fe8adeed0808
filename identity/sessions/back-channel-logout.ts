import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import * as z from 'zod/mini';

const RETRY_INTERVAL_MS = 10_000;

/** Timeout of a request to the shop's server. The user who ended the session waits for it. */
const REQUEST_TIMEOUT_MS = 1_500;

/** By then every ID token of the session has expired, and the notification is obsolete. */
const MAXIMUM_AGE = '2 hours';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const failureMessage = 'A logout token could not be delivered; it is sent again later';

const SessionEnds = z.array(z.object({ sessionId: z.string() }));

/** Notifies the shop's server of ended sessions, by OpenID Connect Back-Channel Logout 1.0. */
export type BackChannelLogout = ReturnType<typeof startBackChannelLogout>;

/**
 * Starts the notifications. A trigger (`database/tables.sql`) adds each ended session to `session_end` in the same
 * transaction, so none is missed.
 * @param parts.pool connections whose search_path is the schema `identity`
 * @param parts.logoutUrl the shop's endpoint; null sends nothing
 * @param parts.sign signs a JWT with these claims and the provider's issuer and audience
 */
export function startBackChannelLogout(parts: {
  pool: Pool;
  logoutUrl: string | null;
  sign(claims: Record<string, unknown>): Promise<string>;
  log: FastifyBaseLogger;
}) {
  const { pool, logoutUrl, sign, log } = parts;

  /** Claims the session that is due longest, so that no other process sends it. It becomes due again with back-off. */
  async function claimNext(): Promise<string | null> {
    const { rows } = await pool.query(
      `update session_end set attempts = attempts + 1,
              due_at = now() + least(interval '2 seconds' * power(2, attempts), interval '1 minute')
        where session_id = (
          select session_id from session_end where due_at <= now()
           order by due_at limit 1 for update skip locked)
       returning session_id as "sessionId"`,
    );
    return SessionEnds.parse(rows)[0]?.sessionId ?? null;
  }

  async function sendLogoutToken(sessionId: string, url: string): Promise<Response> {
    const now = Math.floor(Date.now() / 1000);
    const token = await sign({
      sid: sessionId,
      iat: now,
      exp: now + 120,
      jti: randomUUID(),
      events: { [LOGOUT_EVENT]: {} },
    });
    return fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  }

  /** Sends a logout token for every session that has ended. Failed requests are repeated later. */
  async function sendPending(): Promise<void> {
    if (logoutUrl === null) return;
    try {
      for (let ended = await claimNext(); ended !== null; ended = await claimNext()) {
        const response = await sendLogoutToken(ended, logoutUrl);
        if (response.ok) await pool.query('delete from session_end where session_id = $1', [ended]);
        // The server works, so the tokens of other sessions are sent as well.
        else log.warn({ status: response.status }, failureMessage);
      }
    } catch (error) {
      log.warn({ err: error }, failureMessage);
    }
  }

  async function retry(): Promise<void> {
    await sendPending();
    await pool
      .query(`delete from session_end where ended_at < now() - interval '${MAXIMUM_AGE}'`)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'Obsolete logout notifications could not be deleted'),
      );
  }

  let running: Promise<void> | null = null;
  const retries = setInterval(() => {
    running ??= retry().finally(() => {
      running = null;
    });
  }, RETRY_INTERVAL_MS);
  retries.unref();

  return {
    sendPending,
    async close(): Promise<void> {
      clearInterval(retries);
      await running;
    },
  };
}

/** Adds a hook that notifies the shop of ended sessions before the request that ended them is answered. */
export function sendLogoutsBeforeResponse(scope: FastifyInstance, logout: BackChannelLogout): void {
  scope.addHook('onSend', async (request) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) await logout.sendPending();
  });
}
