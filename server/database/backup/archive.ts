import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import * as z from 'zod';

// A backup is a tar archive, so that it can be looked into without this program:
//   tables/<schema>/<table>/<number>.copy   rows in PostgreSQL's COPY text format, to be joined in order
//   photos/<key>                            the image host's files
//   secret                                  the shop's generated secret, unless a configured one is used
//   manifest.json                           what there is: tables with columns and row counts, and each entry's SHA-256
//   manifest.json.sha256                    the manifest's own, as sha256sum writes it

/** A backup that cannot be made, read or restored, in a sentence for the person at the terminal. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}

const Name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/);

export const Manifest = z.object({
  format: z.literal('coomercio-backup'),
  version: z.literal(1),
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
  /** How many files the image host had; null when another host keeps the photos, or an earlier version left them out. */
  photos: z.number().nullable(),
  /** Photos that laptops show and that were nowhere. Earlier versions did not look. */
  missingPhotos: z.array(z.string()).default([]),
  /** Whether the secret is in the archive, and what tells it from others without telling it. */
  secret: z.object({ included: z.boolean(), mark: z.string() }),
  entries: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof Manifest>;
export type TableOfBackup = Manifest['tables'][number];

const MANIFEST = 'manifest.json';
const MANIFEST_HASH = 'manifest.json.sha256';

/** Where a part of a table's rows stands. @param part from 1 */
export function partName({ schema, name }: { schema: string; name: string }, part: number): string {
  return `tables/${schema}/${name}/${String(part).padStart(6, '0')}.copy`;
}

/** An archive that is being written. */
export interface ArchiveWriter {
  /** Adds an entry. @param size in bytes, exactly what `content` will give */
  add(name: string, size: number, content: Readable | Buffer): Promise<void>;
  /** Ends the archive with its manifest, to which the entries are added here. */
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
    const entries: Manifest['entries'] = [];
    const add = async (name: string, size: number, content: Readable | Buffer): Promise<string> => {
      const hash = createHash('sha256');
      const entry = pack.entry({ name, size, mode: 0o600, mtime: new Date(0) });
      if (Buffer.isBuffer(content)) {
        hash.update(content);
        await pipeline([content], entry);
      } else {
        await pipeline(
          content,
          async function* (chunks: AsyncIterable<Buffer>) {
            for await (const chunk of chunks) {
              hash.update(chunk);
              yield chunk;
            }
          },
          entry,
        );
      }
      return hash.digest('hex');
    };
    const writing = write({
      add: async (name, size, content) => {
        entries.push({ name, size, sha256: await add(name, size, content) });
      },
      finish: async (manifest) => {
        const text = Buffer.from(`${JSON.stringify({ ...manifest, entries }, undefined, 1)}\n`);
        const sha256 = await add(MANIFEST, text.length, text);
        const line = Buffer.from(`${sha256}  ${MANIFEST}\n`);
        await add(MANIFEST_HASH, line.length, line);
        pack.finalize();
      },
    });
    writing.catch((error: unknown) =>
      pack.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    const [answer] = await Promise.all([writing, written]);
    await rename(draft, path);
    return answer;
  } finally {
    await rm(draft, { force: true });
  }
}

/** An entry on its way out of an archive; its content must be read to the end before the next comes. */
export interface ArchiveEntry {
  name: string;
  size: number;
  content: Readable;
}

/** The entries of an archive in order. @throws the file's or the archive's error, also while an entry is read */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(path);
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

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(Buffer.from(chunk));
  return hash.digest('hex');
}

/**
 * Reads an archive once from end to end and compares everything in it with its manifest.
 * @throws BackupProblem when something is missing, too much or not as it was written
 */
export async function verifyArchive(path: string): Promise<Manifest> {
  try {
    return await compareWithManifest(path);
  } catch (error) {
    if (error instanceof BackupProblem) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupProblem(`${path} cannot be read as a backup: ${reason}.`);
  }
}

async function compareWithManifest(path: string): Promise<Manifest> {
  const found = new Map<string, { size: number; sha256: string }>();
  let manifest: { text: Buffer; sha256: string } | null = null;
  let stated: string | null = null;
  for await (const { name, size, content } of readArchive(path)) {
    if (name === MANIFEST) {
      const text = await buffer(content);
      manifest = { text, sha256: createHash('sha256').update(text).digest('hex') };
    } else if (name === MANIFEST_HASH) {
      stated = (await buffer(content)).toString('utf8').split(' ')[0] ?? '';
    } else if (found.has(name)) {
      throw new BackupProblem(`${path} holds ${name} twice.`);
    } else {
      found.set(name, { size, sha256: await hashOf(content) });
    }
  }
  if (manifest === null || stated === null) {
    throw new BackupProblem(`${path} is not a whole backup: its manifest is missing.`);
  }
  if (manifest.sha256 !== stated) throw new BackupProblem(`${path} is damaged: its manifest was changed.`);
  const parsed = Manifest.safeParse(JSON.parse(manifest.text.toString('utf8')));
  if (!parsed.success) {
    throw new BackupProblem(`${path} is a backup of another kind than this version of the shop makes.`);
  }
  const { entries } = parsed.data;
  for (const { name, size, sha256 } of entries) {
    const there = found.get(name);
    if (there === undefined) throw new BackupProblem(`${path} is damaged: ${name} is missing.`);
    if (there.size !== size || there.sha256 !== sha256) {
      throw new BackupProblem(`${path} is damaged: ${name} is not as it was written.`);
    }
  }
  if (entries.length !== found.size) throw new BackupProblem(`${path} holds more than its manifest names.`);
  return parsed.data;
}
