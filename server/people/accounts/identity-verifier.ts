import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { Email } from '#contract/platform/scalars.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { VerifiedIdentity } from '#server/platform/http/serve.ts';

/** Printable ASCII without spaces, as OpenID Connect providers issue it and PostgreSQL can store it. */
const SessionId = z
  .string()
  .check(
    z.minLength(1, { abort: true }),
    z.maxLength(300, { abort: true }),
    z.regex(/^[\x21-\x7e]+$/, { error: 'This is not a session id' }),
  );

/** An optional claim. A value of the wrong type counts as missing. */
const optionalClaim = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined);

const Claims = z.object({
  email: Email,
  email_verified: optionalClaim(z.boolean()),
  /** Of this project’s provider: see `VerifiedIdentity`. */
  email_reclaimed: optionalClaim(z.boolean()),
  name: optionalClaim(z.string()),
  exp: z.number(),
  iat: optionalClaim(z.number()),
  /** Authentication methods (RFC 8176). */
  amr: optionalClaim(z.array(z.string())),
  /** Time of authentication, in seconds since 1970 (OpenID Connect Core 2). */
  auth_time: optionalClaim(z.number()),
  /** Session id (OpenID Connect Back-Channel Logout 1.0, 2.1). */
  sid: z.optional(SessionId),
});

/** A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4): an ID token has a nonce or no such event. */
const LogoutClaims = z.object({
  sid: SessionId,
  /** Of this project’s provider: the session by which the same browser goes on. */
  replaced_by: optionalClaim(SessionId),
  nonce: z.optional(z.undefined()),
  events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
});

/** A session that has ended at the identity provider. */
export interface EndedSession {
  id: string;
  /** The session by which the same browser goes on; null for none. */
  replacedBy: string | null;
}

/** Verifies tokens of an identity provider. */
export type IdentityVerifier = ReturnType<typeof createIdentityVerifier>;

/** How far the provider's clock may be ahead. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** Drops times in the future: they would make a sign-in count as recent until then. */
const pastOrNull = (seconds: number | undefined): number | null =>
  seconds !== undefined && seconds <= Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS ? seconds : null;

const unavailable = () =>
  new Refusal('identity_unavailable', 'Sign-in cannot be checked right now. Please try again in a moment.');

/** Whether the keys could not be fetched, as opposed to an invalid token. */
const areKeysUnavailable = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  !(error instanceof errors.JOSEError) ||
  error.code === 'ERR_JOSE_GENERIC';

/**
 * Creates a verifier for an OpenID Connect provider whose email claim is unique per person. `email_verified` is stored
 * and not required: users may use the shop before they verify their address.
 * @param options.keysUrl URL of the key set, which is cached and fetched again for an unknown key
 */
export function createIdentityVerifier(options: { issuer: string; audience: string; keysUrl: URL }) {
  const keys = createRemoteJWKSet(options.keysUrl, { timeoutDuration: 5_000, cooldownDuration: 10_000 });

  /** @throws JOSEError, Refusal `identity_unavailable` */
  async function verify(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: options.issuer,
        audience: options.audience,
        // Asymmetric algorithms only: with a shared secret, anyone who knows it could issue tokens.
        algorithms: ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'],
        clockTolerance: 5,
      });
      return payload;
    } catch (error) {
      throw areKeysUnavailable(error) ? unavailable() : error;
    }
  }

  return {
    /** Verifies an ID token. @throws Refusal */
    verifyIdToken: async (token: string): Promise<VerifiedIdentity> => {
      const payload = await verify(token).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        if (error instanceof errors.JWTExpired) {
          throw new Refusal('token_expired', 'Your sign-in has expired. Please sign in again.');
        }
        throw new Refusal('not_signed_in', 'This sign-in cannot be verified. Please sign in again.');
      });
      const claims = z.safeParse(Claims, payload);
      if (!claims.success) {
        throw new Refusal(
          'not_allowed',
          'This sign-in cannot be used here: it has no email address, or its claims are not in the form of OpenID Connect.',
        );
      }
      const { email, email_verified, email_reclaimed, name, amr, exp, iat, auth_time, sid } = claims.data;
      return {
        email,
        emailVerified: email_verified ?? false,
        emailReclaimed: email_reclaimed ?? false,
        name: name ?? email,
        secondFactor: amr?.includes('mfa') ?? false,
        authenticatedAt: pastOrNull(auth_time),
        signedInAt: pastOrNull(auth_time) ?? pastOrNull(iat),
        issuedAt: pastOrNull(iat),
        expiresAt: exp,
        sessionId: sid ?? null,
      };
    },
    /**
     * Verifies a logout token.
     * @returns the ended session, or null for an invalid token
     * @throws Refusal `identity_unavailable`
     */
    verifyLogoutToken: async (logoutToken: string): Promise<EndedSession | null> => {
      const payload = await verify(logoutToken).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        return null;
      });
      const claims = z.safeParse(LogoutClaims, payload);
      return claims.success ? { id: claims.data.sid, replacedBy: claims.data.replaced_by ?? null } : null;
    },
  };
}
