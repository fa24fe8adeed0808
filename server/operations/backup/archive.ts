import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import * as z from 'zod';

// A backup is a tar archive, which standard tools can read:
//   backup.json                             the format's version
//   entries/<number>.jsonl                  one line for each entry up to the next list: name, size and SHA-256
//   tables/<schema>/<table>/<number>.copy   rows in PostgreSQL's COPY text format, to be concatenated in order
//   photos/<key>                            the image host's originals
//   secret                                  the shop's generated secret, unless a configured one is used
//   manifest.json                           the contents: tables with columns and row counts, the number of entries
//   manifest.json.sha256                    the manifest's hash in the format of sha256sum
// The lists are interleaved with the entries, so that memory use does not depend on the size of the archive.

/** Thrown when a backup cannot be made, read or restored, with a message for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** The first entry, which identifies the format. */
export const Header = z.object({ format: z.literal('coomercio-backup'), version: z.literal(2) });

/** A line of an entry list. */
export const ListedEntry = z.object({ name: z.string(), size: z.number(), sha256: z.string() });
export type ListedEntry = z.infer<typeof ListedEntry>;

/** How many missing photos are named; the others are only counted. */
export const MAXIMUM_MISSING_NAMES = 100;

export const Manifest = z.object({
  format: z.literal('coomercio-backup'),
  createdAt: z.iso.datetime(),
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
  /** The sum of each account of the ledger, in cents. */
  ledgerBalances: z.array(z.object({ account: z.string(), cents: z.string().regex(/^-?\d+$/) })),
  /** The number of photo files; null when another host stores them. */
  photos: z.number().nullable(),
  /** Whether the archive contains the secret, and the secret's fingerprint. */
  secret: z.object({ included: z.boolean(), mark: z.string() }),
  version: z.literal(2),
  /** Photos that laptops show and that the storage did not have. */
  missingPhotos: z.object({ count: z.number(), first: z.array(z.string()).max(MAXIMUM_MISSING_NAMES) }),
  entries: z.number(),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackedUpTable = Manifest['tables'][number];

export const HEADER = 'backup.json';
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';

/** The limits of one entry list and its entries, which are buffered until one of the limits is reached. */
export const ENTRIES_PER_LIST = 1000;
const LIST_BYTES = 8 * 1024 * 1024;

/** The name of an entry list. @param number from 1 */
export function entryListName(number: number): string {
  return `entries/${String(number).padStart(6, '0')}.jsonl`;
}

/** The entry name of a part of a table's rows. @param part from 1 */
export function partName({ schema, name }: { schema: string; name: string }, part: number): string {
  return `tables/${schema}/${name}/${String(part).padStart(6, '0')}.copy`;
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>;
  /** Writes the manifest, with the number of entries added, and ends the archive. */
  finish(manifest: Omit<z.input<typeof Manifest>, 'entries'>): Promise<void>;
}

/** Stores the bytes of an archive. They end only when the archive is complete; otherwise the stream fails. */
export type ArchiveSink = (content: Readable) => Promise<void>;

/** Writes a file that only its owner may read. It appears at `path` once it is complete and synced. */
export const toFile =
  (path: string): ArchiveSink =>
  async (content) => {
    const draft = `${path}.${process.pid}.partial`;
    const file = await open(draft, 'wx', 0o600);
    try {
      await pipeline(content, file.createWriteStream({ flush: true }));
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  };

/**
 * Writes an archive.
 * @param signal aborts the writing
 * @returns the result of `write`
 */
export async function writeArchive<Result>(
  sink: ArchiveSink,
  write: (archive: ArchiveWriter) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const pack = tar.pack();
  const fail = (error: unknown) => pack.destroy(error instanceof Error ? error : new Error(String(error)));
  const abort = () => fail(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  // Not in object mode, whose limit is a number of chunks of any size.
  const stored = sink(Readable.from(pack, { objectMode: false }));
  stored.catch(fail);
  const put = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted === true) throw signal.reason;
      const header = { name, size: content.length, mode: 0o600, mtime: new Date(0) };
      // A failure is also an event, which would end the process if nothing listened.
      pack
        .entry(header, content, (error) => (error ? reject(error) : resolve()))
        .on('error', () => undefined);
    });

  let buffered: { name: string; content: Buffer }[] = [];
  let bytes = 0;
  let listCount = 0;
  let entryCount = 0;
  const flush = async () => {
    if (buffered.length === 0) return;
    const lines = buffered.map(({ name, content }) => {
      const entry: ListedEntry = { name, size: content.length, sha256: sha256Of(content) };
      return `${JSON.stringify(entry)}\n`;
    });
    listCount += 1;
    await put(entryListName(listCount), Buffer.from(lines.join('')));
    for (const { name, content } of buffered) await put(name, content);
    entryCount += buffered.length;
    buffered = [];
    bytes = 0;
  };
  const writing = async () => {
    const header: z.infer<typeof Header> = { format: 'coomercio-backup', version: 2 };
    await put(HEADER, Buffer.from(`${JSON.stringify(header)}\n`));
    return write({
      add: async (name, content) => {
        buffered.push({ name, content });
        bytes += content.length;
        if (buffered.length === ENTRIES_PER_LIST || bytes >= LIST_BYTES) await flush();
      },
      finish: async (manifest) => {
        await flush();
        const text = Buffer.from(`${JSON.stringify({ ...manifest, entries: entryCount }, undefined, 1)}\n`);
        await put(MANIFEST, text);
        await put(MANIFEST_HASH, Buffer.from(`${sha256Of(text)}  ${MANIFEST}\n`));
        pack.finalize();
      },
    });
  };
  try {
    const result = writing();
    result.catch(fail);
    // A failure of either ends the other. The sink rejects with its own error, and with the writer's if that was first.
    await stored;
    return await result;
  } finally {
    // After a failure, the sink removes what it has stored.
    await stored.catch(() => undefined);
    signal?.removeEventListener('abort', abort);
  }
}
