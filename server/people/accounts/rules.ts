import type { RecordedDocument, SellerBadge, SellerChecks } from '#contract/people/seller-checks.ts';
import { Role } from '#contract/platform/scalars.ts';
import type { SecondFactorGroup } from '#contract/platform/shop-settings.ts';
import type { StaffArea, StaffRights } from '#contract/platform/staff-rights.ts';
import type { Account } from '#emails/user-text.ts';
import type { UserRow } from '#server/platform/database/tables.ts';

/** The columns of a user's roles. */
export type RoleColumns = Pick<UserRow, 'is_buyer' | 'is_seller' | 'is_admin'>;

/** The column of each role. */
export const roleColumns = {
  Buyer: 'is_buyer',
  Seller: 'is_seller',
  Admin: 'is_admin',
} as const satisfies Record<Role, keyof RoleColumns>;

/** The roles of a user. */
export const rolesOf = (user: RoleColumns): Role[] => Role.options.filter((role) => user[roleColumns[role]]);

/** The rights of a user as columns. */
export interface RightColumns {
  is_owner: boolean;
  areas: readonly StaffArea[];
}

export const rightsOf = ({ is_owner, areas }: RightColumns): StaffRights => ({ isOwner: is_owner, areas });

/** What an ID token says of its email address, and when it was issued. */
export type VerifiedColumns = Pick<UserRow, 'email_verified' | 'email_verified_as_of'>;

/** @param identity.issuedAt in seconds since 1970 */
export const verifiedColumns = (identity: {
  emailVerified: boolean;
  issuedAt: number | null;
}): VerifiedColumns => ({
  email_verified: identity.emailVerified,
  email_verified_as_of: identity.issuedAt === null ? null : new Date(identity.issuedAt * 1000),
});

/** A user as the recipient of an email. */
export function toRecipient(user: Pick<UserRow, 'name' | 'email' | 'email_verified'>): Account {
  return { name: user.name, email: user.email, emailVerified: user.email_verified };
}

/** Whether a user belongs to one of the groups that must sign in with a second factor. */
export const needsSecondFactor = (
  user: RoleColumns & Pick<RightColumns, 'is_owner'>,
  groups: readonly SecondFactorGroup[],
): boolean =>
  groups.some((group) =>
    group === 'sellers' ? user.is_seller : user.is_admin && user.is_owner === (group === 'owners'),
  );

/** The columns of what was checked of a seller. */
export type SellerCheckColumns = Pick<
  UserRow,
  'verified_at' | 'address_checked_at' | 'identity_checked_at' | 'phone_confirmed_at'
>;

/** What was checked of a seller. */
export const sellerChecks = (row: SellerCheckColumns): SellerChecks => ({
  verifiedAt: row.verified_at?.toISOString() ?? null,
  address: row.address_checked_at?.toISOString() ?? null,
  identity: row.identity_checked_at?.toISOString() ?? null,
  phone: row.phone_confirmed_at?.toISOString() ?? null,
});

const recordedDocument = (
  kind: RecordedDocument['kind'] | null,
  seen: RecordedDocument['seen'] | null,
): RecordedDocument | null => (kind === null || seen === null ? null : { kind, seen });

/** What was recorded of the documents that an admin has seen of a seller. */
export const recordedDocuments = (
  user: Pick<UserRow, 'address_document' | 'address_seen' | 'identity_document' | 'identity_seen'>,
) => ({
  address: recordedDocument(user.address_document, user.address_seen),
  identity: recordedDocument(user.identity_document, user.identity_seen),
});

/**
 * Whether the shop tells buyers something about this person under the present name, so that another one waits for an admin.
 */
export const isNameChecked = (
  user: Pick<UserRow, 'is_seller' | 'verified' | 'address_checked_at' | 'identity_checked_at'>,
): boolean =>
  user.is_seller && (user.verified || user.address_checked_at !== null || user.identity_checked_at !== null);

/** The columns of each badge of a seller, without it. */
export const withoutBadge = {
  verified: { verified: false, verified_at: null },
  address: { address_checked_at: null, address_document: null, address_seen: null },
  identity: { identity_checked_at: null, identity_document: null, identity_seen: null },
} as const satisfies Record<SellerBadge, Partial<UserRow>>;

/** The columns of a user without any badge. */
export const withoutBadges = { ...withoutBadge.verified, ...withoutBadge.address, ...withoutBadge.identity };

const ANONYMOUS_DOMAIN = 'ended.invalid';

/** The address of an anonymized account: unique and undeliverable. */
export const anonymizedEmail = (userId: string): string => `${userId}@${ANONYMOUS_DOMAIN}`;

/** Whether an address belongs to an anonymized account. */
export const isAnonymizedEmail = (email: string): boolean => email.endsWith(`@${ANONYMOUS_DOMAIN}`);
