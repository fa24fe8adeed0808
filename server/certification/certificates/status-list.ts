import { gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Database } from '#server/platform/database/tables.ts';
import { type CertificateSecrets, openSigner } from './keys.ts';
import { STATUS_LIST_LENGTH, statusListPath, statusPosition } from './rules.ts';
import { hasNumberFrom, revokedNumbers } from './store.ts';

/** How long a status list may be kept, in seconds. */
export const STATUS_LIST_SECONDS = 60;

/** How long a signed list is sent again before it is signed anew, in seconds. A revocation is published this much later. */
export const KEPT_SECONDS = 2;

/** The maximum number of signed lists in memory: about 30 kB each at most. */
const MAXIMUM_KEPT = 20;

/**
 * Keeps signed status lists, so that the number of requests does not decide how often the shop signs. Concurrent requests for
 * a list share one signing. A list that does not exist is not kept.
 * @param sign signs a list; undefined for a list that no version is in
 * @param clock milliseconds that never go back
 */
export function keepStatusLists(
  sign: (list: bigint) => Promise<string | undefined>,
  clock: { now: () => number } = performance,
): (list: bigint) => Promise<string | undefined> {
  const lists = new LRUCache<bigint, string>({
    max: MAXIMUM_KEPT,
    ttl: KEPT_SECONDS * 1000,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: sign,
  });
  return (list) => lists.fetch(list);
}

/** Encodes the positions of set bits: the first position is the highest bit of the first byte. */
export function encodeBits(positions: readonly number[]): string {
  const bits = Buffer.alloc(STATUS_LIST_LENGTH / 8);
  for (const position of positions) {
    const byte = position >> 3;
    bits[byte] = (bits[byte] ?? 0) | (0x80 >> (position & 7));
  }
  // "u": multibase base64url without padding.
  return `u${gzipSync(bits).toString('base64url')}`;
}

/**
 * Signs a status list (W3C Bitstring Status List 1.0). It says which versions were revoked, without revealing to the shop
 * which of them its reader verifies.
 * @returns undefined for a list that no version is in
 */
export async function signStatusList(
  database: Database,
  secrets: CertificateSecrets,
  origin: string,
  list: bigint,
  now: Date,
): Promise<string | undefined> {
  const from = list * BigInt(STATUS_LIST_LENGTH);
  if (!(await hasNumberFrom(database, from))) return undefined;
  const signer = await openSigner(database, secrets);
  const numbers = await revokedNumbers(database, from, from + BigInt(STATUS_LIST_LENGTH));
  const address = `${origin}${statusListPath(list)}`;
  return signer.sign({
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: address,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: origin,
    validFrom: now.toISOString(),
    validUntil: new Date(now.getTime() + (KEPT_SECONDS + STATUS_LIST_SECONDS) * 1000).toISOString(),
    credentialSubject: {
      id: `${address}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: encodeBits(numbers.map((number) => statusPosition(number).index)),
    },
  });
}
