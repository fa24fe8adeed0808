import type { Pool, PoolClient } from 'pg';
import * as z from 'zod/mini';
import { inTransaction } from '../database/pool.ts';

const Users = z.array(z.object({ emailVerified: z.boolean() }));

/** Locks an account against concurrent changes of its sign-in methods. @returns whether its address is verified; null for an unknown user */
export async function lockAccount(client: PoolClient, userId: string): Promise<boolean | null> {
  // Not `for update`: setting up an authenticator app references this row while it holds a lock on its session.
  const { rows } = await client.query('select "emailVerified" from "user" where id = $1 for no key update', [
    userId,
  ]);
  return Users.parse(rows)[0]?.emailVerified ?? null;
}

export const endSessions = 'delete from session where "userId" = $1';
export const endOtherSessions = 'delete from session where "userId" = $1 and id <> $2';

/**
 * Removes every sign-in method and session of an account, and records that, for the ID tokens to say. Sessions first: a transaction that adds a method locks its
 * session until it commits, so it has either committed before the second statement or finds its session deleted.
 */
async function removeAllMethods(client: PoolClient, userId: string): Promise<void> {
  await client.query(endSessions, [userId]);
  await client.query(
    `with apps as (delete from totp where user_id = $1),
          codes as (delete from recovery_code where user_id = $1),
          keys as (delete from passkey where user_id = $1),
          clients as (delete from known_client where user_id = $1),
          registrations as (delete from registration where user_id = $1),
          users as (update "user" set "reclaimedAt" = now() where id = $1)
     delete from account where "userId" = $1`,
    [userId],
  );
}

const setPassword = `
  with changed as (
    update account set password = $2, "updatedAt" = now() where "userId" = $1 and "providerId" = 'credential'
    returning id)
  insert into account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
  select gen_random_uuid()::text, $1::text, 'credential', $1::text, $2, now(), now()
   where not exists (select from changed)`;

/** Changes of an account's sign-in methods, each in one transaction. */
export type SignInMethods = ReturnType<typeof createSignInMethods>;

/** @param pool connections whose search_path is the schema `identity` */
export function createSignInMethods(pool: Pool) {
  /** Ends sessions that a concurrent sign-in opened. A later sign-in finds its method removed or changed. */
  const endConcurrentSessions = (userId: string) => pool.query(endSessions, [userId]);

  return {
    /**
     * Changes the password and ends every session except one, including those that a concurrent sign-in opens, and the
     * links that set a new password.
     * @returns false, with nothing changed, when the kept session has ended
     */
    async changePassword(userId: string, hash: string, keptSessionId: string): Promise<boolean> {
      const changed = await inTransaction(pool, async (client) => {
        await lockAccount(client, userId);
        const { rowCount } = await client.query(
          'select from session where id = $1 and "userId" = $2 for key share',
          [keptSessionId, userId],
        );
        if (rowCount !== 1) return false;
        await client.query(setPassword, [userId, hash]);
        await client.query(`delete from email_link where user_id = $1 and kind = 'reset-password'`, [userId]);
        await client.query(endOtherSessions, [userId, keptSessionId]);
        return true;
      });
      if (changed) await pool.query(endOtherSessions, [userId, keptSessionId]);
      return changed;
    },

    /**
     * Sets the password of a user who has proven ownership of the email address, and ends every session. If the address
     * was not verified before, every sign-in method is removed first.
     */
    async resetPassword(userId: string, hash: string): Promise<void> {
      await inTransaction(pool, async (client) => {
        if ((await lockAccount(client, userId)) === false) await removeAllMethods(client, userId);
        await client.query('update "user" set "emailVerified" = true where id = $1', [userId]);
        await client.query(setPassword, [userId, hash]);
        await client.query(endSessions, [userId]);
      });
      await endConcurrentSessions(userId);
    },

    /**
     * Marks a user's email address as verified.
     * @param options.keepMethods whether the same device registered the account; if not, every sign-in method that was
     *   set up before the verification is removed
     * @returns whether anything was removed
     */
    async verifyEmail(userId: string, options: { keepMethods: boolean }): Promise<boolean> {
      const removed = await inTransaction(pool, async (client) => {
        const wasVerified = await lockAccount(client, userId);
        if (wasVerified !== false) return false;
        if (!options.keepMethods) await removeAllMethods(client, userId);
        await client.query('update "user" set "emailVerified" = true where id = $1', [userId]);
        return !options.keepMethods;
      });
      if (removed) await endConcurrentSessions(userId);
      return removed;
    },

    /** Removes every sign-in method of a user whose address is not verified. Does nothing for a verified one. */
    async removeUnverified(userId: string): Promise<void> {
      const removed = await inTransaction(pool, async (client) => {
        if ((await lockAccount(client, userId)) !== false) return false;
        await removeAllMethods(client, userId);
        return true;
      });
      if (removed) await endConcurrentSessions(userId);
    },
  };
}
