import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import * as z from 'zod/mini';

/** How often the ends that could not be told are looked at again, in milliseconds. */
const ROUND = 10_000;

/** How long the shop's server may take to answer, in milliseconds: the person who ended a session waits meanwhile. */
const PATIENCE = 1_500;

/** After that no ID token of the session can be valid, and there is nothing left to tell. */
const POINTLESS_AFTER = '2 hours';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const Ends = z.array(z.object({ sessionId: z.string() }));

/** Tells the shop's server of sessions that have ended, by OpenID Connect Back-Channel Logout 1.0. */
export interface BackChannelLogout {
  /** Tells of all that have ended until now; what cannot be told is tried again later. */
  tell(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Begins to tell of ended sessions. Whatever ends one, a row of `session_end` comes of it within the same transaction
 * (the trigger in `schema.ts`), so none is forgotten.
 * @param parts.pool connections whose search_path is the schema `identity`
 * @param parts.logoutUrl where the shop's server listens; null when nobody is to be told
 * @param parts.sign signs claims as the provider's, its issuer and audience added
 */
export function startBackChannelLogout(parts: {
  pool: Pool;
  logoutUrl: string | null;
  sign(claims: Record<string, unknown>): Promise<string>;
  log: FastifyBaseLogger;
}): BackChannelLogout {
  const { pool, logoutUrl, sign, log } = parts;

  /** Takes the end that has waited longest, so that no other process does; it waits again unless it is told. */
  async function take(): Promise<string | null> {
    const { rows } = await pool.query(
      `update session_end set attempts = attempts + 1,
              due_at = now() + least(interval '2 seconds' * power(2, attempts), interval '1 minute')
        where session_id = (
          select session_id from session_end where due_at <= now()
           order by due_at limit 1 for update skip locked)
       returning session_id as "sessionId"`,
    );
    return Ends.parse(rows)[0]?.sessionId ?? null;
  }

  async function tellOf(sessionId: string, url: string): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    const token = await sign({
      sid: sessionId,
      iat: now,
      exp: now + 120,
      jti: randomUUID(),
      events: { [LOGOUT_EVENT]: {} },
    });
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) throw new Error(`The shop’s server answered ${response.status} to a logout token.`);
    await pool.query('delete from session_end where session_id = $1', [sessionId]);
  }

  async function tell(): Promise<void> {
    if (logoutUrl === null) return;
    try {
      for (let ended = await take(); ended !== null; ended = await take()) await tellOf(ended, logoutUrl);
    } catch (error) {
      log.warn({ err: error }, 'The end of a session could not be told yet');
    }
  }

  async function round(): Promise<void> {
    await tell();
    await pool
      .query(`delete from session_end where ended_at < now() - interval '${POINTLESS_AFTER}'`)
      .catch((error: unknown) => log.warn({ err: error }, 'Old ends of sessions could not be dropped'));
  }

  let running: Promise<void> | null = null;
  const rounds = setInterval(() => {
    running ??= round().finally(() => {
      running = null;
    });
  }, ROUND);
  rounds.unref();

  return {
    tell,
    async close() {
      clearInterval(rounds);
      await running;
    },
  };
}

/** Has the end of a session told before whoever ended it is answered. */
export function tellBeforeAnswering(scope: FastifyInstance, logout: BackChannelLogout): void {
  scope.addHook('onSend', async (request) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method)) await logout.tell();
  });
}
