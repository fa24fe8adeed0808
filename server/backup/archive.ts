import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import * as z from 'zod';

// A backup is a tar archive, so that it can be looked into without this program:
//   backup.json                             the format's version
//   entries/<number>.jsonl                  a line with name, size and SHA-256 for each of the entries up to the next such list
//   tables/<schema>/<table>/<number>.copy   rows in PostgreSQL's COPY text format, to be joined in order
//   photos/<key>                            the image host's originals
//   secret                                  the shop's generated secret, unless a configured one is used
//   manifest.json                           what there is: tables with columns and row counts, how many entries
//   manifest.json.sha256                    the manifest's own, as sha256sum writes it
// The lists stand between the entries, so that an archive of any size is written and read in the same memory.
//
// Version 1 had no backup.json and no lists: its manifest.json named all entries.

/** A backup that cannot be made, read or restored, in a sentence for the person at the terminal. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

/** What identifies an archive, in its first entry. */
export const Head = z.object({ format: z.literal('coomercio-backup'), version: z.literal(2) });

/** A line of a list of entries. */
export const StatedEntry = z.object({ name: z.string(), size: z.number(), sha256: z.string() });
export type StatedEntry = z.infer<typeof StatedEntry>;

const contents = {
  format: z.literal('coomercio-backup'),
  createdAt: z.iso.datetime(),
  /** The shop's migrations that the rows are of, the oldest first. */
  migrations: z.array(z.string()).min(1),
  /** The version of the queue's own tables; null when there was no queue yet. */
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
  /** How many files of photos there are; null when another host keeps them, or an earlier version left them out. */
  photos: z.number().nullable(),
  /** Whether the secret is in the archive, and what tells it from others without telling it. */
  secret: z.object({ included: z.boolean(), mark: z.string() }),
};

/** So many missing photos are named; the others are only counted. */
export const MISSING_NAMED = 100;

export const Manifest = z.object({
  ...contents,
  version: z.literal(2),
  /** Photos that laptops show and that were nowhere. */
  missingPhotos: z.object({ count: z.number(), first: z.array(z.string()).max(MISSING_NAMED) }),
  entries: z.number(),
});
export type Manifest = z.infer<typeof Manifest>;
export type TableOfBackup = Manifest['tables'][number];

/** As earlier versions wrote it. */
export const ManifestOfVersion1 = z.object({
  ...contents,
  version: z.literal(1),
  missingPhotos: z.array(z.string()).default([]),
  entries: z.array(StatedEntry),
});

export const HEAD = 'backup.json';
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.json.sha256';

/** Entries are held back until they fill a list: up to so many, and up to so many bytes together. */
export const LIST_ENTRIES = 1000;
const LIST_BYTES = 8 * 1024 * 1024;

/** @param number from 1 */
export function listName(number: number): string {
  return `entries/${String(number).padStart(6, '0')}.jsonl`;
}

/** Where a part of a table's rows stands. @param part from 1 */
export function partName({ schema, name }: { schema: string; name: string }, part: number): string {
  return `tables/${schema}/${name}/${String(part).padStart(6, '0')}.copy`;
}

export function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** An archive that is being written. */
export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>;
  /** Ends the archive with its manifest, to which the number of entries is added here. */
  finish(manifest: Omit<z.input<typeof Manifest>, 'entries'>): Promise<void>;
}

/**
 * Writes an archive under a name that appears when it is whole and on disk. Only its owner may read it.
 * @returns what `write` answers
 */
export async function writeArchive<Answer>(
  path: string,
  write: (archive: ArchiveWriter) => Promise<Answer>,
): Promise<Answer> {
  const draft = `${path}.${process.pid}.partial`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const pack = tar.pack();
    const written = pipeline(pack, file.createWriteStream({ flush: true }));
    const put = (name: string, content: Buffer) =>
      new Promise<void>((resolve, reject) => {
        const header = { name, size: content.length, mode: 0o600, mtime: new Date(0) };
        pack.entry(header, content, (error) => (error ? reject(error) : resolve()));
      });

    let waiting: { name: string; content: Buffer }[] = [];
    let bytes = 0;
    let lists = 0;
    let entries = 0;
    const flush = async () => {
      if (waiting.length === 0) return;
      const lines = waiting.map(({ name, content }) => {
        const entry: StatedEntry = { name, size: content.length, sha256: sha256Of(content) };
        return `${JSON.stringify(entry)}\n`;
      });
      lists += 1;
      await put(listName(lists), Buffer.from(lines.join('')));
      for (const { name, content } of waiting) await put(name, content);
      entries += waiting.length;
      waiting = [];
      bytes = 0;
    };
    const writing = async () => {
      const head: z.infer<typeof Head> = { format: 'coomercio-backup', version: 2 };
      await put(HEAD, Buffer.from(`${JSON.stringify(head)}\n`));
      return write({
        add: async (name, content) => {
          waiting.push({ name, content });
          bytes += content.length;
          if (waiting.length === LIST_ENTRIES || bytes >= LIST_BYTES) await flush();
        },
        finish: async (manifest) => {
          await flush();
          const text = Buffer.from(`${JSON.stringify({ ...manifest, entries }, undefined, 1)}\n`);
          await put(MANIFEST, text);
          await put(MANIFEST_HASH, Buffer.from(`${sha256Of(text)}  ${MANIFEST}\n`));
          pack.finalize();
        },
      });
    };
    const answer = writing();
    answer.catch((error: unknown) => pack.destroy(error instanceof Error ? error : new Error(String(error))));
    await Promise.all([answer, written]);
    await rename(draft, path);
    return await answer;
  } finally {
    await rm(draft, { force: true });
  }
}
