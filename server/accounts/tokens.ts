import { errors, jwtVerify, SignJWT } from 'jose';

const issuer = 'coomercio';
const audience = 'coomercio-calls';

/** How long a token of the shop is good for, in seconds. The web client renews it with each new ID token. */
export const TOKEN_SECONDS = 60 * 60;

/** Makes and checks the tokens that this shop hands out. */
export interface Tokens {
  /** A token that names a user until it expires. */
  sign(userId: string): Promise<string>;
  /** Whom a token names, or why it is no good. */
  verify(token: string): Promise<{ userId: string } | 'expired' | 'forged'>;
}

/** @param secret at least 32 bytes that only this shop's processes know */
export function createTokens(secret: Uint8Array): Tokens {
  return {
    sign: (userId) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime(`${TOKEN_SECONDS}s`)
        .sign(secret),
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, secret, { issuer, audience, algorithms: ['HS256'] });
        return payload.sub === undefined ? 'forged' : { userId: payload.sub };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return 'forged';
        throw error;
      }
    },
  };
}
