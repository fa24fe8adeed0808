import type { Pool } from 'pg';
import * as z from 'zod/mini';

const schemaName = 'identity';

/** Any fixed number: it names the lock under which one process at a time brings the schema up to date. */
const MIGRATION_LOCK = 7_301_118;

const Providers = z.array(z.object({ providerId: z.string(), accountId: z.string() }));
const Sessions = z.array(
  z.object({ id: z.string(), createdAt: z.date(), updatedAt: z.date(), userAgent: z.nullable(z.string()) }),
);
const Standing = z.array(z.object({ disabled: z.boolean(), hasPassword: z.boolean() }));

/** What the provider asks of its own tables beside what better-auth does by itself. */
export interface Store {
  /** Runs `work` with the schema present and no other process running its own. */
  migrating(work: () => Promise<void>): Promise<void>;
  /** The ways in that a user has: `credential` (password) and `google`. */
  providersOf(userId: string): Promise<readonly { providerId: string; accountId: string }[]>;
  /** The sessions of a user that are still good, the newest first. */
  sessionsOf(
    userId: string,
  ): Promise<readonly { id: string; createdAt: Date; updatedAt: Date; userAgent: string | null }[]>;
  /** Ends one session of a user. @returns whether there was one */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of a user but one. @returns how many ended */
  endOtherSessions(userId: string, keptSessionId: string): Promise<number>;
  /** Marks the account of an e-mail address as disabled. @returns whether there is such an account */
  disable(email: string): Promise<boolean>;
  /** Whether a session just made for this user may stand. */
  standing(userId: string): Promise<{ disabled: boolean; hasPassword: boolean } | null>;
  /**
   * Takes every way in and every session from a user whose address nobody has proven. Without effect for a
   * proven one.
   */
  revokeUnproven(userId: string): Promise<void>;
}

/** @param pool connections whose search_path is the schema `identity` */
export function createStore(pool: Pool): Store {
  return {
    async migrating(work) {
      const client = await pool.connect();
      try {
        await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
        try {
          await client.query(`create schema if not exists ${schemaName}`);
          await work();
        } finally {
          await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
        }
      } finally {
        client.release();
      }
    },

    async providersOf(userId) {
      const { rows } = await pool.query(
        'select "providerId", "accountId" from account where "userId" = $1 order by "createdAt", id',
        [userId],
      );
      return Providers.parse(rows);
    },

    async sessionsOf(userId) {
      const { rows } = await pool.query(
        `select id, "createdAt", "updatedAt", "userAgent" from session
          where "userId" = $1 and "expiresAt" > now() order by "createdAt" desc, id`,
        [userId],
      );
      return Sessions.parse(rows);
    },

    async endSession(userId, sessionId) {
      const { rowCount } = await pool.query('delete from session where "userId" = $1 and id = $2', [
        userId,
        sessionId,
      ]);
      return rowCount === 1;
    },

    async endOtherSessions(userId, keptSessionId) {
      const { rowCount } = await pool.query('delete from session where "userId" = $1 and id <> $2', [
        userId,
        keptSessionId,
      ]);
      return rowCount ?? 0;
    },

    async disable(email) {
      const { rowCount } = await pool.query(
        'update "user" set "disabledAt" = coalesce("disabledAt", now()) where email = $1',
        [email],
      );
      return rowCount === 1;
    },

    async standing(userId) {
      const { rows } = await pool.query(
        `select "disabledAt" is not null as disabled,
                exists (select from account where "userId" = "user".id and "providerId" = 'credential')
                  as "hasPassword"
           from "user" where id = $1`,
        [userId],
      );
      return Standing.parse(rows)[0] ?? null;
    },

    async revokeUnproven(userId) {
      // Two statements that commit one after the other, in this order: a sign-in with the old password that
      // is under way either finds its way in gone when it looks again, or has made its session before the
      // second statement takes it.
      await pool.query(
        `delete from account where "userId" = $1
            and exists (select from "user" where id = $1 and not "emailVerified")`,
        [userId],
      );
      await pool.query(
        `delete from session where "userId" = $1
            and exists (select from "user" where id = $1 and not "emailVerified")`,
        [userId],
      );
    },
  };
}
