import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { type LetterKind, letterKinds } from './letters.ts';

const Waiting = z.array(
  z.object({
    id: z.string(),
    userId: z.string(),
    kind: z.enum(letterKinds),
    email: z.string(),
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
     * Orders a letter to the account of an e-mail address: at most one of a kind a minute, five an hour. Takes the
     * same way, and as long, whether there is such an account or not.
     * @returns whether it was ordered
     */
    async order(kind: LetterKind, email: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        `insert into letter (user_id, kind)
         select id, $1 from "user" where email = $2 and "disabledAt" is null
            and not exists (select from letter where user_id = "user".id and kind = $1
                               and requested_at > now() - interval '1 minute')
            and (select count(*) from letter where user_id = "user".id and kind = $1
                    and requested_at > now() - interval '1 hour') < 5`,
        [kind, email],
      );
      return rowCount === 1;
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
         returning letter.id, letter.user_id as "userId", letter.kind, "user".email, "user".name`,
      );
      return Waiting.parse(rows)[0] ?? null;
    },

    /** Makes a link work for so many minutes, and every earlier one of its kind stop. Only the token's hash is kept. */
    async activate(letter: WaitingLetter, token: string, minutes: number): Promise<void> {
      await pool.query(
        `update letter set token_hash = case when id = $1 then $2::bytea end,
                expires_at = case when id = $1 then now() + make_interval(mins => $3) end
          where user_id = $4 and kind = $5 and (id = $1 or token_hash is not null)`,
        [letter.id, hashOf(token), minutes, letter.userId, letter.kind],
      );
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
    async ownerOf(kind: LetterKind, token: string): Promise<string | null> {
      const { rows } = await pool.query(
        `select user_id as "userId" from letter where token_hash = $1 and kind = $2 and expires_at > now()`,
        [hashOf(token), kind],
      );
      return Users.parse(rows)[0]?.userId ?? null;
    },

    /** Uses up the link of a letter. @returns whose it was, or null for one that never worked or no longer does */
    async use(kind: LetterKind, token: string): Promise<string | null> {
      const { rows } = await pool.query(
        `update letter set token_hash = null where token_hash = $1 and kind = $2 and expires_at > now()
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
