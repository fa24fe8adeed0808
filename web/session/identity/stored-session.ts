import { decodeJwt } from 'jose/jwt/decode';
import * as z from 'zod/mini';
import { UserProfile } from '#contract/identity/schemas.ts';

/** An ID token counts as expired this many milliseconds before its end. */
export const EXPIRY_MARGIN = 30_000;

/** Age in milliseconds from which a restored ID token is checked with the provider. */
const CHECK_AGE = 5 * 60_000;

/** The sign-in, as it is stored for other tabs and the next visit. Times are milliseconds of this device's clock. */
export const StoredSession = z.object({
  version: z.literal(1),
  sessionToken: z.string(),
  signedInAt: z.number(),
  idToken: z.string(),
  /** End of the ID token. */
  expiresAt: z.number(),
  /** Milliseconds from issue to end of the ID token. */
  lifetime: z.number(),
  profile: UserProfile,
  /** The shop's token; null until an ID token of the session has been exchanged for one. */
  shopToken: z.nullable(z.string()),
  /** Whether the shop's token was issued for this ID token, and not for an earlier one. */
  isExchanged: z.boolean(),
});
export type StoredSession = z.infer<typeof StoredSession>;

/**
 * Whether the ID token can still be used. One with more time left than its whole lifetime cannot: this device's clock
 * has been set back.
 */
export function isUsable({ expiresAt, lifetime }: StoredSession): boolean {
  const left = expiresAt - Date.now();
  return left > EXPIRY_MARGIN && left <= lifetime;
}

/** Whether a restored ID token cannot be used, or is old enough to check whether the session is still valid. */
export function needsCheck(session: StoredSession): boolean {
  return !isUsable(session) || Date.now() - (session.expiresAt - session.lifetime) > CHECK_AGE;
}

const Claims = z.object({ iat: z.number(), exp: z.number(), amr: z.optional(z.array(z.string())) });

/** The unverified claims of an ID token, times in seconds; null for an invalid token. */
function parseClaims(idToken: string): z.infer<typeof Claims> | null {
  try {
    return Claims.parse(decodeJwt(idToken));
  } catch {
    return null;
  }
}

/**
 * Lifetime of an ID token in milliseconds; 0 for an invalid token. Both times come from the provider, so a wrong clock
 * of this device does not matter.
 */
export function readLifetime(idToken: string): number {
  const { exp = 0, iat = 0 } = parseClaims(idToken) ?? {};
  return (exp - iat) * 1000;
}

/** Whether an ID token was issued for a sign-in with a second factor. */
export const hasSecondFactor = (idToken: string): boolean =>
  parseClaims(idToken)?.amr?.includes('mfa') ?? false;
