import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { inTransaction } from '../database/transaction.ts';
import { type LetterKind, type LinkKind, letterKinds, linkMinutes } from './templates.ts';

const Waiting = z.array(
  z.object({
    id: z.string(),
    userId: z.string(),
    kind: z.enum(letterKinds),
    email: z.string(),
    emailVerified: z.boolean(),
    name: z.string(),
  }),
);
export type WaitingLetter = z.infer<typeof Waiting>[number];

const Users = z.array(z.object({ userId: z.string() }));

/** A letter that could not be sent for so long has lost its point. */
const GIVEN_UP_AFTER = '1 day';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** The letters that wait to be sent, and the links in those that were. */
export type LetterStore = ReturnType<typeof createLetterStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createLetterStore(pool: Pool) {
  return {
    /**
     * Orders a letter to the account of an e-mail address. Of each kind at most one a minute and five an hour for
     * clients that the account knows; the same again for all others together, and of those two an hour for one
     * network. Takes the same steps whether there is such an account or not.
     * @param network hash of the network that asks; null when the account knows the client
     * @returns whether it was ordered
     */
    async order(kind: LetterKind, email: string, network: Buffer | null): Promise<boolean> {
      return inTransaction(pool, async (client) => {
        // Requests at the same moment are counted one after the other.
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

    /** Orders a letter about something that has happened, however many there were. */
    async note(kind: LetterKind, userId: string): Promise<void> {
      await pool.query('insert into letter (user_id, kind) values ($1, $2)', [userId, kind]);
    },

    /**
     * Takes the letter that has waited longest, so that no other process does; it waits again, each time twice as
     * long, unless {@link sent} follows.
     */
    async take(): Promise<WaitingLetter | null> {
      const { rows } = await pool.query(
        `update letter set attempts = attempts + 1,
                next_attempt_at = now() + least(interval '15 seconds' * power(2, attempts), interval '15 minutes')
           from "user"
          where "user".id = letter.user_id and letter.id = (
            select id from letter where sent_at is null and next_attempt_at <= now()
               and requested_at > now() - interval '${GIVEN_UP_AFTER}'
             order by next_attempt_at limit 1 for update skip locked)
         returning letter.id, letter.user_id as "userId", letter.kind, "user".email, "user"."emailVerified",
                   "user".name`,
      );
      return Waiting.parse(rows)[0] ?? null;
    },

    /**
     * Makes a link work for so many minutes. Only the token's hash is kept. Earlier links of the kind go on working:
     * otherwise anybody who asks for letters in somebody's name would make the owner's link stop.
     */
    async activate(letter: WaitingLetter, token: string, minutes: number): Promise<void> {
      await pool.query(
        'update letter set token_hash = $2, expires_at = now() + make_interval(mins => $3) where id = $1',
        [letter.id, hashOf(token), minutes],
      );
    },

    /** Makes a link that works as one in a letter would, for somebody who has just followed another. @returns its token */
    async issue(kind: LinkKind, userId: string): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await pool.query(
        `insert into letter (user_id, kind, sent_at, token_hash, expires_at)
         values ($1, $2, now(), $3, now() + make_interval(mins => $4))`,
        [userId, kind, hashOf(token), linkMinutes[kind]],
      );
      return token;
    },

    async sent(id: string): Promise<void> {
      await pool.query('update letter set sent_at = now() where id = $1', [id]);
    },

    /** Tries a letter no more. It goes on counting among those that its person has asked for. */
    async giveUp(id: string): Promise<void> {
      await pool.query(`update letter set next_attempt_at = 'infinity', token_hash = null where id = $1`, [
        id,
      ]);
    },

    /** Whose letter a link is of that still works. */
    async ownerOf(kind: LinkKind, token: string): Promise<string | null> {
      const { rows } = await pool.query(
        `select user_id as "userId" from letter where token_hash = $1 and kind = $2 and expires_at > now()`,
        [hashOf(token), kind],
      );
      return Users.parse(rows)[0]?.userId ?? null;
    },

    /**
     * Uses up the link of a letter, and with it all others of its kind for the same account.
     * @returns whose it was, or null for one that never worked or no longer does
     */
    async use(kind: LinkKind, token: string): Promise<string | null> {
      // The account's row is locked first: of two different links at once the second finds its own used up.
      const { rows } = await pool.query(
        `with owner as (
           select "user".id from letter join "user" on "user".id = user_id
            where token_hash = $1 and kind = $2 and expires_at > now() for no key update of "user")
         update letter set token_hash = null from owner
          where user_id = owner.id and kind = $2 and token_hash is not null
         returning user_id as "userId"`,
        [hashOf(token), kind],
      );
      return Users.parse(rows)[0]?.userId ?? null;
    },

    /** Drops what has been sent or given up, once it no longer counts for anything. */
    async tidy(): Promise<void> {
      await pool.query(`delete from letter where requested_at < now() - interval '7 days'`);
    },
  };
}
