import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Access, Endpoint } from '#contract/platform/endpoint.ts';
import type { Role } from '#contract/platform/scalars.ts';
import { areaNames, hasRight, type StaffRight, type StaffRights } from '#contract/platform/staff-rights.ts';
import { Refusal } from './refusal.ts';

/** The signed-in user of a call. */
export interface Caller extends StaffRights {
  userId: string;
  email: string;
  name: string;
  /** At least one. An admin has no other. */
  roles: readonly Role[];
  /** Whether what the roles permit requires a sign-in with a second factor first. */
  secondFactorDue: boolean;
  /** Time of the last authentication, in seconds since 1970; null when unknown. */
  authenticatedAt: number | null;
  /** The identity provider's session id; null without one. */
  sessionId: string | null;
  /** Expiry of the token, in seconds since 1970. */
  expiresAt: number;
}

/** The verified claims of an ID token. */
export interface VerifiedIdentity {
  email: string;
  /** Whether the email address is verified; false when the provider does not say. */
  emailVerified: boolean;
  /** Whether the owner of the address removed the sign-in methods of whoever had registered it. */
  emailReclaimed: boolean;
  name: string;
  /** Whether the sign-in used a second factor. */
  secondFactor: boolean;
  /** Time of the last authentication, in seconds since 1970; null when the provider does not say. */
  authenticatedAt: number | null;
  /**
   * Start of the session, in seconds since 1970: `auth_time`, else the token's time of issue; null without both.
   */
  signedInAt: number | null;
  /** The token's time of issue, in seconds since 1970; null when the provider does not say. */
  issuedAt: number | null;
  /** Expiry of the ID token, in seconds since 1970. */
  expiresAt: number;
  /** The provider's session id, which back-channel logout names; null without one. */
  sessionId: string | null;
}

/** Resolves bearer tokens. Both functions throw a Refusal for an invalid token. */
export interface Authentication {
  /** @param token of this shop */
  caller(token: string): Promise<Caller>;
  /** @param token an ID token of the identity provider */
  identity(token: string): Promise<VerifiedIdentity>;
}

/** The type of a call's caller, by the `access` of its contract. */
export type CallerOf<A extends Access> = A extends 'public'
  ? Caller | null
  : A extends 'identity'
    ? VerifiedIdentity
    : Caller;

/** The bearer token that a request carries, or null. */
export function bearer(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** Compares secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Requires that the `email` query parameter of a personal list, if present, is the caller's own. The token alone decides
 * whose list is returned.
 * @throws Refusal `not_allowed`
 */
export function requireOwnEmail(caller: Caller, email: string | undefined): void {
  if (email !== undefined && email !== caller.email) {
    throw new Refusal('not_allowed', 'This list belongs to another account.');
  }
}

/** Requires a second factor of roles that need one. @throws Refusal `second_factor_required` */
export function requireSecondFactor(caller: Pick<Caller, 'secondFactorDue'>): void {
  if (!caller.secondFactorDue) return;
  throw new Refusal(
    'second_factor_required',
    'This needs a sign-in with a second factor. Please set one up on your account page, or sign in with it.',
  );
}

/** Says which right is missing and who gives it. */
function missingRight(required: readonly StaffRight[]): Refusal {
  const areas = required.flatMap((right) => (right === 'owner' ? [] : `“${areaNames[right]}”`));
  return new Refusal(
    'not_allowed',
    areas.length === 0
      ? 'Only an owner of the shop can do this. Nothing was changed. An owner can make you one, on the page Staff.'
      : `This needs the right ${areas.join(' or ')}, which your account does not have. Nothing was changed. An owner of the shop can give it to you, on the page Staff.`,
  );
}

/**
 * Refuses an admin who decides about a sale or money of their own: one can have bought or sold before.
 * @param people the ids of those whose money it is @throws Refusal
 */
export function requireUninvolved({ userId }: Pick<Caller, 'userId'>, ...people: readonly string[]): void {
  if (!people.includes(userId)) return;
  throw new Refusal(
    'not_allowed',
    'This is an order of your own, or money of your own, so another admin decides about it. Nothing was changed.',
  );
}

/**
 * Requires one of these rights of a caller who is an admin; without rights to choose from, any admin will do. Each call that grants
 * admins more than its `access` says asks here. @returns false for others than admins
 * @throws Refusal `second_factor_required` for an admin who has to sign in with a second factor first, `not_allowed` for one without
 *   the right
 */
export function requireRightIfAdmin(
  caller: Pick<Caller, 'roles' | 'secondFactorDue' | keyof StaffRights>,
  ...rights: readonly StaffRight[]
): boolean {
  if (!caller.roles.includes('Admin')) return false;
  requireSecondFactor(caller);
  if (rights.length > 0 && !hasRight(caller, rights)) throw missingRight(rights);
  return true;
}

/** How long an authentication counts as recent, in minutes. */
const RECENT_AUTHENTICATION_MINUTES = 10;

/** Requires a recent authentication. @throws Refusal `reauthentication_required` */
export function requireRecentAuthentication({ authenticatedAt }: Pick<Caller, 'authenticatedAt'>): void {
  if (authenticatedAt !== null && Date.now() / 1000 - authenticatedAt < RECENT_AUTHENTICATION_MINUTES * 60)
    return;
  throw new Refusal(
    'reauthentication_required',
    'For this, please show once more that it is you: sign in again, and do it within ten minutes.',
  );
}

/**
 * The caller of a public call. An invalid token counts as none, because the call would succeed without one.
 * @throws when the token cannot be checked
 */
async function callerOrVisitor(token: string, authentication: Authentication): Promise<Caller | null> {
  try {
    return await authentication.caller(token);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null;
    throw error;
  }
}

type Guarded<A extends Access> = Pick<
  Endpoint<A>,
  'access' | 'rights' | 'needsRecentAuthentication' | 'needsSecondFactor'
>;

/** The token of a request that needs one. @throws Refusal */
function requireToken(request: FastifyRequest): string {
  const token = bearer(request);
  if (token !== null) return token;
  throw new Refusal('not_signed_in', 'This needs you to be signed in. Please sign in and try again.');
}

/** @throws Refusal */
function requireAccess(
  {
    access,
    rights = ['owner'],
    needsRecentAuthentication,
    needsSecondFactor,
  }: Guarded<'signed-in' | readonly Role[]>,
  caller: Caller,
): void {
  if (access !== 'signed-in' && !access.some((role) => caller.roles.includes(role))) {
    throw new Refusal(
      'not_allowed',
      `This is for ${access.map((role) => `${role.toLowerCase()}s`).join(' and ')} only.`,
    );
  }
  if (access !== 'signed-in' || needsSecondFactor === true) requireSecondFactor(caller);
  if (access !== 'signed-in' && caller.roles.includes('Admin')) requireRightIfAdmin(caller, ...rights);
  if (needsRecentAuthentication === true) requireRecentAuthentication(caller);
}

/** Enforces `access` of the contract. @returns the caller @throws Refusal */
export function authorize<A extends Access>(
  endpoint: Guarded<A>,
  request: FastifyRequest,
  authentication: Authentication,
): Promise<CallerOf<A>>;
export async function authorize(
  endpoint: Guarded<Access>,
  request: FastifyRequest,
  authentication: Authentication,
): Promise<Caller | VerifiedIdentity | null> {
  const { access } = endpoint;
  if (access === 'public') {
    const token = bearer(request);
    return token === null ? null : callerOrVisitor(token, authentication);
  }
  const token = requireToken(request);
  if (access === 'identity') return authentication.identity(token);
  const caller = await authentication.caller(token);
  requireAccess({ ...endpoint, access }, caller);
  return caller;
}

/** The account's id, or the email address before registration. */
export function accountOf(caller: Caller | VerifiedIdentity | null): string | null {
  if (caller === null) return null;
  return 'userId' in caller ? caller.userId : caller.email;
}
