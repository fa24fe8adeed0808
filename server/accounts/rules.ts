import type { SellerChecks } from '#contract/seller-checks.ts';
import type { Account } from '#emails/user-text.ts';

/** A user as the recipient of an email. */
export function toRecipient(user: { name: string; email: string; email_verified: boolean }): Account {
  return { name: user.name, email: user.email, emailVerified: user.email_verified };
}

/** The columns of what was checked of a seller. */
export interface SellerCheckColumns {
  verified_at: Date | null;
  address_checked_at: Date | null;
  identity_checked_at: Date | null;
  phone_confirmed_at: Date | null;
}

/** What was checked of a seller. */
export const sellerChecks = (row: SellerCheckColumns): SellerChecks => ({
  verifiedAt: row.verified_at?.toISOString() ?? null,
  address: row.address_checked_at?.toISOString() ?? null,
  identity: row.identity_checked_at?.toISOString() ?? null,
  phone: row.phone_confirmed_at?.toISOString() ?? null,
});

const ANONYMOUS_DOMAIN = 'ended.invalid';

/** The address of an anonymized account: unique and undeliverable. */
export const anonymizedEmail = (userId: string): string => `${userId}@${ANONYMOUS_DOMAIN}`;

/** Whether an address belongs to an anonymized account. */
export const isAnonymizedEmail = (email: string): boolean => email.endsWith(`@${ANONYMOUS_DOMAIN}`);
