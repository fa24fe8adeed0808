import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import tar from 'tar-stream';
import type * as z from 'zod';
import { StorageError } from '#server/listings/photos/storage.ts';
import {
  BackupError,
  ENTRIES_PER_LIST,
  entryListName,
  HEADER,
  Header,
  ListedEntry,
  MANIFEST,
  MANIFEST_HASH,
  Manifest,
  sha256Of,
} from './archive.ts';

/** A stored archive, which can be read several times. */
export interface ArchiveSource {
  /** Names the archive in messages. */
  readonly name: string;
  open(): Readable;
  /** Bytes. */
  size(): Promise<number>;
}

/** An archive in a file. */
export const archiveFile = (path: string): ArchiveSource => ({
  name: path,
  open: () => createReadStream(path),
  size: async () => (await stat(path)).size,
});

export interface ArchiveEntry {
  name: string;
  /**
   * Must be read before the next entry is requested, or not at all. Fails with a BackupError when it differs from what the
   * archive states.
   */
  content: Readable;
}

/** An archive whose entries were all compared with its lists. */
export interface VerifiedArchive {
  manifest: Manifest;
  /** The hash of the manifest. */
  sha256: string;
}

/** The maximum size of a list that is read; this program writes smaller ones. */
const MAXIMUM_LIST_BYTES = 4 * 1024 * 1024;

interface TarEntry {
  name: string;
  /** Bytes. */
  size: number;
  content: Readable;
}

type TarEntries = AsyncGenerator<TarEntry, void>;

async function* readTarEntries(archive: ArchiveSource): TarEntries {
  const source = archive.open();
  const extract = tar.extract();
  source.once('error', (error) => extract.destroy(error));
  source.pipe(extract);
  try {
    for await (const entry of extract) {
      yield { name: entry.header.name, size: entry.header.size ?? 0, content: Readable.from(entry) };
    }
  } finally {
    source.destroy();
    extract.destroy();
  }
}

const readContent = ({ content }: TarEntry) => buffer(content);

function parseAs<Output>(schema: z.ZodType<Output>, text: string, problem: string): Output {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupError(problem, { cause: error });
  }
}

const damaged = (path: string, name: string) =>
  new BackupError(`${path} is damaged: ${name} is not as it was written.`);
const missing = (path: string, name: string) => new BackupError(`${path} is damaged: ${name} is missing.`);
const incomplete = (path: string) =>
  new BackupError(`${path} is not a whole backup: its manifest is missing.`);
const unexpectedEntries = (path: string) =>
  new BackupError(`${path} has entries that its manifest does not list.`);
const unsupportedFormatMessage = (path: string) =>
  `${path} is a backup of another kind than this version of the shop makes.`;

/** Reads the rest of an entry, so that the next one can be read. */
async function drain(content: Readable): Promise<void> {
  if (content.readableEnded) return;
  for await (const chunk of content) void chunk;
}

/** Returns an entry's content and hashes it. @param onEnd called with its SHA-256; if it throws, the stream fails */
function withHash({ content }: TarEntry, onEnd: (sha256: string) => void): Readable {
  return Readable.from(
    (async function* () {
      const hash = createHash('sha256');
      for await (const chunk of content) {
        hash.update(chunk);
        yield chunk;
      }
      onEnd(hash.digest('hex'));
    })(),
  );
}

/** Reads the manifest in `entry` and checks that its hash is the next entry and the last one. */
async function readManifest(path: string, entry: TarEntry, rest: TarEntries) {
  const text = await readContent(entry);
  const next = await rest.next();
  if (next.done === true || next.value.name !== MANIFEST_HASH) throw incomplete(path);
  const sha256 = sha256Of(text);
  const statedSha256 = (await readContent(next.value)).toString('utf8').split(' ')[0];
  if (statedSha256 !== sha256) throw new BackupError(`${path} is damaged: its manifest was changed.`);
  if ((await rest.next()).done !== true) throw unexpectedEntries(path);
  return { text: text.toString('utf8'), sha256 };
}

async function readEntryList(path: string, list: TarEntry): Promise<ListedEntry[]> {
  if (list.size > MAXIMUM_LIST_BYTES) throw damaged(path, list.name);
  const lines = (await readContent(list)).toString('utf8').split('\n').slice(0, -1);
  if (lines.length === 0 || lines.length > ENTRIES_PER_LIST) throw damaged(path, list.name);
  return lines.map((line) => parseAs(ListedEntry, line, damaged(path, list.name).message));
}

async function* listedEntries(path: string, rest: TarEntries): AsyncGenerator<ArchiveEntry, VerifiedArchive> {
  let listCount = 0;
  let entryCount = 0;
  let remaining: ListedEntry[] = [];
  for (;;) {
    const { value: entry, done } = await rest.next();
    if (done === true) throw incomplete(path);
    const [listed, ...later] = remaining;
    if (listed !== undefined) {
      if (entry.name !== listed.name) throw missing(path, listed.name);
      remaining = later;
      entryCount += 1;
      const content = withHash(entry, (sha256) => {
        if (entry.size !== listed.size || sha256 !== listed.sha256) throw damaged(path, listed.name);
      });
      yield { name: entry.name, content };
      await drain(content);
    } else if (entry.name === entryListName(listCount + 1)) {
      listCount += 1;
      remaining = await readEntryList(path, entry);
    } else if (entry.name === MANIFEST) {
      const { text, sha256 } = await readManifest(path, entry, rest);
      const manifest = parseAs(Manifest, text, unsupportedFormatMessage(path));
      if (manifest.entries !== entryCount) throw damaged(path, MANIFEST);
      return { manifest, sha256 };
    } else {
      throw unexpectedEntries(path);
    }
  }
}

/**
 * Reads a whole archive and compares each entry with the size and hash that the archive states. Memory use does not depend on
 * its size.
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
  const entries = readTarEntries(source);
  try {
    const { value: first, done } = await entries.next();
    if (done === true) throw incomplete(path);
    if (first.name !== HEADER) throw new BackupError(unsupportedFormatMessage(path));
    parseAs(Header, (await readContent(first)).toString('utf8'), unsupportedFormatMessage(path));
    const archive = yield* listedEntries(path, entries);
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
