import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { inTransaction } from '../database/transaction.ts';

const Providers = z.array(z.object({ providerId: z.string(), accountId: z.string() }));
const Sessions = z.array(
  z.object({ id: z.string(), createdAt: z.date(), updatedAt: z.date(), userAgent: z.nullable(z.string()) }),
);
const Passwords = z.array(z.object({ password: z.nullable(z.string()) }));
const People = z.array(z.object({ id: z.string(), email: z.string(), name: z.string() }));
const Standing = z.array(
  z.object({ disabled: z.boolean(), hasPassword: z.boolean(), hasGoogle: z.boolean() }),
);
type Standing = z.infer<typeof Standing>[number];

const Novelty = z.array(z.object({ isNew: z.boolean() }));
const Waits = z.array(z.object({ wait: z.nullable(z.number()) }));

/**
 * The table keeps for each key the moment at which its whole allowance is there again (the generic cell rate
 * algorithm); one statement looks and takes, under the row's lock, by the database's clock as it is then:
 * `now()` is when the transaction began, and one that began earlier may get the lock later.
 */
const countAttempts = `
  with wanted as (
    select key, step * interval '1 second' as step, span * interval '1 second' as span
      from unnest($1::text[], $2::float8[], $3::float8[]) as asked (key, step, span)
  ), taken as (
    insert into attempt_limit as held (key, empty_at)
      select key, now() + step from wanted order by key
      on conflict (key) do update
        set empty_at = greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
        where greatest(held.empty_at, clock_timestamp()) + (excluded.empty_at - now())
              <= clock_timestamp() + (select span from wanted where wanted.key = held.key)
      returning key
  )
  select extract(epoch from max(coalesce(held.empty_at, now() + span) + step - span) - now())::float8 as wait
    from wanted left join attempt_limit as held using (key)
   where key not in (select key from taken)`;

/** What the provider asks of its own tables beside what better-auth does by itself. */
export interface Store {
  /** The ways in that a user has: `credential` (password) and `google`. */
  providersOf(userId: string): Promise<readonly { providerId: string; accountId: string }[]>;
  /** The sessions of a user that are still good, the newest first. */
  sessionsOf(
    userId: string,
  ): Promise<readonly { id: string; createdAt: Date; updatedAt: Date; userAgent: string | null }[]>;
  /** Ends one session of a user. @returns whether there was one */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /**
   * Ends a session in whose place another one stands already; the shop is told a minute later.
   * @returns false when it has ended before: the other one must not stand then
   */
  endReplacedSession(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of a user but one. @returns how many ended */
  endOtherSessions(userId: string, keptSessionId: string): Promise<number>;
  /** Marks the account of an e-mail address as disabled. @returns whether there is such an account */
  disable(email: string): Promise<boolean>;
  /**
   * Removes the account of an e-mail address with all that is kept of it.
   * @param madeBefore leaves one that was made at this moment (ISO 8601) or later
   * @returns whether there was one
   */
  erase(email: string, madeBefore?: string): Promise<boolean>;
  /**
   * Counts one under each key, of which so many are allowed at once and in each span of so many seconds.
   * @returns seconds until the next is allowed, when one of them has used up its allowance; else null
   */
  takeAttempts(asked: readonly { key: string; count: number; seconds: number }[]): Promise<number | null>;
  /** Lets a key begin anew. */
  forgetAttempts(key: string): Promise<void>;
  /** Removes the counts that no longer limit anybody. */
  sweepAttempts(): Promise<void>;
  /**
   * Notes the device that somebody has signed in on.
   * @param userAgent as the browser names itself; its versions are passed over, because they change by themselves
   * @returns whether it is another than those of the last year, of which there is at least one
   */
  noteDevice(userId: string, userAgent: string): Promise<boolean>;
  /** Whether a session just made for this user may stand. */
  standing(userId: string): Promise<Standing | null>;
  /** The hash of a user's password; null without one. By id, or by an e-mail address whose case does not matter. */
  passwordOf(user: { id: string } | { email: string }): Promise<string | null>;
  /** Whose account an e-mail address in lower case is of; null for nobody's. */
  userOf(email: string): Promise<string | null>;
  /** Who a user is, for checks and letters. */
  personOf(userId: string): Promise<{ id: string; email: string; name: string } | null>;
}

/** @param pool connections whose search_path is the schema `identity` */
export function createStore(pool: Pool): Store {
  const endOthers = 'delete from session where "userId" = $1 and id <> $2';

  return {
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
          where "userId" = $1 and "expiresAt" > now() and due is not true order by "createdAt" desc, id`,
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

    async endReplacedSession(userId, sessionId) {
      return inTransaction(pool, async (client) => {
        await client.query(`set local identity.session_end_grace = '1 minute'`);
        const { rowCount } = await client.query('delete from session where "userId" = $1 and id = $2', [
          userId,
          sessionId,
        ]);
        return rowCount === 1;
      });
    },

    async endOtherSessions(userId, keptSessionId) {
      const { rowCount } = await pool.query(endOthers, [userId, keptSessionId]);
      return rowCount ?? 0;
    },

    async disable(email) {
      const { rowCount } = await pool.query(
        'update "user" set "disabledAt" = coalesce("disabledAt", now()) where email = $1',
        [email],
      );
      return rowCount === 1;
    },

    async erase(email, madeBefore) {
      // Sessions, ways in, second factors and letters go with their user.
      const { rowCount } = await pool.query(
        'delete from "user" where email = $1 and "createdAt" < coalesce($2::timestamptz, \'infinity\')',
        [email, madeBefore ?? null],
      );
      return rowCount === 1;
    },

    async takeAttempts(asked) {
      const { rows } = await pool.query(countAttempts, [
        asked.map(({ key }) => key),
        asked.map(({ count, seconds }) => seconds / count),
        asked.map(({ seconds }) => seconds),
      ]);
      return Waits.parse(rows)[0]?.wait ?? null;
    },

    async forgetAttempts(key) {
      await pool.query('delete from attempt_limit where key = $1', [key]);
    },

    async sweepAttempts() {
      await pool.query('delete from attempt_limit where empty_at < now()');
    },

    async noteDevice(userId, userAgent) {
      const kind = userAgent.replace(/[\d._]+/g, '');
      const { rows } = await pool.query(
        `with old as (delete from known_device where user_id = $1 and hash <> $2 and seen_at < now() - interval '1 year'),
              known as (select hash from known_device where user_id = $1 and seen_at >= now() - interval '1 year'),
              seen as (insert into known_device (user_id, hash) values ($1, $2)
                       on conflict (user_id, hash) do update set seen_at = now())
         select exists (select from known) and not exists (select from known where hash = $2) as "isNew"`,
        [userId, createHash('sha256').update(kind).digest()],
      );
      return Novelty.parse(rows)[0]?.isNew ?? false;
    },

    async passwordOf(user) {
      const { rows } = await pool.query(
        `select password from account join "user" on "user".id = "userId"
          where "providerId" = 'credential' and ${'id' in user ? '"user".id' : 'email'} = $1`,
        ['id' in user ? user.id : user.email.toLowerCase()],
      );
      return Passwords.parse(rows)[0]?.password ?? null;
    },

    async userOf(email) {
      const { rows } = await pool.query('select id, email, name from "user" where email = $1', [email]);
      return People.parse(rows)[0]?.id ?? null;
    },

    async personOf(userId) {
      const { rows } = await pool.query('select id, email, name from "user" where id = $1', [userId]);
      return People.parse(rows)[0] ?? null;
    },

    async standing(userId) {
      const { rows } = await pool.query(
        `select "disabledAt" is not null as disabled,
                exists (select from account where "userId" = "user".id and "providerId" = 'credential')
                  as "hasPassword",
                exists (select from account where "userId" = "user".id and "providerId" = 'google')
                  as "hasGoogle"
           from "user" where id = $1`,
        [userId],
      );
      return Standing.parse(rows)[0] ?? null;
    },
  };
}
