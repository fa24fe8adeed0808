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

/** What is sealed with a secret names it by this number; a whole one, as better-auth wants it. */
export const versionOf = (secret: string) => createHash('sha256').update(secret).digest().readUIntBE(0, 6);

/** The signature of a session token, as better-auth makes it. */
const signatureOf = (token: string, secret: string) =>
  createHmac('sha256', secret).update(token).digest('base64');

/** A session token with its signature, as a bearer shows it. */
export function signToken(token: string, secret: string): string {
  return encodeURIComponent(`${token}.${signatureOf(token, secret)}`);
}

/** A bearer's token that was signed with the previous secret, signed with the present one; any other as it is. */
export function renewSignature(bearer: string, secret: string, previous: string): string {
  const [, token = '', signature = ''] =
    /^([A-Za-z0-9]{1,100})(?:\.|%2E)([A-Za-z0-9+/=%]{1,100})$/.exec(bearer) ?? [];
  if (token === '' || /%(?![0-9A-Fa-f]{2})/.test(signature)) return bearer;
  const given = Buffer.from(decodeURIComponent(signature));
  const expected = Buffer.from(signatureOf(token, previous));
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? signToken(token, secret)
    : bearer;
}

const sealingKey = (secret: string) => Buffer.from(hkdfSync('sha256', secret, 'identity', 'data key', 32));

function seal(key: Buffer, secret: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secret), nonce);
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

/** @returns null when it was sealed with another secret */
function open(sealed: string, secret: string): Buffer | null {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(secret), bytes.subarray(0, 12), {
    authTagLength: 16,
  });
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch {
    return null;
  }
}

/**
 * The key with which the provider seals what it keeps: made once, and itself sealed with the provider's secret, so
 * that the secret can be replaced without touching what was sealed. To be called by one process at a time.
 * @throws Error when neither the secret nor the previous one opens it
 */
export async function openDataKey(pool: Pool, secret: string, previous: string | null): Promise<Buffer> {
  const { rows } = await pool.query('select sealed from data_key');
  const [kept] = Rows.parse(rows);
  if (kept === undefined) {
    const key = randomBytes(32);
    await pool.query('insert into data_key (sealed) values ($1)', [seal(key, secret)]);
    return key;
  }
  const known = open(kept.sealed, secret);
  if (known !== null) return known;
  const older = previous === null ? null : open(kept.sealed, previous);
  if (older === null) {
    throw new Error(
      'The identity provider’s records were sealed with another secret. Please give that one as the previous secret.',
    );
  }
  await pool.query('update data_key set sealed = $1', [seal(older, secret)]);
  return older;
}

/**
 * Retires signing keys that are sealed with another secret: they sign no more, and stay published for who still has
 * tokens of theirs.
 */
export async function retireForeignKeys(pool: Pool, secret: string): Promise<void> {
  await pool.query(
    `update jwks set "expiresAt" = now()
      where ("expiresAt" is null or "expiresAt" > now()) and "privateKey" not like $1`,
    [`"$ba$${versionOf(secret)}$%`],
  );
}
