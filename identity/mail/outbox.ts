import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { inTransaction } from '../database/pool.ts';
import { type EmailKind, emailKinds, type LinkKind, linkMinutes } from './templates.ts';

const QueuedEmails = z.array(
  z.object({
    id: z.string(),
    userId: z.string(),
    kind: z.enum(emailKinds),
    email: z.string(),
    emailVerified: z.boolean(),
    name: z.string(),
  }),
);
export type QueuedEmail = z.infer<typeof QueuedEmails>[number];

const Users = z.array(z.object({ userId: z.string() }));

/** Delivery of an e-mail stops at this age. */
const MAXIMUM_AGE = '1 day';

const hashToken = (token: string) => createHash('sha256').update(token).digest();

/** The e-mails that are queued in the table `letter`, and the single-use links in those that were sent. */
export type EmailOutbox = ReturnType<typeof createEmailOutbox>;

/** @param pool connections whose search_path is the schema `identity` */
export function createEmailOutbox(pool: Pool) {
  return {
    /**
     * Queues an e-mail that somebody requested. Per account and kind, clients that the account knows have one quota:
     * one a minute, five an hour. All other clients share another of the same size, of which one network may use two
     * an hour. Runs the same statements for an unknown address, so that the time taken does not reveal it.
     * @param network hash of the requesting network; null when the account knows the client
     * @returns whether it was queued
     */
    async request(kind: EmailKind, email: string, network: Buffer | null): Promise<boolean> {
      return inTransaction(pool, async (client) => {
        // The row lock makes concurrent requests count one after the other.
        const { rows } = await client.query(
          `select id as "userId" from "user" where email = $1 and "disabledAt" is null for no key update`,
          [email],
        );
        const { rowCount } = await client.query(
          `with recent as (
             select requester, requested_at from letter
              where user_id = $1 and kind = $2 and (requester is null) = ($3::bytea is null)
                and requested_at > now() - interval '1 hour')
           insert into letter (user_id, kind, requester) select $1, $2, $3 where $1::text is not null
              and (select count(*) from recent) < 5
              and (select count(*) from recent where requester = $3) < 2
              and not exists (select from recent where requester is not distinct from $3
                                 and requested_at > now() - interval '1 minute')`,
          [Users.parse(rows)[0]?.userId ?? null, kind, network],
        );
        return rowCount === 1;
      });
    },

    /** Queues an e-mail about an event of an account, without a quota. */
    async addNotice(kind: EmailKind, userId: string): Promise<void> {
      await pool.query('insert into letter (user_id, kind) values ($1, $2)', [userId, kind]);
    },

    /**
     * Claims the e-mail that is due longest, so that no other process sends it. Unless {@link markSent} follows, it
     * becomes due again, after a delay that doubles with each attempt.
     */
    async claimNext(): Promise<QueuedEmail | null> {
      const { rows } = await pool.query(
        `update letter set attempts = attempts + 1,
                next_attempt_at = now() + least(interval '15 seconds' * power(2, attempts), interval '15 minutes')
           from "user"
          where "user".id = letter.user_id and letter.id = (
            select id from letter where sent_at is null and next_attempt_at <= now()
               and requested_at > now() - interval '${MAXIMUM_AGE}'
             order by next_attempt_at limit 1 for update skip locked)
         returning letter.id, letter.user_id as "userId", letter.kind, "user".email, "user"."emailVerified",
                   "user".name`,
      );
      return QueuedEmails.parse(rows)[0] ?? null;
    },

    /**
     * Makes the link of an e-mail valid. Only the token's hash is stored. Earlier links of the kind stay valid:
     * otherwise anybody could invalidate the owner's link by requesting another e-mail.
     */
    async activateLink(email: QueuedEmail, token: string, minutes: number): Promise<void> {
      await pool.query(
        'update letter set token_hash = $2, expires_at = now() + make_interval(mins => $3) where id = $1',
        [email.id, hashToken(token), minutes],
      );
    },

    /** Creates a valid link without an e-mail, for a user who has just followed another link. @returns its token */
    async issueLink(kind: LinkKind, userId: string): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await pool.query(
        `insert into letter (user_id, kind, sent_at, token_hash, expires_at)
         values ($1, $2, now(), $3, now() + make_interval(mins => $4))`,
        [userId, kind, hashToken(token), linkMinutes[kind]],
      );
      return token;
    },

    async markSent(id: string): Promise<void> {
      await pool.query('update letter set sent_at = now() where id = $1', [id]);
    },

    /** Makes an e-mail never due again. It still counts towards the quotas of {@link request}. */
    async giveUp(id: string): Promise<void> {
      await pool.query(`update letter set next_attempt_at = 'infinity', token_hash = null where id = $1`, [
        id,
      ]);
    },

    /** Finds the account of a valid link. @returns the user id */
    async findLinkOwner(kind: LinkKind, token: string): Promise<string | null> {
      const { rows } = await pool.query(
        `select user_id as "userId" from letter where token_hash = $1 and kind = $2 and expires_at > now()`,
        [hashToken(token), kind],
      );
      return Users.parse(rows)[0]?.userId ?? null;
    },

    /**
     * Consumes a link, and with it all others of its kind for the same account.
     * @returns the user id; null for a link that is not valid
     */
    async consumeLink(kind: LinkKind, token: string): Promise<string | null> {
      // Locks the account's row first: of two different links at once, the second finds its token consumed.
      const { rows } = await pool.query(
        `with owner as (
           select "user".id from letter join "user" on "user".id = user_id
            where token_hash = $1 and kind = $2 and expires_at > now() for no key update of "user")
         update letter set token_hash = null from owner
          where user_id = owner.id and kind = $2 and token_hash is not null
         returning user_id as "userId"`,
        [hashToken(token), kind],
      );
      return Users.parse(rows)[0]?.userId ?? null;
    },

    /** Deletes e-mails whose links have expired and which count towards no quota. */
    async deleteOld(): Promise<void> {
      await pool.query(`delete from letter where requested_at < now() - interval '7 days'`);
    },
  };
}
