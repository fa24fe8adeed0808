import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { accountOf } from '../sign-in-log/sign-in-log.ts';

const RETRY_INTERVAL_MS = 10_000;

/** Timeout of a request to the shop's server. The user who ended the session waits for it. */
const REQUEST_TIMEOUT_MS = 1_500;

/** For how long a user waits while the tokens of several sessions are sent one after another. */
const MAXIMUM_WAIT_MS = 1_000;

/** By then every ID token of the session has expired, and the notification is obsolete. */
const MAXIMUM_AGE = '2 hours';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const failureMessage = 'A logout token could not be delivered; it is sent again later';

const SessionEnds = z.array(z.object({ sessionId: z.string(), replacedBy: z.nullable(z.string()) }));
type SessionEnd = z.infer<typeof SessionEnds>[number];

/** Whether a request may have ended sessions. Google's callback does so when it links an account. */
const endsSessions = ({ method, routeOptions }: FastifyRequest) =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) || routeOptions.url?.endsWith('/callback/google') === true;

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

  /**
   * Claims the session that is due longest, so that no other process sends it. It becomes due again with back-off.
   * @param userId only sessions of this user; null for any
   */
  async function claimNext(userId: string | null): Promise<SessionEnd | null> {
    const { rows } = await pool.query(
      `update session_end set attempts = attempts + 1,
              due_at = now() + least(interval '2 seconds' * power(2, attempts), interval '1 minute')
        where session_id = (
          select session_id from session_end where due_at <= now() and ($1::text is null or user_id = $1)
           order by due_at limit 1 for update skip locked)
       returning session_id as "sessionId", replaced_by as "replacedBy"`,
      [userId],
    );
    return SessionEnds.parse(rows)[0] ?? null;
  }

  async function sendLogoutToken({ sessionId, replacedBy }: SessionEnd, url: string): Promise<Response> {
    const now = Math.floor(Date.now() / 1000);
    const token = await sign({
      sid: sessionId,
      ...(replacedBy !== null && { replaced_by: replacedBy }),
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

  /**
   * Sends a logout token for every session that has ended. Failed requests are repeated later.
   * @param userId only sessions of this user; null for any
   * @param until in milliseconds since the epoch; later, no further token is sent
   * @returns whether sessions may be left because of the time
   */
  async function sendPending(userId: string | null, until: number): Promise<boolean> {
    if (logoutUrl === null) return false;
    try {
      while (Date.now() < until) {
        const ended = await claimNext(userId);
        if (ended === null) return false;
        const response = await sendLogoutToken(ended, logoutUrl);
        if (response.ok) await pool.query('delete from session_end where session_id = $1', [ended.sessionId]);
        // The server works, so the tokens of other sessions are sent as well.
        else log.warn({ status: response.status }, failureMessage);
      }
      return true;
    } catch (error) {
      log.warn({ err: error }, failureMessage);
      return false;
    }
  }

  async function retry(): Promise<void> {
    await sendPending(null, Number.POSITIVE_INFINITY);
    await pool
      .query(`delete from session_end where ended_at < now() - interval '${MAXIMUM_AGE}'`)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'Obsolete logout notifications could not be deleted'),
      );
  }

  let running: Promise<void> | null = null;
  function startRetry(): void {
    running ??= retry().finally(() => {
      running = null;
    });
  }
  const retries = setInterval(startRetry, RETRY_INTERVAL_MS);
  retries.unref();

  return {
    /** Sends the logout tokens of one user's sessions, those that take too long in the background. */
    async sendOf(userId: string): Promise<void> {
      if (await sendPending(userId, Date.now() + MAXIMUM_WAIT_MS)) startRetry();
    },
    async close(): Promise<void> {
      clearInterval(retries);
      await running;
    },
  };
}

/**
 * Adds a hook that notifies the shop of ended sessions before the request that ended them is answered. It sends those of
 * the request's own account only, so that nobody waits for the sessions of others.
 */
export function sendLogoutsBeforeResponse(scope: FastifyInstance, logout: BackChannelLogout): void {
  scope.addHook('onSend', async (request) => {
    const userId = accountOf(request);
    if (userId !== undefined && endsSessions(request)) await logout.sendOf(userId);
  });
}
