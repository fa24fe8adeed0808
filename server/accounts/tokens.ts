import { errors, jwtVerify, SignJWT } from 'jose';

const issuer = 'coomercio';
const audience = 'coomercio-calls';

/** How long a token of the shop is good for, in seconds. The web client renews it with each new ID token. */
export const TOKEN_SECONDS = 60 * 60;

/** What a token is given for. */
interface Proof {
  secondFactor: boolean;
  /** When the person last showed who they are, in seconds since 1970; null when nobody says. */
  authenticatedAt: number | null;
  /** Seconds since 1970. */
  expiresAt: number;
  /** The identity provider's name for the sign-in; null when it gives none. */
  sessionId: string | null;
}

/** Makes and checks the tokens that this shop hands out. */
export interface Tokens {
  /** A token that names a user until it expires: after {@link TOKEN_SECONDS}, or earlier where `proof` ends earlier. */
  sign(userId: string, proof?: Proof): Promise<string>;
  /** Whom a token names and how they showed who they are, or why it is no good. */
  verify(token: string): Promise<({ userId: string } & Omit<Proof, 'expiresAt'>) | 'expired' | 'forged'>;
}

/**
 * @param secret at least 32 bytes that only this shop's processes know
 * @param previous the one before: tokens signed with it count until they expire
 */
export function createTokens(secret: Uint8Array, previous: Uint8Array | null = null): Tokens {
  const read = (token: string, key: Uint8Array) =>
    jwtVerify(token, key, { issuer, audience, algorithms: ['HS256'] });
  return {
    sign: (userId, proof) => {
      const now = Math.floor(Date.now() / 1000);
      return (
        new SignJWT({
          ...(proof?.secondFactor && { amr: ['mfa'] }),
          ...(proof?.authenticatedAt != null && { auth_time: proof.authenticatedAt }),
          ...(proof?.sessionId != null && { sid: proof.sessionId }),
        })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer(issuer)
          .setAudience(audience)
          .setSubject(userId)
          .setIssuedAt(now)
          // Whoever is signed out everywhere gets no new ID token: no token of the shop may outlive the last one.
          .setExpirationTime(Math.min(now + TOKEN_SECONDS, proof?.expiresAt ?? Number.POSITIVE_INFINITY))
          .sign(secret)
      );
    },
    verify: async (token) => {
      try {
        const { payload } = await read(token, secret).catch((error: unknown) => {
          if (previous === null || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
          return read(token, previous);
        });
        if (payload.sub === undefined) return 'forged';
        const secondFactor = Array.isArray(payload.amr) && payload.amr.includes('mfa');
        const { auth_time: at, sid } = payload;
        return {
          userId: payload.sub,
          secondFactor,
          authenticatedAt: typeof at === 'number' ? at : null,
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
