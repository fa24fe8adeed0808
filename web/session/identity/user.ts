import * as z from 'zod/mini';
import { UserProfile } from '#contract/identity.ts';

/** The signed-in user as pages hold it; a new object whenever anything in it changes. */
export interface User extends Readonly<UserProfile> {
  /**
   * An ID token that is good for at least another 30 seconds.
   * @param forceRefresh asks the provider for a new one even if the present one is still good
   * @throws IdentityError; with `auth/user-disabled` or `auth/user-token-expired` the user is signed out
   */
  getIdToken(forceRefresh?: boolean): Promise<string>;
  /** Whether the present sign-in showed a second factor. */
  showedSecondFactor(): boolean;
}

/** What a tab keeps of a sign-in, and what other tabs and the next visit find. */
export const StoredSession = z.object({
  version: z.literal(1),
  sessionToken: z.string(),
  /** When the person signed in, in milliseconds of this device's clock. */
  signedInAt: z.number(),
  idToken: z.string(),
  /** When the ID token ends, in milliseconds of this device's clock. */
  expiresAt: z.number(),
  /** How long the ID token was made to last, in milliseconds. */
  lifetime: z.number(),
  profile: UserProfile,
});
export type StoredSession = z.infer<typeof StoredSession>;

const Claims = z.object({ iat: z.number(), exp: z.number(), amr: z.optional(z.array(z.string())) });

/** What a token says of itself; null for what is no token. Only who has the key knows whether it is true. */
function claimsOf(token: string): z.infer<typeof Claims> | null {
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
 * How long an ID token lasts, in milliseconds, read from the token itself: the difference of two times by the
 * provider's clock, so that a device whose clock is wrong counts right all the same. 0 for what is no token.
 */
export function lifetimeOf(idToken: string): number {
  const claims = claimsOf(idToken);
  return claims === null ? 0 : Math.max(0, claims.exp - claims.iat) * 1000;
}

/** Whether a token was given for a sign-in with a second factor. */
export function saysSecondFactor(token: string): boolean {
  return claimsOf(token)?.amr?.includes('mfa') ?? false;
}
