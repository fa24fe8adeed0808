import type { Pool } from 'pg';
import * as z from 'zod/mini';

const SignInProviders = z.array(z.object({ providerId: z.string(), accountId: z.string() }));
const ErasedUsers = z.array(z.object({ id: z.string() }));
const Passwords = z.array(z.object({ password: z.nullable(z.string()) }));
const Users = z.array(
  z.object({
    id: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    name: z.string(),
    disabled: z.boolean(),
  }),
);

/** Queries on better-auth's tables of accounts that its own API does not offer. */
export type AccountStore = ReturnType<typeof createAccountStore>;

/** @param pool connections whose search_path is the schema `identity` */
export function createAccountStore(pool: Pool) {
  return {
    /** Lists the sign-in providers of a user: `credential` (a password) and `google`. */
    async listSignInProviders(userId: string): Promise<z.infer<typeof SignInProviders>> {
      const { rows } = await pool.query(
        'select "providerId", "accountId" from account where "userId" = $1 order by "createdAt", id',
        [userId],
      );
      return SignInProviders.parse(rows);
    },

    /** Disables the account of an email address. @returns whether it exists */
    async disable(email: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update "user" set "disabledAt" = coalesce("disabledAt", now()) where email = $1',
        [email],
      );
      return rowCount === 1;
    },

    /**
     * Deletes the account of an email address.
     * @param madeBefore ISO 8601; an account created at this time or later is kept
     * @returns the id of the deleted account; null when there was none
     */
    async erase(email: string, madeBefore?: string): Promise<string | null> {
      // Foreign keys cascade to its sessions, sign-in methods, second factors and links in emails.
      const { rows } = await pool.query(
        `delete from "user" where email = $1 and "createdAt" < coalesce($2::timestamptz, 'infinity')
         returning id`,
        [email, madeBefore ?? null],
      );
      return ErasedUsers.parse(rows)[0]?.id ?? null;
    },

    /** Finds the password hash of a user, by id or by email address in any case. @returns null without a password */
    async findPasswordHash(user: { id: string } | { email: string }): Promise<string | null> {
      const { rows } = await pool.query(
        `select password from account join "user" on "user".id = "userId"
          where "providerId" = 'credential' and ${'id' in user ? '"user".id' : 'email'} = $1`,
        ['id' in user ? user.id : user.email.toLowerCase()],
      );
      return Passwords.parse(rows)[0]?.password ?? null;
    },

    /** Finds a user, by id or by email address in lower case. */
    async findUser(user: { id: string } | { email: string }): Promise<z.infer<typeof Users>[number] | null> {
      const { rows } = await pool.query(
        `select id, email, "emailVerified", name, "disabledAt" is not null as disabled from "user" where ${'id' in user ? 'id' : 'email'} = $1`,
        ['id' in user ? user.id : user.email],
      );
      return Users.parse(rows)[0] ?? null;
    },
  };
}
