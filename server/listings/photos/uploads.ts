// What the database records of uploads.

import { ipPrefixes, shareFactor } from '#contract/platform/ip-prefixes.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { fingerprintsOf, isPlain } from './fingerprint.ts';
import { insertFingerprints } from './fingerprint-store.ts';
import { UNCLAIMED_UPLOAD_TTL_MS } from './rules.ts';
import * as store from './store.ts';

export const photoBeingDeleted = () =>
  new Refusal('busy', 'This photo is being removed right now. Please try again in a few seconds.');

/**
 * Records that a photo is being uploaded, which protects it from deletion until a laptop shows it.
 * @throws Refusal while the same photo is being deleted
 */
export async function registerUpload(database: Database, hash: string): Promise<void> {
  if (!(await store.registerUpload(database, hash))) throw photoBeingDeleted();
}

/** Who uploads a photo. */
export interface UploadSubject {
  uploaderId: string;
  /** The IP address. */
  address: string;
}

/**
 * The bytes of uploads that nothing shows yet, for an account and for an address: about 150 and 600 photos of phones. The
 * file from which variants are made counts; it rarely has more than 2 MB.
 */
const unclaimedQuotas = { account: 100_000_000, address: 400_000_000 };

/** The counters of an uploader, with their quotas. */
function unclaimedCounters({ uploaderId, address }: UploadSubject): store.UnclaimedCounter[] {
  return [
    { key: store.counterKey('account', uploaderId), quota: unclaimedQuotas.account },
    ...ipPrefixes(address).map((range) => ({
      key: store.counterKey('address', range.prefix),
      quota: unclaimedQuotas.address * shareFactor(range),
    })),
  ];
}

/** @throws Refusal `too_many_requests` while the uploads of this account or address that nothing shows are at their quota */
export async function requireUnclaimedQuota(database: Database, subject: UploadSubject): Promise<void> {
  const since = await store.findExceededQuota(database, unclaimedCounters(subject));
  if (since === null) return;
  throw new Refusal(
    'too_many_requests',
    'Many photos were uploaded from here and not used yet, so this one was not kept. Please save the form or send the message that uses them, or try again tomorrow: unused photos are removed after a day.',
    { retryAt: new Date(since.getTime() + UNCLAIMED_UPLOAD_TTL_MS) },
  );
}

/** A photo that is being stored. */
export interface StoredPhoto {
  hash: string;
  /** Of the file from which variants are made. */
  bytes: number;
  /** Null for a private photo, which is not compared with others. */
  thumbnail: Uint8Array | null;
}

/** Counts the bytes of a photo until something shows it, and stores its fingerprints, unless it is too plain to have some. */
export async function recordDecoded(
  database: Database,
  { hash, bytes, thumbnail }: StoredPhoto,
  subject: UploadSubject,
): Promise<void> {
  await store.countUnclaimed(database, { hash, bytes }, unclaimedCounters(subject));
  if (thumbnail === null || isPlain(thumbnail)) return;
  await insertFingerprints(database, hash, thumbnail, fingerprintsOf(thumbnail));
}
