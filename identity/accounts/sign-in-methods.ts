import type { Pool, PoolClient } from 'pg';
import * as z from 'zod/mini';
import { inTransaction } from '../database/transaction.ts';

const Accounts = z.array(z.object({ emailVerified: z.boolean() }));

/** Locks an account against other changes of how it signs in. @returns whether its address is proven; null without one */
async function lockAccount(client: PoolClient, userId: string): Promise<boolean | null> {
  // Not `for update`: adding a passkey references this row while it holds the lock on its session.
  const { rows } = await client.query('select "emailVerified" from "user" where id = $1 for no key update', [
    userId,
  ]);
  return Accounts.parse(rows)[0]?.emailVerified ?? null;
}

const endSessions = 'delete from session where "userId" = $1';
const endOtherSessions = 'delete from session where "userId" = $1 and id <> $2';

/**
 * Removes everything that signs in to an account. Sessions first: what adds a method locks its session until it has
 * committed, so here it is either finished and seen by the second statement, or finds its session gone.
 */
async function removeAllMethods(client: PoolClient, userId: string): Promise<void> {
  await client.query(endSessions, [userId]);
  await client.query(
    `with apps as (delete from totp where user_id = $1),
          codes as (delete from recovery_code where user_id = $1),
          keys as (delete from passkey where user_id = $1),
          clients as (delete from known_client where user_id = $1),
          registrations as (delete from registration where user_id = $1)
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

/** Changes of how accounts sign in. */
export type SignInMethods = ReturnType<typeof createSignInMethods>;

/** @param pool connections whose search_path is the schema `identity` */
export function createSignInMethods(pool: Pool) {
  /** Ends what a sign-in that was under way has opened meanwhile; a later one finds its method gone or changed. */
  const sweepSessions = (userId: string) => pool.query(endSessions, [userId]);

  return {
    /**
     * Sets another password and ends every session but one, also those that begin meanwhile.
     * @returns false when that session has ended meanwhile; nothing is changed then
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
        await client.query(endOtherSessions, [userId, keptSessionId]);
        return true;
      });
      if (changed) await pool.query(endOtherSessions, [userId, keptSessionId]);
      return changed;
    },

    /**
     * Sets another password for somebody who has shown that the mailbox is theirs, and ends every session. If the
     * address was not proven before, all that was set up goes as well.
     */
    async resetPassword(userId: string, hash: string): Promise<void> {
      await inTransaction(pool, async (client) => {
        if ((await lockAccount(client, userId)) === false) await removeAllMethods(client, userId);
        await client.query('update "user" set "emailVerified" = true where id = $1', [userId]);
        await client.query(setPassword, [userId, hash]);
        await client.query(endSessions, [userId]);
      });
      await sweepSessions(userId);
    },

    /**
     * Notes that a user's address is theirs.
     * @param options.keepMethods whether they have shown that they registered the account as well; otherwise all that
     *   was set up while the address was not proven goes
     * @returns whether anything was removed
     */
    async proveAddress(userId: string, options: { keepMethods: boolean }): Promise<boolean> {
      const removed = await inTransaction(pool, async (client) => {
        const wasProven = await lockAccount(client, userId);
        if (wasProven !== false) return false;
        if (!options.keepMethods) await removeAllMethods(client, userId);
        await client.query('update "user" set "emailVerified" = true where id = $1', [userId]);
        return !options.keepMethods;
      });
      if (removed) await sweepSessions(userId);
      return removed;
    },

    /** Removes everything that signs in to a user whose address is not proven. Without effect for a proven one. */
    async removeUnproven(userId: string): Promise<void> {
      const removed = await inTransaction(pool, async (client) => {
        if ((await lockAccount(client, userId)) !== false) return false;
        await removeAllMethods(client, userId);
        return true;
      });
      if (removed) await sweepSessions(userId);
    },

    /** Removes every second factor of a user and ends every session. */
    async removeSecondFactors(userId: string): Promise<void> {
      await inTransaction(pool, async (client) => {
        await lockAccount(client, userId);
        await client.query(endSessions, [userId]);
        await client.query(
          `with apps as (delete from totp where user_id = $1),
                codes as (delete from recovery_code where user_id = $1),
                keys as (delete from passkey where user_id = $1)
           delete from failed_proof where user_id = $1`,
          [userId],
        );
      });
      await sweepSessions(userId);
    },
  };
}
