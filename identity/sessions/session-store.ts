import type { Pool, PoolClient } from 'pg';
import * as z from 'zod/mini';
import { MAXIMUM_SESSION_DAYS } from '#contract/identity/schemas.ts';
import { inTransaction } from '../database/pool.ts';
import { Refusal } from '../refusals.ts';

const Sessions = z.array(
  z.object({ id: z.string(), createdAt: z.date(), updatedAt: z.date(), userAgent: z.nullable(z.string()) }),
);

/** Time to complete a sign-in with the second factor. */
export const PENDING_SIGN_IN_MINUTES = 10;

/** Maximum number of sessions of an account, and of its sign-ins whose second factor is pending. */
const MAXIMUM_SESSIONS = 100;

/**
 * Ends a session that a new one replaces. The shop is notified a minute later: calls with the old token may be under way.
 * @param client in a transaction, which ends no other session afterwards
 * @param sessions.kept the new one
 * @throws Refusal `session_ended` when it had already ended
 */
export async function endReplacedSession(
  client: PoolClient,
  userId: string,
  sessions: { replaced: string; kept: string },
): Promise<void> {
  await client.query(
    `select set_config('identity.session_end_grace', '1 minute', true),
            set_config('identity.session_replaced_by', $1, true)`,
    [sessions.kept],
  );
  const { rowCount } = await client.query('delete from session where "userId" = $1 and id = $2', [
    userId,
    sessions.replaced,
  ]);
  if (rowCount !== 1) throw new Refusal('session_ended');
}

/** The sessions in better-auth's table. The end of each one is sent to the shop's server (`back-channel-logout.ts`). */
export type SessionStore = ReturnType<typeof createSessionStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createSessionStore(pool: Pool) {
  return {
    /** Lists the valid sessions of a user, newest first, without those whose second factor is pending. */
    async list(userId: string): Promise<z.infer<typeof Sessions>> {
      const { rows } = await pool.query(
        `select id, "createdAt", "updatedAt", "userAgent" from session
          where "userId" = $1 and "expiresAt" > now() and due is not true order by "createdAt" desc, id`,
        [userId],
      );
      return Sessions.parse(rows);
    },

    /** Ends one session of a user. @returns whether it existed */
    async end(userId: string, sessionId: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from session where "userId" = $1 and id = $2', [
        userId,
        sessionId,
      ]);
      return rowCount === 1;
    },

    /**
     * Ends the sessions beyond {@link MAXIMUM_SESSIONS} that were renewed longest ago.
     * @param pending whether to end sign-ins whose second factor is pending. They count apart: a password alone must not
     *   end the owner's sessions
     */
    async endExcess(userId: string, pending: boolean): Promise<void> {
      await pool.query(
        `delete from session where id in (
           select id from session where "userId" = $1 and (due is true) = $2
            order by "updatedAt" desc, id offset ${MAXIMUM_SESSIONS} for update skip locked)`,
        [userId, pending],
      );
    },

    /** Ends a session that a new one replaces. @throws Refusal `session_ended` when it had already ended */
    endReplaced: (userId: string, sessions: { replaced: string; kept: string }): Promise<void> =>
      inTransaction(pool, (client) => endReplacedSession(client, userId, sessions)),

    /**
     * Deletes sessions that no request can use any more, with their IP addresses. Those that expired are kept for another
     * hour, until their ID tokens have expired.
     */
    async deleteExpired(): Promise<void> {
      await pool.query(
        `delete from session
          where "expiresAt" < now() - interval '1 hour'
             or "createdAt" < now() - interval '${MAXIMUM_SESSION_DAYS} days'
             or (due and "createdAt" < now() - interval '${PENDING_SIGN_IN_MINUTES} minutes')`,
      );
    },

    /** Ends every session of a user except one. @returns how many ended */
    async endOthers(userId: string, keptSessionId: string): Promise<number> {
      const { rowCount } = await pool.query('delete from session where "userId" = $1 and id <> $2', [
        userId,
        keptSessionId,
      ]);
      return rowCount ?? 0;
    },
  };
}
