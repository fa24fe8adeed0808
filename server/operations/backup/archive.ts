import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import tar from 'tar-stream';
import * as z from 'zod';
import { StorageError } from '#server/listings/photos/storage.ts';

// A backup is a tar archive, which standard tools can read. A pax header of each entry has the SHA-256 of its name, a line feed
// and its content:
//   tables/<schema>/<table>/<number>.copy   rows in PostgreSQL's COPY text format, to be concatenated in order
//   photos/<key>                            the image host's originals
//   secret                                  the shop's generated secret, unless a configured one is used
//   manifest.json                           the contents: tables with columns and row counts, the number of entries

/** Thrown when a backup cannot be made, read or restored, with a message for the operator. */
export class BackupError extends Error {
  override readonly name: string = 'BackupError';
}

/** Thrown when this shop cannot restore a backup. It says nothing about the backup. */
export class RestoreImpossible extends BackupError {
  override readonly name = 'RestoreImpossible';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** How many missing photos are named; the others are only counted. */
export const MAXIMUM_MISSING_NAMES = 100;

const Contents = z.object({
  /** The migrations of the database when the rows were read, oldest first. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(
    z.object({
      schema: Name,
      name: Name,
      columns: z.array(Name).min(1),
      rows: z.number(),
      parts: z.number(),
    }),
  ),
  sequences: z.array(z.object({ schema: Name, name: Name, value: z.string().regex(/^\d+$/) })),
  /** The number of photo files; null when another host stores them. */
  photos: z.number().nullable(),
  /** Photos that laptops show and that the storage did not have. */
  missingPhotos: z.object({ count: z.number(), first: z.array(z.string()).max(MAXIMUM_MISSING_NAMES) }),
  /** Whether the archive contains the secret, and the secret's fingerprint. */
  secret: z.object({ included: z.boolean(), fingerprint: z.string() }),
});
const Manifest = Contents.extend({
  entries: z.number(),
  format: z.literal('coomercio-backup'),
  version: z.literal(1),
});
export type Contents = z.infer<typeof Contents>;
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest['tables'][number];
export type ListedTable = Pick<BackedUpTable, 'schema' | 'name' | 'columns'>;

const MANIFEST = 'manifest.json';
export const SECRET = 'secret';
/** The prefix of the entry names of photos. */
export const PHOTO_PREFIX = 'photos/';

/** The pax record with the SHA-256 of an entry. */
const HASH_RECORD = 'COOMERCIO.sha256';

/** The entry name of a part of a table's rows. @param part from 1 */
export function partName({ schema, name }: { schema: string; name: string }, part: number): string {
  return `tables/${schema}/${name}/${String(part).padStart(6, '0')}.copy`;
}

function sha256Of(name: string, content: Buffer): string {
  return createHash('sha256').update(`${name}\n`).update(content).digest('hex');
}

/** Stores the bytes of an archive. They end only when the archive is complete; otherwise the stream fails. */
export type ArchiveSink = (content: Readable) => Promise<void>;

/** Writes a file that only its owner may read. It appears at `path` once it is complete and synced. */
export async function writeFileSafely(path: string, content: Readable): Promise<void> {
  const draft = `${path}.${randomUUID()}.partial`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await pipeline(content, file.createWriteStream({ flush: true }));
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

export type AddEntry = (name: string, content: Buffer) => Promise<void>;

/**
 * Writes an archive.
 * @param writeContents adds the entries, and returns what the manifest says of them
 * @param signal aborts the writing
 */
export async function writeArchive(
  sink: ArchiveSink,
  writeContents: (add: AddEntry) => Promise<Contents>,
  signal?: AbortSignal,
): Promise<Manifest> {
  const pack = tar.pack();
  const fail = (error: unknown) => pack.destroy(error instanceof Error ? error : new Error(String(error)));
  const put = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const pax = { [HASH_RECORD]: sha256Of(name, content) };
      const header = { name, size: content.length, mode: 0o600, mtime: new Date(0), pax };
      // A failure is also an event, which would end the process if nothing listened.
      pack
        .entry(header, content, (error) => (error ? reject(error) : resolve()))
        .on('error', () => undefined);
    });

  async function write(): Promise<Manifest> {
    let entries = 0;
    const contents = await writeContents(async (name, content) => {
      await put(name, content);
      entries += 1;
    });
    const manifest: Manifest = { ...contents, entries, format: 'coomercio-backup', version: 1 };
    await put(MANIFEST, Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`));
    pack.finalize();
    return manifest;
  }

  // A failure of either ends the other. Not in object mode, whose limit is a number of chunks of any size.
  const stored = sink(Readable.from(pack, { objectMode: false, ...(signal && { signal }) }));
  stored.catch(fail);
  const written = write();
  written.catch(fail);
  await stored;
  return written;
}

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

/** The maximum size of an entry that is read: it is in memory. This program writes much smaller ones. */
const MAXIMUM_ENTRY_BYTES = 128 * 1024 * 1024;

const damaged = (path: string, name: string) =>
  new BackupError(`${path} is damaged: ${name} is not as it was written.`);
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

function parseManifest(content: Buffer, path: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(content.toString('utf8')));
  } catch (error) {
    throw unsupported(path, error);
  }
}

/**
 * Reads a whole archive and compares each entry with its hash. Memory use does not depend on its size.
 * @param verified the manifest as it was when the same archive was read before
 * @yields the entries with rows, photos and the secret, in order
 * @throws BackupError when an entry is missing, unexpected or changed
 */
export async function* verifiedEntries(
  source: ArchiveSource,
  verified: Manifest | null = null,
): AsyncGenerator<ArchiveEntry, Manifest> {
  const path = source.name;
  let count = 0;
  let manifest: Manifest | null = null;
  try {
    for await (const entry of readEntries(source)) {
      const isLast = entry.name === MANIFEST;
      if (isLast) manifest = parseManifest(entry.content, path);
      else count += 1;
      if (manifest !== null && (!isLast || manifest.entries !== count)) {
        throw new BackupError(`${path} is damaged: it has other entries than its manifest lists.`);
      }
      if (!isLast) yield entry;
    }
  } catch (error) {
    if (error instanceof BackupError || error instanceof StorageError) throw error;
    throw new BackupError(`${path} cannot be read as a backup: ${messageOf(error)}.`, { cause: error });
  }
  if (manifest === null) throw new BackupError(`${path} is not a whole backup: its manifest is missing.`);
  if (verified === null || isDeepStrictEqual(verified, manifest)) return manifest;
  throw new BackupError(`${path} was changed after it was checked.`);
}

/** Reads a whole archive. @returns its manifest and its secret @throws BackupError when it is not intact */
export async function verifyArchive(
  source: ArchiveSource,
  signal?: AbortSignal,
): Promise<{ manifest: Manifest; secret: string | null }> {
  const entries = verifiedEntries(source);
  let secret: string | null = null;
  for (;;) {
    // Closes the archive. The caller knows the reason.
    if (signal?.aborted === true) await entries.throw(signal.reason);
    const { value, done } = await entries.next();
    if (done === true) return { manifest: value, secret };
    if (value.name === SECRET) secret = value.content.toString('utf8');
  }
}
