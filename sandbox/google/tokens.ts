import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  calculateJwkThumbprint,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import * as z from 'zod/mini';
import { kept } from '../kept.ts';

const Jwk = z.looseObject({ kty: z.literal('RSA'), n: z.string(), e: z.string(), d: z.string() });

/** The key that signs ID tokens: made once, kept in the folder for its owner only. */
function signingKey(folder: string): Promise<z.infer<typeof Jwk>> {
  return kept(join(folder, 'signing-key.json'), Jwk, async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    return Jwk.parse(await exportJWK(privateKey));
  });
}

/** As Google's: digits that never change for one person. */
function subjectOf(email: string): string {
  const digest = createHash('sha256').update(`google ${email.toLowerCase()}`).digest();
  return `1${(digest.readBigUInt64BE() % 10n ** 20n).toString().padStart(20, '0')}`;
}

export interface IdTokens {
  /** What is published for checking them. */
  readonly keys: { keys: JWK[] };
  /** An ID token with the same claims, by this issuer, for a subject that is the person's for good. */
  reissue(idToken: string, issuer: string): Promise<string>;
}

/**
 * ID tokens as Google makes them: signed by a key, and naming a person by a subject, that outlive a restart.
 * `emulate` draws both anew at each start under one and the same key id, so a relying party that remembers the
 * key refuses every token of the next start, and knows nobody again.
 */
export async function createIdTokens(folder: string): Promise<IdTokens> {
  const jwk = await signingKey(folder);
  const key = await importJWK(jwk, 'RS256');
  const kid = await calculateJwkThumbprint({ kty: jwk.kty, n: jwk.n, e: jwk.e });
  return {
    keys: { keys: [{ kty: jwk.kty, n: jwk.n, e: jwk.e, kid, use: 'sig', alg: 'RS256' }] },
    async reissue(idToken, issuer) {
      const claims = decodeJwt(idToken);
      const email = z.string().parse(claims.email);
      return new SignJWT({ ...claims, iss: issuer, sub: subjectOf(email) })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .sign(key);
    },
  };
}
