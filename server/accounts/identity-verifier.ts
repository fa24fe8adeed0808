import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { Email } from '#contract/scalars.ts';
import { Refusal } from '../http/refusal.ts';
import type { VerifiedIdentity } from '../http/serve.ts';

/** Printable ASCII without spaces, as providers make it, and as PostgreSQL can keep it. */
const SessionId = z
  .string()
  .check(
    z.minLength(1, { abort: true }),
    z.maxLength(300, { abort: true }),
    z.regex(/^[\x21-\x7e]+$/, { error: 'This is not the name of a session' }),
  );

/** A claim that the shop can do without: of another type than the standard's, it counts as missing. */
const spare = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

const Claims = z.object({
  email: Email,
  email_verified: spare(z.boolean()),
  name: spare(z.string()),
  exp: z.number(),
  iat: spare(z.number()),
  /** How the person has signed in, in the words of RFC 8176. */
  amr: spare(z.array(z.string())),
  /** When the person last showed who they are, in seconds since 1970 (OpenID Connect Core 2). */
  auth_time: spare(z.number()),
  /** The sign-in's name at the provider (OpenID Connect Back-Channel Logout 1.0, 2.1). */
  sid: z.optional(SessionId),
});

/** A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4): an ID token has a nonce or no such event. */
const LogoutClaims = z.object({
  sid: SessionId,
  nonce: z.optional(z.undefined()),
  events: z.object({ 'http://schemas.openid.net/event/backchannel-logout': z.looseObject({}) }),
});

/** The identity provider as the server knows it: an issuer and its published keys. */
export interface IdentityVerifier {
  /** Whom an ID token proves. @throws Refusal when it proves nothing */
  proof(token: string): Promise<VerifiedIdentity>;
  /**
   * Which sign-in a logout token says has ended.
   * @returns null when the token is not the provider's word for that
   * @throws Refusal `identity_unavailable`
   */
  endedSession(logoutToken: string): Promise<string | null>;
}

/** Seconds by which the provider's clock may be ahead. */
const CLOCK_TOLERANCE = 60;

/** A moment in the future would make a sign-in count as recent for ever: nobody has said when it was then. */
const pastOrNull = (seconds: number | undefined): number | null =>
  seconds !== undefined && seconds <= Date.now() / 1000 + CLOCK_TOLERANCE ? seconds : null;

const unavailable = () =>
  new Refusal('identity_unavailable', 'Sign-in cannot be checked right now. Please try again in a moment.');

/** Whether it is the keys that could not be had, and not the token that is wrong. */
const areKeysUnavailable = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  !(error instanceof errors.JOSEError) ||
  error.code === 'ERR_JOSE_GENERIC';

/**
 * Checks what an identity provider has signed. Any provider can stand there whose e-mail claim names one person only;
 * people may use the shop before they have proven their address, so `email_verified` is noted and not demanded.
 * @param options.keysUrl where the key set is fetched from; kept, and fetched anew when a token names an unknown key
 */
export function createIdentityVerifier(options: {
  issuer: string;
  audience: string;
  keysUrl: URL;
}): IdentityVerifier {
  const keys = createRemoteJWKSet(options.keysUrl, { timeoutDuration: 5_000, cooldownDuration: 10_000 });

  /** @throws JOSEError, Refusal `identity_unavailable` */
  async function read(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: options.issuer,
        audience: options.audience,
        // Only signatures by published keys: a shared secret would let whoever knows it speak for the provider.
        algorithms: ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'],
        clockTolerance: 5,
      });
      return payload;
    } catch (error) {
      throw areKeysUnavailable(error) ? unavailable() : error;
    }
  }

  return {
    proof: async (token) => {
      const payload = await read(token).catch((error: unknown) => {
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
          'This sign-in cannot be used here: it names no e-mail address, or not as OpenID Connect has it.',
        );
      }
      const { email, email_verified, name, amr, exp, iat, auth_time, sid } = claims.data;
      return {
        email,
        emailVerified: email_verified ?? false,
        name: name ?? email,
        secondFactor: amr?.includes('mfa') ?? false,
        authenticatedAt: pastOrNull(auth_time),
        signedInAt: pastOrNull(auth_time) ?? pastOrNull(iat),
        expiresAt: exp,
        sessionId: sid ?? null,
      };
    },
    endedSession: async (logoutToken) => {
      const payload = await read(logoutToken).catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        return null;
      });
      const claims = z.safeParse(LogoutClaims, payload);
      return claims.success ? claims.data.sid : null;
    },
  };
}
