import type { Account } from '#emails/user-text.ts';

/** A user as the recipient of an email. */
export function toRecipient(user: { name: string; email: string; email_verified: boolean }): Account {
  return { name: user.name, email: user.email, emailVerified: user.email_verified };
}

const ANONYMOUS_DOMAIN = 'ended.invalid';

/** The address of an anonymized account: unique and undeliverable. */
export const anonymizedEmail = (userId: string): string => `${userId}@${ANONYMOUS_DOMAIN}`;

/** Whether an address belongs to an anonymized account. */
export const isAnonymizedEmail = (email: string): boolean => email.endsWith(`@${ANONYMOUS_DOMAIN}`);
