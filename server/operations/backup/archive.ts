import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import * as z from 'zod';

// A backup is a tar archive, which standard tools can read. A pax header of each entry has the SHA-256 of its name, a line feed
// and its content:
//   backup.json                             the format's version
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

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** The first entry, which identifies the format. */
export const Header = z.object({ format: z.literal('coomercio-backup'), version: z.literal(1) });

/** How many missing photos are named; the others are only counted. */
export const MAXIMUM_MISSING_NAMES = 100;

export const Manifest = z.object({
  /** The migrations of the database when the rows were read, oldest first. */
  migrations: z.array(z.string()).min(1),
  /** The schema version of pg-boss; null when it had no tables yet. */
  queueVersion: z.number().nullable(),
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
  entries: z.number(),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest['tables'][number];

export const HEADER = 'backup.json';
export const MANIFEST = 'manifest.json';
export const SECRET = 'secret';
/** The prefix of the entry names of photos. */
export const PHOTO_PREFIX = 'photos/';

/** The pax record with the SHA-256 of an entry. */
export const HASH_RECORD = 'COOMERCIO.sha256';

/** The entry name of a part of a table's rows. @param part from 1 */
export function partName({ schema, name }: { schema: string; name: string }, part: number): string {
  return `tables/${schema}/${name}/${String(part).padStart(6, '0')}.copy`;
}

export function sha256Of(name: string, content: Buffer): string {
  return createHash('sha256').update(`${name}\n`).update(content).digest('hex');
}

/** Stores the bytes of an archive. They end only when the archive is complete; otherwise the stream fails. */
export type ArchiveSink = (content: Readable) => Promise<void>;

/** Writes a file that only its owner may read. It appears at `path` once it is complete and synced. */
export async function writeFileSafely(path: string, content: Readable): Promise<void> {
  const draft = `${path}.${process.pid}.partial`;
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
 * @param writeContents adds the entries, and returns their manifest without their number
 * @param signal aborts the writing
 */
export async function writeArchive(
  sink: ArchiveSink,
  writeContents: (add: AddEntry) => Promise<Omit<Manifest, 'entries'>>,
  signal?: AbortSignal,
): Promise<Manifest> {
  const pack = tar.pack();
  const fail = (error: unknown) => pack.destroy(error instanceof Error ? error : new Error(String(error)));
  const abort = () => fail(signal?.reason);
  const put = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const pax = { [HASH_RECORD]: sha256Of(name, content) };
      const header = { name, size: content.length, mode: 0o600, mtime: new Date(0), pax };
      // A failure is also an event, which would end the process if nothing listened.
      pack
        .entry(header, content, (error) => (error ? reject(error) : resolve()))
        .on('error', () => undefined);
    });
  const putJson = (name: string, value: unknown) =>
    put(name, Buffer.from(`${JSON.stringify(value, undefined, 1)}\n`));

  async function write(): Promise<Manifest> {
    const header: z.infer<typeof Header> = { format: 'coomercio-backup', version: 1 };
    await putJson(HEADER, header);
    let entries = 0;
    const contents = await writeContents(async (name, content) => {
      await put(name, content);
      entries += 1;
    });
    const manifest = { ...contents, entries };
    await putJson(MANIFEST, manifest);
    pack.finalize();
    return manifest;
  }

  signal?.addEventListener('abort', abort, { once: true });
  try {
    // A failure of either ends the other. Not in object mode, whose limit is a number of chunks of any size.
    const stored = sink(Readable.from(pack, { objectMode: false }));
    stored.catch(fail);
    const written = write();
    written.catch(fail);
    await stored;
    return await written;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
