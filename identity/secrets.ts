import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Pool } from 'pg';
import * as z from 'zod/mini';

const Rows = z.array(z.object({ sealed: z.string() }));

/** Derives the version number of a secret. better-auth stores it beside each value that it encrypts. */
export const secretVersion = (secret: string) =>
  createHash('sha256').update(secret).digest().readUIntBE(0, 6);

/** Signs a session token the way better-auth does. */
const computeSignature = (token: string, secret: string) =>
  createHmac('sha256', secret).update(token).digest('base64');

/** Appends the signature to a session token, which makes it a bearer token. */
export function signToken(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${computeSignature(token, secret)}`);
}

/** Signs a bearer token of the previous secret with the current one. Returns any other token unchanged. */
export function renewSignature(bearer: string, secret: string, previous: string): string {
  const [, token = '', signature = ''] =
    /^([A-Za-z0-9]{1,100})(?:\.|%2E)([A-Za-z0-9+/=%]{1,100})$/.exec(bearer) ?? [];
  if (token === '' || /%(?![0-9A-Fa-f]{2})/.test(signature)) return bearer;
  const given = Buffer.from(decodeURIComponent(signature));
  const expected = Buffer.from(computeSignature(token, previous));
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? signToken(token, secret)
    : bearer;
}

const sealingKey = (secret: string) => Buffer.from(hkdfSync('sha256', secret, 'identity', 'data key', 32));

/** Encrypts bytes. @param purpose authenticated with the ciphertext: it decrypts for no other */
export function seal(bytes: Uint8Array, key: Uint8Array, purpose: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what {@link seal} has encrypted. @throws Error for another key or purpose */
export function unseal(sealed: string, key: Uint8Array, purpose: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}

const DATA_KEY = 'data key';

const sealDataKey = (key: Uint8Array, secret: string) => seal(key, sealingKey(secret), DATA_KEY);

/** @returns null for a key that was sealed with another secret */
function unsealDataKey(sealed: string, secret: string): Buffer | null {
  try {
    return unseal(sealed, sealingKey(secret), DATA_KEY);
  } catch {
    return null;
  }
}

/**
 * Returns the data key, which encrypts the keys of authenticator apps; creates it at the first start. The data key is
 * itself stored encrypted with the provider's secret, so a new secret re-encrypts one row only. One process at a time
 * may call this.
 * @throws Error when neither the secret nor the previous one decrypts it
 */
export async function openDataKey(pool: Pool, secret: string, previous: string | null): Promise<Buffer> {
  const { rows } = await pool.query('select sealed from data_key');
  const [stored] = Rows.parse(rows);
  if (stored === undefined) {
    const key = randomBytes(32);
    await pool.query('insert into data_key (sealed) values ($1)', [sealDataKey(key, secret)]);
    return key;
  }
  const current = unsealDataKey(stored.sealed, secret);
  if (current !== null) return current;
  const key = previous === null ? null : unsealDataKey(stored.sealed, previous);
  if (key === null) {
    throw new Error(
      'The identity provider’s data were sealed with another secret. Please set that one as the previous secret.',
    );
  }
  await pool.query('update data_key set sealed = $1', [sealDataKey(key, secret)]);
  return key;
}

/**
 * Retires the signing keys that are encrypted with another secret: they sign no new tokens, but stay published to
 * verify the tokens that they signed.
 */
export async function retireKeysOfOtherSecrets(pool: Pool, secret: string): Promise<void> {
  await pool.query(
    `update jwks set "expiresAt" = now()
      where ("expiresAt" is null or "expiresAt" > now()) and "privateKey" not like $1`,
    [`"$ba$${secretVersion(secret)}$%`],
  );
}
