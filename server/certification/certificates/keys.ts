import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, exportJWK } from 'jose';
import type { IssuerMetadata } from '#contract/certification/certificates.ts';
import type { Database, Row, Transaction } from '#server/platform/database/tables.ts';
import * as store from './key-store.ts';

/** PKCS #8 around the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private key of a number, derived from the shop's secret, so that no private key is stored. */
function derivePrivateKey(secret: Uint8Array, number: number): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'coomercio certificate key', `${number}`, 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** The public key of a private key, base64url, and its RFC 7638 thumbprint. */
async function publicPart(privateKey: KeyObject): Promise<{ kid: string; publicKey: string }> {
  const jwk = await exportJWK(createPublicKey(privateKey));
  if (jwk.x === undefined) throw new Error('An Ed25519 key has no x coordinate.');
  return { kid: await calculateJwkThumbprint(jwk), publicKey: jwk.x };
}

/** Signs with one key. */
export interface Signer {
  kid: string;
  /** @returns a JWS in compact serialization, of the type `vc+jwt` (W3C VC-JOSE-COSE) */
  sign(payload: object): Promise<string>;
}

/** The shop's secrets for certificates: the current one, and the previous one after it was changed. */
export type CertificateSecrets = readonly [Uint8Array, ...Uint8Array[]];

async function createKey(transaction: Transaction, secret: Uint8Array): Promise<Signer> {
  const number = await store.nextNumber(transaction);
  const privateKey = derivePrivateKey(secret, number);
  const part = await publicPart(privateKey);
  await store.insert(transaction, { number, ...part });
  return toSigner(part.kid, privateKey);
}

function toSigner(kid: string, privateKey: KeyObject): Signer {
  return {
    kid,
    sign: (payload) =>
      new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'EdDSA', typ: 'vc+jwt', cty: 'vc', kid })
        .sign(privateKey),
  };
}

/** The signer of a stored key. @returns null when its private key cannot be derived from these secrets */
async function toStoredSigner(
  key: Row<'certificate_keys'> | undefined,
  secrets: CertificateSecrets,
): Promise<Signer | null> {
  if (key === undefined) return null;
  for (const secret of secrets) {
    const privateKey = derivePrivateKey(secret, key.number);
    if ((await publicPart(privateKey)).kid === key.kid) return toSigner(key.kid, privateKey);
  }
  return null;
}

/**
 * Returns the key that signs. Without one a key is made. When the shop's secret was replaced and the private key cannot be
 * derived any more, the key is retired and a new one made.
 */
export async function openSigner(database: Database, secrets: CertificateSecrets): Promise<Signer> {
  const present = await toStoredSigner(await store.current(database), secrets);
  if (present !== null) return present;
  return database.transaction().execute(async (transaction) => {
    await store.lockKeys(transaction);
    // Another process may have made it meanwhile.
    const made = await toStoredSigner(await store.current(transaction), secrets);
    if (made !== null) return made;
    await store.retire(transaction);
    return createKey(transaction, secrets[0]);
  });
}

/** Retires the key that signs, which stays published, and makes a new one. @returns the id of the new one */
export function rotateKey(database: Database, secrets: CertificateSecrets): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    await store.lockKeys(transaction);
    await store.retire(transaction);
    return (await createKey(transaction, secrets[0])).kid;
  });
}

/**
 * Revokes a compromised key: it is no longer published as valid, and the certificates that it signed are issued again with
 * another one.
 * @returns how many certificates are issued again, or null for an unknown or already revoked key
 */
export function revokeKey(
  database: Database,
  secrets: CertificateSecrets,
  kid: string,
): Promise<{ certificates: number } | null> {
  return database.transaction().execute(async (transaction) => {
    await store.lockKeys(transaction);
    if (!(await store.revoke(transaction, kid))) return null;
    if ((await store.current(transaction)) === undefined) await createKey(transaction, secrets[0]);
    return { certificates: await store.noteCertificatesOf(transaction, kid) };
  });
}

/** The published keys: those that verify, and those that were revoked. @param issuer the shop's origin */
export async function issuerMetadata(database: Database, issuer: string): Promise<IssuerMetadata> {
  const keys = await store.all(database);
  return {
    issuer,
    jwks: {
      keys: keys
        .filter(({ revoked_at }) => revoked_at === null)
        .map(({ kid, public_key }) => ({
          kty: 'OKP',
          crv: 'Ed25519',
          x: public_key,
          kid,
          alg: 'EdDSA',
          use: 'sig',
        })),
    },
    revoked_keys: keys.flatMap(({ kid, revoked_at }) =>
      revoked_at === null ? [] : [{ kid, revoked_at: revoked_at.toISOString() }],
    ),
  };
}
