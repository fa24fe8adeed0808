import * as z from 'zod/mini';
import { UserProfile } from '#contract/identity/schemas.ts';

/** The signed-in user. A new object for every change of the profile. */
export interface User extends Readonly<UserProfile> {
  /**
   * Returns an ID token that is valid for at least another 30 seconds.
   * @param forceRefresh requests a new token even if the present one is valid
   * @throws IdentityError; after `auth/user-disabled` and `auth/user-token-expired` the user is signed out
   */
  getIdToken(forceRefresh?: boolean): Promise<string>;
  /** Whether the session was signed in with a second factor. */
  usedSecondFactor(): boolean;
}

/** The stored sign-in, for other tabs and the next visit. Times are milliseconds of this device's clock. */
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
});
export type StoredSession = z.infer<typeof StoredSession>;

const Claims = z.object({
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  amr: z.optional(z.array(z.string())),
});

/** The unverified claims of an ID token, times in seconds; null for an invalid token. */
export function parseClaims(token: string): z.infer<typeof Claims> | null {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
    return Claims.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/**
 * Lifetime of an ID token in milliseconds; 0 for an invalid token. Both times come from the provider, so a
 * wrong clock of this device does not matter.
 */
export function readLifetime(idToken: string): number {
  const claims = parseClaims(idToken);
  return claims === null ? 0 : Math.max(0, claims.exp - claims.iat) * 1000;
}

/** Whether an ID token was issued for a sign-in with a second factor. */
export function hasSecondFactor(token: string): boolean {
  return parseClaims(token)?.amr?.includes('mfa') ?? false;
}
