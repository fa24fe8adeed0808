import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { Email } from '#contract/scalars.ts';
import { Refusal } from '../http/refusal.ts';
import type { IdentityProof } from '../http/serve.ts';

const Claims = z.object({
  email: Email,
  name: z.optional(z.string()),
  exp: z.number(),
  /** How the person has signed in, in the words of RFC 8176. */
  amr: z.optional(z.array(z.string())),
  /** When the person last showed who they are, in seconds since 1970 (OpenID Connect Core 2). */
  auth_time: z.optional(z.number()),
});

/** Checks an ID token of the identity provider. @throws Refusal when it proves nothing */
export type VerifyIdentity = (token: string) => Promise<IdentityProof>;

/**
 * The identity provider as the server knows it: an issuer and its published keys. Any provider with an e-mail claim
 * can stand there.
 * @param options.keysUrl where the key set is fetched from; kept, and fetched anew when a token names an unknown key
 */
export function createIdentityVerifier(options: {
  issuer: string;
  audience: string;
  keysUrl: URL;
}): VerifyIdentity {
  const keys = createRemoteJWKSet(options.keysUrl, { timeoutDuration: 5_000, cooldownDuration: 10_000 });
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: options.issuer,
        audience: options.audience,
        // Only signatures by published keys: a shared secret would let whoever knows it speak for the provider.
        algorithms: ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'],
        clockTolerance: 5,
      });
      const claims = z.safeParse(Claims, payload);
      if (!claims.success) throw new Refusal('not_allowed', 'This sign-in names no e-mail address.');
      const { email, name, amr, exp, auth_time } = claims.data;
      return {
        email,
        name: name ?? email,
        secondFactor: amr?.includes('mfa') ?? false,
        authenticatedAt: auth_time ?? null,
        expiresAt: exp,
      };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (error instanceof errors.JWTExpired) {
        throw new Refusal('token_expired', 'Your sign-in has expired. Please sign in again.');
      }
      if (
        error instanceof errors.JWKSTimeout ||
        !(error instanceof errors.JOSEError) ||
        error.code === 'ERR_JOSE_GENERIC'
      ) {
        throw new Refusal(
          'identity_unavailable',
          'Sign-in cannot be checked right now. Please try again in a moment.',
        );
      }
      throw new Refusal('not_signed_in', 'This sign-in cannot be verified. Please sign in again.');
    }
  };
}
