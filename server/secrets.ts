import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The shop's secrets, all derived from one, beside those of the one before. */
export interface Secrets extends Derived {
  /** What was signed or sealed with these still counts. */
  previous: Derived | null;
}

interface Derived {
  /** Signs the shop's tokens. */
  tokens: Uint8Array;
  /** Signs sessions and seals keys at the built-in identity provider. */
  identity: string;
  /** What the shop shows the identity provider to end an account's sign-in. */
  identityService: string;
  /** The built-in image host's API key. It travels in every upload's address, as the specification has it. */
  photoKey: string;
  /** Identifies the secret without revealing it. A backup states which secret it needs. */
  fingerprint: string;
}

function derive(root: string): Derived {
  const bytes = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', root, 'coomercio', purpose, length));
  return {
    tokens: bytes('tokens', 32),
    identity: bytes('identity', 32).toString('base64url'),
    identityService: bytes('identity service', 32).toString('base64url'),
    photoKey: bytes('photo key', 16).toString('hex'),
    fingerprint: bytes('mark', 16).toString('hex'),
  };
}

/** Identifies a secret without revealing it. */
export function fingerprintOf(root: string): string {
  return derive(root).fingerprint;
}

/** Makes the file once, whole or not at all, whoever comes first; only its owner may read it. */
async function generated(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true });
  const path = join(dataFolder, 'secret');
  const draft = join(dataFolder, `secret.${randomUUID()}`);
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
 * The shop's secrets, from the configured one or from one generated at first start and kept with mode 600.
 * Processes on several machines need the configured one.
 * @throws when the generated one cannot be written or read
 */
export async function openSecrets(
  configured: string | null,
  dataFolder: string,
  previous: string | null = null,
): Promise<Secrets> {
  const root = configured ?? (await generated(dataFolder));
  if (root.length < 32) throw new Error(`The secret in ${dataFolder} is damaged: it is too short.`);
  return { ...derive(root), previous: previous === null ? null : derive(previous) };
}
