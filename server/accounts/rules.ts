import type { Account } from '#emails/user-text.ts';

/** A user as letters know one. */
export function toRecipient(user: { name: string; email: string; email_verified: boolean }): Account {
  return { name: user.name, email: user.email, emailVerified: user.email_verified };
}

const NOBODY = 'ended.invalid';

/** The address in the row of whose owner has ended the account: unique as before, and nobody's. */
export const anonymizedEmail = (userId: string): string => `${userId}@${NOBODY}`;

/** Whether an address stands for an account that its owner has ended. */
export const isAnonymizedEmail = (email: string): boolean => email.endsWith(`@${NOBODY}`);
