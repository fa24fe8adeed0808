import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets derived from the current root secret and from the previous one. */
export interface Secrets extends DerivedSecrets {
  /** Values signed or encrypted with these stay valid. */
  previous: DerivedSecrets | null;
}

interface DerivedSecrets {
  /** Signs the shop's tokens. */
  tokens: Uint8Array;
  /** Signs sessions and encrypts keys at the built-in identity provider. */
  identity: string;
  /** The bearer token of the identity provider's administrative calls. */
  identityService: string;
  /** The built-in image host's API key. The specification puts it into every upload's URL. */
  photoKey: string;
  /** Signs the links that stop emails. */
  unsubscribe: Uint8Array;
  /** The private key by which push services recognize the shop is derived from it. */
  push: Uint8Array;
  /** Signs the addresses of private photos. */
  photoLinks: Uint8Array;
  /** The codes that confirm telephone numbers are derived from it. */
  phoneCodes: Uint8Array;
  /** The key of the hashes by which the same laptop is recognized. */
  machines: Uint8Array;
  /** The private keys that sign certificates are derived from it. */
  certificates: Uint8Array;
  /** The key of the link that makes the first admin. */
  ownership: Uint8Array;
  /** Identifies the secret without revealing it. A backup states which secret it needs. */
  fingerprint: string;
}

function derive(root: string): DerivedSecrets {
  const bytes = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', root, 'coomercio', purpose, length));
  return {
    tokens: bytes('tokens', 32),
    identity: bytes('identity', 32).toString('base64url'),
    identityService: bytes('identity service', 32).toString('base64url'),
    photoKey: bytes('photo key', 16).toString('hex'),
    unsubscribe: bytes('unsubscribe', 32),
    push: bytes('push', 32),
    photoLinks: bytes('photo links', 32),
    phoneCodes: bytes('phone codes', 32),
    machines: bytes('machines', 32),
    certificates: bytes('certificates', 32),
    ownership: bytes('ownership', 24),
    // This purpose is part of every existing fingerprint.
    fingerprint: bytes('mark', 16).toString('hex'),
  };
}

/** Identifies a secret without revealing it. */
export function fingerprintOf(root: string): string {
  return derive(root).fingerprint;
}

/** The path of the generated secret in a data folder. */
export const secretFilePath = (dataFolder: string) => join(dataFolder, 'secret');

/**
 * Reads the secret file, or creates it with mode 600. The draft is linked to its final name, so that concurrent
 * processes read the same complete file.
 */
async function readOrGenerateRoot(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true });
  const path = secretFilePath(dataFolder);
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(randomBytes(48).toString('base64url'));
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}

/**
 * Derives the secrets from the configured root secret, or from one generated at the first start and stored with mode 600.
 * Processes on several machines need a configured one.
 * @throws Error when the generated one cannot be written or read, or is damaged
 */
export async function openSecrets(
  configured: string | null,
  dataFolder: string,
  previous: string | null = null,
): Promise<Secrets> {
  const root = configured ?? (await readOrGenerateRoot(dataFolder));
  if (root.length < 32) throw new Error(`The secret in ${dataFolder} is damaged: it is too short.`);
  return { ...derive(root), previous: previous === null ? null : derive(previous) };
}

/**
 * Reads the fingerprints of the current secret and of the previous one, without generating a secret.
 * @returns an empty list when none is configured or generated yet
 */
export async function readFingerprints(
  configured: string | null,
  dataFolder: string,
  previous: string | null = null,
): Promise<string[]> {
  const root = configured ?? (await readFile(secretFilePath(dataFolder), 'utf8').catch(() => null));
  return [root, previous].flatMap((secret) => (secret === null ? [] : [fingerprintOf(secret)]));
}

/** The secrets of certificates, the current one first. */
export function certificateSecrets({ certificates, previous }: Secrets): [Uint8Array, ...Uint8Array[]] {
  return [certificates, ...(previous === null ? [] : [previous.certificates])];
}
