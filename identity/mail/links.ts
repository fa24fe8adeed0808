import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';
import { type LinkKind, linkMinutes } from './templates.ts';

const Owners = z.array(z.object({ userId: z.string() }));

const hashToken = (token: string) => createHash('sha256').update(token).digest();

/** The single-use links in emails. Only the hashes of their tokens are stored. */
export type EmailLinks = ReturnType<typeof createEmailLinks>;

/** @param pool connections whose search_path is the schema `identity` */
export function createEmailLinks(pool: Pool) {
  return {
    /**
     * Creates a valid link. Earlier links of the kind stay valid: otherwise anybody could invalidate the owner's link
     * by requesting another email.
     * @returns its token
     */
    async issue(kind: LinkKind, userId: string): Promise<string> {
      const token = randomBytes(32).toString('base64url');
      await pool.query(
        `with gone as (delete from email_link where expires_at < now())
         insert into email_link (token_hash, user_id, kind, expires_at)
         values ($1, $2, $3, now() + make_interval(mins => $4))`,
        [hashToken(token), userId, kind, linkMinutes[kind]],
      );
      return token;
    },

    /** Finds the account of a valid link. @returns the user id */
    async findOwner(kind: LinkKind, token: string): Promise<string | null> {
      const { rows } = await pool.query(
        `select user_id as "userId" from email_link where token_hash = $1 and kind = $2 and expires_at > now()`,
        [hashToken(token), kind],
      );
      return Owners.parse(rows)[0]?.userId ?? null;
    },

    /**
     * Consumes a link, and with it all others of its kind for the same account.
     * @returns the user id; null for a link that is not valid
     */
    async consume(kind: LinkKind, token: string): Promise<string | null> {
      // Locks the account's row first: of two different links at once, the second finds its row deleted.
      const { rows } = await pool.query(
        `with owner as (
           select "user".id from email_link join "user" on "user".id = user_id
            where token_hash = $1 and kind = $2 and expires_at > now() for no key update of "user")
         delete from email_link using owner where user_id = owner.id and kind = $2
         returning user_id as "userId"`,
        [hashToken(token), kind],
      );
      return Owners.parse(rows)[0]?.userId ?? null;
    },
  };
}
