import type { FastifyRequest } from 'fastify';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import type { Role } from '#contract/scalars.ts';
import { Refusal } from './refusal.ts';

/** Who makes a call, from the token alone. */
export interface Caller {
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** Whether what the role permits waits for a sign-in with a second factor. */
  secondFactorDue: boolean;
  /** When the caller last showed who they are, in seconds since 1970; null when nobody vouches for that. */
  authenticatedAt: number | null;
}

/** An identity that the identity provider vouches for, before the shop knows a user by it. */
export interface VerifiedIdentity {
  email: string;
  /** Whether the person has proven to receive mail at `email`; false where the provider does not say. */
  emailVerified: boolean;
  name: string;
  /** Whether more than one factor was shown at sign-in. */
  secondFactor: boolean;
  /** When the person last showed who they are, in seconds since 1970; null when the provider does not say. */
  authenticatedAt: number | null;
  /**
   * When the sign-in began, in seconds since 1970: as above, or when the token was issued where the provider does not
   * say; null when it says neither.
   */
  signedInAt: number | null;
  /** Until when the provider vouches, in seconds since 1970. */
  expiresAt: number;
  /** The provider's name for this sign-in, by which it says that it has ended; null when it gives none. */
  sessionId: string | null;
}

/** How the guard learns who is calling; both throw a Refusal when the token is no good. */
export interface Authentication {
  /** @param token of this shop */
  caller(token: string): Promise<Caller>;
  /** @param token an ID token of the identity provider */
  identity(token: string): Promise<VerifiedIdentity>;
}

/** What a route gets to know of its caller, by the `access` that its contract states. */
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

/** Demands what is asked of this caller's role before it counts. @throws Refusal `second_factor_required` */
export function requireSecondFactor(caller: Caller): void {
  if (!caller.secondFactorDue) return;
  throw new Refusal(
    'second_factor_required',
    'This needs a sign-in with a second factor. Please set one up on your account page, or sign in with it.',
  );
}

/** For so many minutes after signing in, or after the password once more, a caller counts as having just come. */
const FRESH_MINUTES = 10;

/** Demands that the caller has just shown who they are. @throws Refusal `reauthentication_required` */
function requireRecentAuthentication({ authenticatedAt }: Caller): void {
  if (authenticatedAt !== null && Date.now() / 1000 - authenticatedAt < FRESH_MINUTES * 60) return;
  throw new Refusal(
    'reauthentication_required',
    'For this, please show once more that it is you: sign in again, and do it within ten minutes.',
  );
}

/**
 * The caller of a call that is public: a token that does not hold, for whatever reason, makes a visitor, because without
 * one the call would be answered. @throws whatever keeps a token from being checked
 */
async function callerOrVisitor(token: string, authentication: Authentication): Promise<Caller | null> {
  try {
    return await authentication.caller(token);
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null;
    throw error;
  }
}

/** Who may make this call: the one place where `access` of the contract is enforced. */
export function admit<A extends Access>(
  { access, fresh }: Pick<Endpoint<A>, 'access' | 'fresh'>,
  request: FastifyRequest,
  authentication: Authentication,
): Promise<CallerOf<A>>;
export async function admit(
  { access, fresh }: Pick<Endpoint, 'access' | 'fresh'>,
  request: FastifyRequest,
  authentication: Authentication,
): Promise<Caller | VerifiedIdentity | null> {
  const token = bearer(request);
  if (access === 'public') return token === null ? null : callerOrVisitor(token, authentication);
  if (token === null)
    throw new Refusal('not_signed_in', 'This needs you to be signed in. Please sign in and try again.');
  if (access === 'identity') return authentication.identity(token);
  const caller = await authentication.caller(token);
  if (access !== 'signed-in' && !access.includes(caller.role)) {
    throw new Refusal(
      'not_allowed',
      `This is for ${access.map((role) => `${role.toLowerCase()}s`).join(' and ')} only.`,
    );
  }
  if (access !== 'signed-in') requireSecondFactor(caller);
  if (fresh === true) requireRecentAuthentication(caller);
  return caller;
}

/** What names the account behind a call. */
export function accountOf(caller: Caller | VerifiedIdentity | null): string | null {
  if (caller === null) return null;
  return 'userId' in caller ? caller.userId : caller.email;
}
