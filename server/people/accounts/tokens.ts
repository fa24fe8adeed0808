import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const issuer = 'coomercio';
const audience = 'coomercio-calls';

/** Lifetime of a token, in seconds. The web client renews it with each new ID token. */
export const TOKEN_SECONDS = 60 * 60;

/** The number of tokens whose signature is not verified again. A token is used for many calls within its hour. */
const MAXIMUM_VERIFIED_TOKENS = 1_000;

/** The claims of a token. */
interface TokenClaims {
  secondFactor: boolean;
  /** Time of the last authentication, in seconds since 1970; null when unknown. */
  authenticatedAt: number | null;
  /** Seconds since 1970. */
  expiresAt: number;
  /** The identity provider's session id; null without one. */
  sessionId: string | null;
}

/** Signs and verifies the tokens of this shop. */
export type Tokens = ReturnType<typeof createTokens>;

/**
 * @param secret at least 32 bytes that only this shop's processes know
 * @param previous the previous secret: tokens signed with it stay valid until they expire
 */
export function createTokens(secret: Uint8Array, previous: Uint8Array | null = null) {
  const verified = new LRUCache<string, JWTPayload>({ max: MAXIMUM_VERIFIED_TOKENS });

  const verifyWith = (token: string, key: Uint8Array) =>
    jwtVerify(token, key, { issuer, audience, algorithms: ['HS256'] });

  /** @throws errors.JOSEError */
  async function payloadOf(token: string): Promise<JWTPayload> {
    const known = verified.get(token);
    // An expired one is verified again, which throws the error.
    if (known?.exp !== undefined && Math.floor(Date.now() / 1000) < known.exp) return known;
    const { payload } = await verifyWith(token, secret).catch((error: unknown) => {
      if (previous === null || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      return verifyWith(token, previous);
    });
    verified.set(token, payload);
    return payload;
  }

  return {
    /** Signs a token for a user. It expires after {@link TOKEN_SECONDS}, or at `claims.expiresAt` if that is earlier. */
    sign: (userId: string, claims?: TokenClaims): Promise<string> => {
      const now = Math.floor(Date.now() / 1000);
      return (
        new SignJWT({
          ...(claims?.secondFactor && { amr: ['mfa'] }),
          ...(claims?.authenticatedAt != null && { auth_time: claims.authenticatedAt }),
          ...(claims?.sessionId != null && { sid: claims.sessionId }),
        })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(userId)
          .setIssuedAt(now)
          // A token must not outlive the ID token: a user who is signed out everywhere gets no new one.
          .setExpirationTime(Math.min(now + TOKEN_SECONDS, claims?.expiresAt ?? Number.POSITIVE_INFINITY))
          .sign(secret)
      );
    },
    /** Verifies a token. @returns its claims, or why it is invalid */
    verify: async (token: string): Promise<({ userId: string } & TokenClaims) | 'expired' | 'forged'> => {
      try {
        const payload = await payloadOf(token);
        if (payload.sub === undefined || payload.exp === undefined) return 'forged';
        const secondFactor = Array.isArray(payload.amr) && payload.amr.includes('mfa');
        const { auth_time: at, sid } = payload;
        return {
          userId: payload.sub,
          secondFactor,
          authenticatedAt: typeof at === 'number' ? at : null,
          expiresAt: payload.exp,
          sessionId: typeof sid === 'string' ? sid : null,
        };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return 'forged';
        throw error;
      }
    },
  };
}
