import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import tar from 'tar-stream';
import type * as z from 'zod';
import { StorageError } from '#server/listings/photos/storage.ts';
import { BackupError, HASH_RECORD, HEADER, Header, MANIFEST, Manifest, sha256Of } from './archive.ts';

/** A stored archive, which can be read several times. */
export interface ArchiveSource {
  /** Names the archive in messages. */
  readonly name: string;
  open(): Readable;
}

/** An archive in a file. */
export const archiveFile = (path: string): ArchiveSource => ({
  name: path,
  open: () => createReadStream(path),
});

export interface ArchiveEntry {
  name: string;
  content: Buffer;
}

/** An archive whose entries were all compared with their hashes. */
export interface VerifiedArchive {
  manifest: Manifest;
  /** The hash of the manifest. */
  sha256: string;
}

/** The maximum size of an entry that is read: it is in memory. This program writes much smaller ones. */
const MAXIMUM_ENTRY_BYTES = 128 * 1024 * 1024;

const damaged = (path: string, name: string) =>
  new BackupError(`${path} is damaged: ${name} is not as it was written.`);
const incomplete = (path: string) =>
  new BackupError(`${path} is not a whole backup: its manifest is missing.`);
const unsupported = (path: string, cause?: unknown) =>
  new BackupError(`${path} is a backup of another kind than this version of the shop makes.`, { cause });

/** Reads the entries, and compares each with its hash. */
async function* readEntries(archive: ArchiveSource): AsyncGenerator<ArchiveEntry, void> {
  const source = archive.open();
  const extract = tar.extract();
  source.once('error', (error) => extract.destroy(error));
  source.pipe(extract);
  try {
    for await (const entry of extract) {
      const { name, size, pax } = entry.header;
      if ((size ?? 0) > MAXIMUM_ENTRY_BYTES) throw damaged(archive.name, name);
      const content = await buffer(Readable.from(entry));
      const sha256: unknown = new Map(Object.entries(pax ?? {})).get(HASH_RECORD);
      if (sha256 === undefined) throw unsupported(archive.name);
      if (sha256 !== sha256Of(name, content)) throw damaged(archive.name, name);
      yield { name, content };
    }
  } finally {
    source.destroy();
    extract.destroy();
  }
}

function parseAs<Output>(schema: z.ZodType<Output>, content: Buffer, path: string): Output {
  try {
    return schema.parse(JSON.parse(content.toString('utf8')));
  } catch (error) {
    throw unsupported(path, error);
  }
}

async function* entriesBeforeManifest(path: string, rest: AsyncGenerator<ArchiveEntry, void>) {
  for (let count = 0; ; count += 1) {
    const { value: entry, done } = await rest.next();
    if (done === true) throw incomplete(path);
    if (entry.name !== MANIFEST) {
      yield entry;
      continue;
    }
    const manifest = parseAs(Manifest, entry.content, path);
    const isLast = (await rest.next()).done === true;
    if (!isLast || manifest.entries !== count) {
      throw new BackupError(`${path} is damaged: it has other entries than its manifest lists.`);
    }
    return { manifest, sha256: sha256Of(MANIFEST, entry.content) };
  }
}

/**
 * Reads a whole archive and compares each entry with its hash. Memory use does not depend on its size.
 * @param verified the result of reading the same archive before
 * @yields the entries with rows, photos and the secret, in order
 * @returns the verified archive
 * @throws BackupError when an entry is missing, unexpected or changed
 */
export async function* verifiedEntries(
  source: ArchiveSource,
  verified: VerifiedArchive | null = null,
): AsyncGenerator<ArchiveEntry, VerifiedArchive> {
  const path = source.name;
  const entries = readEntries(source);
  try {
    const { value: first, done } = await entries.next();
    if (done === true) throw incomplete(path);
    if (first.name !== HEADER) throw unsupported(path);
    parseAs(Header, first.content, path);
    const archive = yield* entriesBeforeManifest(path, entries);
    if (verified === null || verified.sha256 === archive.sha256) return archive;
    throw new BackupError(`${path} was changed after it was checked.`);
  } catch (error) {
    if (error instanceof BackupError || error instanceof StorageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${path} cannot be read as a backup: ${reason}.`, { cause: error });
  } finally {
    await entries.return();
  }
}

/** Reads a whole archive without using its content. @throws BackupError when it is not intact */
export async function verifyArchive(source: ArchiveSource, signal?: AbortSignal): Promise<VerifiedArchive> {
  const entries = verifiedEntries(source);
  for (;;) {
    // Closes the archive. The caller knows the reason.
    if (signal?.aborted === true) await entries.throw(signal.reason);
    const { value, done } = await entries.next();
    if (done === true) return value;
  }
}
