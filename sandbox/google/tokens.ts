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
import { readOrCreate } from '../private-files.ts';

const Jwk = z.looseObject({ kty: z.literal('RSA'), n: z.string(), e: z.string(), d: z.string() });

/** Reads the key that signs ID tokens, and generates it at the first start. */
function signingKey(folder: string): Promise<z.infer<typeof Jwk>> {
  return readOrCreate(join(folder, 'signing-key.json'), Jwk, async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    return Jwk.parse(await exportJWK(privateKey));
  });
}

/** Returns the subject of an account: digits that never change, as Google's. */
function subjectOf(email: string): string {
  const digest = createHash('sha256').update(`google ${email.toLowerCase()}`).digest();
  return `1${(digest.readBigUInt64BE() % 10n ** 20n).toString().padStart(20, '0')}`;
}

export interface IdTokens {
  /** The published key set. */
  readonly keys: { keys: JWK[] };
  /** Signs the claims of an ID token again, with this issuer and the account's constant subject. */
  reissue(idToken: string, issuer: string): Promise<string>;
}

/**
 * Opens the signer of ID tokens, whose key and subjects stay the same after a restart. `emulate` generates both at each
 * start under the same key id, so a relying party with a cached key set would reject every later token and not recognize
 * any account.
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
