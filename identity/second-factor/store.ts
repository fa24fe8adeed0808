import type { Pool, PoolClient } from 'pg';
import * as z from 'zod/mini';
import { endOtherSessions, endSessions, lockAccount } from '../accounts/sign-in-methods.ts';
import { inTransaction } from '../database/pool.ts';
import { endReplacedSession } from '../sessions/session-store.ts';

const PasskeyRow = z.object({
  id: z.string(),
  userId: z.string(),
  publicKey: z.instanceof(Buffer),
  counter: z.coerce.number(),
  transports: z.array(z.string()),
  name: z.string(),
  createdAt: z.date(),
  lastUsedAt: z.nullable(z.date()),
});
export type PasskeyRow = z.infer<typeof PasskeyRow>;

/** Stores a second factor in the transaction of this connection. @throws Refusal when it cannot be stored */
export type StoreFactor = (client: PoolClient) => Promise<void>;

const Secrets = z.array(z.object({ sealed: z.string(), confirmed: z.boolean() }));
const Summary = z.array(z.object({ totp: z.boolean(), recoveryCodesLeft: z.number(), passkeys: z.number() }));
const Locks = z.array(z.object({ seconds: z.coerce.number() }));

/** Failed attempts in a row until further ones are refused for {@link REFUSAL_MINUTES}. */
export const MAXIMUM_FAILURES = 5;
export const REFUSAL_MINUTES = 15;

/**
 * Lifetime of a WebAuthn challenge. The login page asks for one when it opens, and its person may choose a passkey much later in the
 * autofill of the email field. The other two are answered at once.
 */
const challengeMinutes = { add: 5, 'sign-in': 60, 'second-factor': 5 };
type ChallengePurpose = keyof typeof challengeMinutes;

const passkeyColumns = `id, user_id as "userId", public_key as "publicKey", counter, transports, name,
  created_at as "createdAt", last_used_at as "lastUsedAt"`;

/**
 * The stored second factors. Each method checks and changes in one statement, or while it locks the account, so of two
 * concurrent calls one succeeds.
 */
export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createSecondFactorStore(pool: Pool) {
  /** Executes a statement. @returns whether it inserted, updated or deleted a row */
  const changesRows = async (text: string, values: unknown[], client: Pool | PoolClient = pool) =>
    ((await client.query(text, values)).rowCount ?? 0) > 0;

  /** Summarizes the second factors of a user. `passkeys` is their number. */
  async function summarize(userId: string): Promise<z.infer<typeof Summary>[number]> {
    const { rows } = await pool.query(
      `select exists (select from totp where user_id = $1 and confirmed_at is not null) as totp,
              (select count(*)::int from recovery_code where user_id = $1) as "recoveryCodesLeft",
              (select count(*)::int from passkey where user_id = $1) as passkeys`,
      [userId],
    );
    return Summary.parse(rows)[0] ?? { totp: false, recoveryCodesLeft: 0, passkeys: 0 };
  }

  /** Removes a second factor, and the recovery codes with the last one. @returns whether it existed */
  const removeFactor = (text: string, userId: string, ...values: unknown[]): Promise<boolean> =>
    inTransaction(pool, async (client) => {
      await lockAccount(client, userId);
      const isRemoved = await changesRows(text, [userId, ...values], client);
      await client.query(
        `delete from recovery_code where user_id = $1
            and not exists (select from totp where user_id = $1 and confirmed_at is not null)
            and not exists (select from passkey where user_id = $1)`,
        [userId],
      );
      return isRemoved;
    });

  return {
    summarize,

    /**
     * Adds a second factor in one transaction, which ends every session but the new one: the others did not verify it.
     * @param sessions.replaced the session that adds it
     * @param sessions.kept the new one
     * @param recoveryCodes hashes, stored unless the account has some
     * @returns whether they were stored
     * @throws Refusal `session_ended` when the session has ended, also by a concurrent addition; those of `storeFactor`
     */
    async addFactor(
      userId: string,
      sessions: { replaced: string; kept: string },
      storeFactor: StoreFactor,
      recoveryCodes: readonly Buffer[],
    ): Promise<boolean> {
      const areStored = await inTransaction(pool, async (client) => {
        await lockAccount(client, userId);
        await client.query('delete from session where "userId" = $1 and id <> all ($2)', [
          userId,
          [sessions.replaced, sessions.kept],
        ]);
        await endReplacedSession(client, userId, sessions);
        await storeFactor(client);
        return changesRows(
          `insert into recovery_code (user_id, hash) select $1, unnest($2::bytea[])
            where not exists (select from recovery_code where user_id = $1)`,
          [userId, recoveryCodes],
          client,
        );
      });
      // Those that a concurrent sign-in has opened.
      await pool.query(endOtherSessions, [userId, sessions.kept]);
      return areStored;
    },

    /** Checks whether a user has an authenticator app or a passkey, so that the password alone does not sign in. */
    async hasSecondFactor(userId: string): Promise<boolean> {
      const { totp, passkeys } = await summarize(userId);
      return totp || passkeys > 0;
    },

    /**
     * Stores the secret of an authenticator app that is not active yet.
     * @param sessionId locked by the statement: every removal of the user's second factors ends the session first
     * @returns false when an app is active already or the session has ended
     */
    insertTotpSecret: (userId: string, sessionId: string, sealed: string) =>
      changesRows(
        `insert into totp (user_id, sealed_secret)
         select $1, $2 from session where id = $3 and "userId" = $1 for key share
         on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, last_step = 0
          where totp.confirmed_at is null`,
        [userId, sealed, sessionId],
      ),

    async findTotpSecret(userId: string): Promise<z.infer<typeof Secrets>[number] | null> {
      const { rows } = await pool.query(
        'select sealed_secret as sealed, confirmed_at is not null as confirmed from totp where user_id = $1',
        [userId],
      );
      return Secrets.parse(rows)[0] ?? null;
    },

    /** Consumes the code of a time step and all earlier ones. @returns false when it was already consumed */
    consumeStep: (userId: string, step: number, sealed: string, client?: PoolClient) =>
      changesRows(
        `update totp set last_step = $2, confirmed_at = coalesce(confirmed_at, now())
          where user_id = $1 and last_step < $2 and sealed_secret = $3`,
        [userId, step, sealed],
        client,
      ),

    removeTotp: (userId: string) => removeFactor('delete from totp where user_id = $1', userId),

    /** Replaces all recovery codes of a user. */
    replaceRecoveryCodes: (userId: string, hashes: readonly Buffer[]): Promise<void> =>
      inTransaction(pool, async (client) => {
        await lockAccount(client, userId);
        await client.query('delete from recovery_code where user_id = $1', [userId]);
        await client.query('insert into recovery_code (user_id, hash) select $1, unnest($2::bytea[])', [
          userId,
          hashes,
        ]);
      }),

    consumeRecoveryCode: (userId: string, hash: Buffer) =>
      changesRows('delete from recovery_code where user_id = $1 and hash = $2', [userId, hash]),

    /**
     * Counts an attempt before it is checked, so that concurrent attempts are all counted.
     * @param client the hash that attempts are counted under
     * @returns null, or the seconds for which attempts of the client are refused
     */
    async countAttempt(userId: string, client: Buffer): Promise<number | null> {
      const isCounted = await changesRows(
        `insert into failed_proof as counted (user_id, client, failures) values ($1, $4, 1)
         on conflict (user_id, client) do update set
           failures = case when counted.locked_until is null then counted.failures + 1 else 1 end,
           locked_until = case when counted.locked_until is null and counted.failures + 1 >= $2
                               then now() + make_interval(mins => $3) end
          where counted.locked_until is null or counted.locked_until <= now()`,
        [userId, MAXIMUM_FAILURES, REFUSAL_MINUTES, client],
      );
      if (isCounted) return null;
      const { rows } = await pool.query(
        `select extract(epoch from locked_until - now()) as seconds from failed_proof
          where user_id = $1 and client = $2`,
        [userId, client],
      );
      return Math.max(1, Math.ceil(Locks.parse(rows)[0]?.seconds ?? 1));
    },

    /** Resets a client's count after a success. */
    async resetAttempts(userId: string, client: Buffer): Promise<void> {
      await pool.query('delete from failed_proof where user_id = $1 and client = $2', [userId, client]);
    },

    async listPasskeys(userId: string): Promise<PasskeyRow[]> {
      const { rows } = await pool.query(
        `select ${passkeyColumns} from passkey where user_id = $1 order by created_at, id`,
        [userId],
      );
      return z.array(PasskeyRow).parse(rows);
    },

    async findPasskey(id: string): Promise<PasskeyRow | null> {
      const { rows } = await pool.query(`select ${passkeyColumns} from passkey where id = $1`, [id]);
      return z.array(PasskeyRow).parse(rows)[0] ?? null;
    },

    /**
     * @param client in the transaction of `addFactor`
     * @returns false when the passkey exists already, for any user, or the user has `maximum` others
     */
    insertPasskey: (
      client: PoolClient,
      passkey: Omit<PasskeyRow, 'createdAt' | 'lastUsedAt'>,
      maximum: number,
    ) =>
      changesRows(
        `insert into passkey (id, user_id, public_key, counter, transports, name)
         select $1, $2, $3, $4, $5, $6 where (select count(*) from passkey where user_id = $2) < $7
         on conflict do nothing`,
        [
          passkey.id,
          passkey.userId,
          passkey.publicKey,
          passkey.counter,
          passkey.transports,
          passkey.name,
          maximum,
        ],
        client,
      ),

    /** Records a use. @returns false when the signature counter did not increase, which means a copied key */
    recordPasskeyUse: (id: string, counter: number) =>
      changesRows(
        `update passkey set counter = $2, last_used_at = now()
          where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
        [id, counter],
      ),

    removePasskey: (userId: string, id: string) =>
      removeFactor('delete from passkey where user_id = $1 and id = $2', userId, id),

    /** Removes all second factors of a user and ends every session. */
    async removeAll(userId: string): Promise<void> {
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
      // Those that a concurrent sign-in has opened.
      await pool.query(endSessions, [userId]);
    },

    async insertChallenge(
      challenge: string,
      purpose: ChallengePurpose,
      userId: string | null,
    ): Promise<void> {
      await pool.query(
        `with gone as (delete from passkey_challenge where expires_at < now())
         insert into passkey_challenge (challenge, purpose, user_id, expires_at)
         values ($1, $2, $3, now() + make_interval(mins => $4))`,
        [challenge, purpose, userId, challengeMinutes[purpose]],
      );
    },

    /** Consumes a challenge. @returns whether it was valid for this purpose and user */
    consumeChallenge: (challenge: string, purpose: ChallengePurpose, userId: string | null) =>
      changesRows(
        `delete from passkey_challenge where challenge = $1 and purpose = $2
            and user_id is not distinct from $3 and expires_at > now()`,
        [challenge, purpose, userId],
      ),
  };
}
