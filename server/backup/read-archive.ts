import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import tar from 'tar-stream';
import type * as z from 'zod';
import {
  BackupProblem,
  HEAD,
  Head,
  LIST_ENTRIES,
  listName,
  MANIFEST,
  MANIFEST_HASH,
  Manifest,
  ManifestOfVersion1,
  MISSING_NAMED,
  StatedEntry,
  sha256Of,
} from './archive.ts';

/** An entry of an archive. */
export interface ArchiveEntry {
  name: string;
  /**
   * To be read before the next entry is asked for, or not at all. It fails with a BackupProblem when it is not as the
   * archive states, except while an archive of version 1 is read for the first time.
   */
  content: Readable;
}

/** What an archive is that was compared with what it states. */
export interface CheckedArchive {
  manifest: Manifest;
  /** Of the manifest. */
  sha256: string;
  /** All entries of an archive of version 1, which states them at its end; null for later versions. */
  stated: readonly StatedEntry[] | null;
}

/** More bytes than this program writes into a list of entries. */
const MAXIMUM_LIST_BYTES = 4 * 1024 * 1024;

interface TarEntry {
  name: string;
  /** Bytes. */
  size: number;
  content: Readable;
}

type TarEntries = AsyncGenerator<TarEntry, void>;

async function* tarEntriesOf(path: string): TarEntries {
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

const textOf = ({ content }: TarEntry) => buffer(content);

function parseAs<Output>(schema: z.ZodType<Output>, text: string, problem: string): Output {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new BackupProblem(problem, { cause: error });
  }
}

const damaged = (path: string, name: string) =>
  new BackupProblem(`${path} is damaged: ${name} is not as it was written.`);
const missing = (path: string, name: string) => new BackupProblem(`${path} is damaged: ${name} is missing.`);
const incomplete = (path: string) =>
  new BackupProblem(`${path} is not a whole backup: its manifest is missing.`);
const tooMuch = (path: string) => new BackupProblem(`${path} holds more than its manifest names.`);
const otherKind = (path: string) =>
  `${path} is a backup of another kind than this version of the shop makes.`;

/** Reads what is left of an entry, so that the next one can be read. */
async function drain(content: Readable): Promise<void> {
  if (content.readableEnded) return;
  for await (const chunk of content) void chunk;
}

/** An entry's content. @param onEnd told its SHA-256; what it throws, the content fails with */
function hashed({ content }: TarEntry, onEnd: (sha256: string) => void): Readable {
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

/** Reads what ends an archive: the manifest, which has just come, its hash, and nothing more. */
async function readEnd(path: string, entry: TarEntry, rest: TarEntries) {
  const text = await textOf(entry);
  const next = await rest.next();
  if (next.done === true || next.value.name !== MANIFEST_HASH) throw incomplete(path);
  const sha256 = sha256Of(text);
  const stated = (await textOf(next.value)).toString('utf8').split(' ')[0];
  if (stated !== sha256) throw new BackupProblem(`${path} is damaged: its manifest was changed.`);
  if ((await rest.next()).done !== true) throw tooMuch(path);
  return { text: text.toString('utf8'), sha256 };
}

async function readList(path: string, list: TarEntry): Promise<StatedEntry[]> {
  if (list.size > MAXIMUM_LIST_BYTES) throw damaged(path, list.name);
  const lines = (await textOf(list)).toString('utf8').split('\n').slice(0, -1);
  if (lines.length === 0 || lines.length > LIST_ENTRIES) throw damaged(path, list.name);
  return lines.map((line) => parseAs(StatedEntry, line, damaged(path, list.name).message));
}

async function* entriesOfVersion2(
  path: string,
  rest: TarEntries,
): AsyncGenerator<ArchiveEntry, CheckedArchive> {
  let lists = 0;
  let entries = 0;
  let expected: StatedEntry[] = [];
  for (;;) {
    const { value: entry, done } = await rest.next();
    if (done === true) throw incomplete(path);
    const [stated, ...later] = expected;
    if (stated !== undefined) {
      if (entry.name !== stated.name) throw missing(path, stated.name);
      expected = later;
      entries += 1;
      const content = hashed(entry, (sha256) => {
        if (entry.size !== stated.size || sha256 !== stated.sha256) throw damaged(path, stated.name);
      });
      yield { name: entry.name, content };
      await drain(content);
    } else if (entry.name === listName(lists + 1)) {
      lists += 1;
      expected = await readList(path, entry);
    } else if (entry.name === MANIFEST) {
      const { text, sha256 } = await readEnd(path, entry, rest);
      const manifest = parseAs(Manifest, text, otherKind(path));
      if (manifest.entries !== entries) throw damaged(path, MANIFEST);
      return { manifest, sha256, stated: null };
    } else {
      throw tooMuch(path);
    }
  }
}

/** @param known what is stated of the entries, when the archive was read before */
async function* entriesOfVersion1(
  path: string,
  first: TarEntry,
  rest: TarEntries,
  known: readonly StatedEntry[] | null,
): AsyncGenerator<ArchiveEntry, CheckedArchive> {
  const found: StatedEntry[] = [];
  for (let entry = first; ; ) {
    const { name, size } = entry;
    if (name === MANIFEST) {
      const { text, sha256 } = await readEnd(path, entry, rest);
      const { missingPhotos, entries, ...contents } = parseAs(ManifestOfVersion1, text, otherKind(path));
      for (const [index, stated] of entries.entries()) {
        const there = found[index];
        if (there?.name !== stated.name) throw missing(path, stated.name);
        if (there.size !== stated.size || there.sha256 !== stated.sha256) throw damaged(path, stated.name);
      }
      if (entries.length !== found.length) throw tooMuch(path);
      const manifest: Manifest = {
        ...contents,
        version: 2,
        missingPhotos: { count: missingPhotos.length, first: missingPhotos.slice(0, MISSING_NAMED) },
        entries: entries.length,
      };
      return { manifest, sha256, stated: entries };
    }
    const stated = known?.[found.length];
    const content = hashed(entry, (sha256) => {
      if (known !== null && (stated?.name !== name || stated.sha256 !== sha256)) throw damaged(path, name);
      found.push({ name, size, sha256 });
    });
    yield { name, content };
    await drain(content);
    const next = await rest.next();
    if (next.done === true) throw incomplete(path);
    entry = next.value;
  }
}

/**
 * Reads an archive from end to end and compares every entry with what the archive states of it. For an archive of
 * version 2 the memory that this takes does not grow with the archive.
 * @param known what reading it has found before
 * @yields the entries that hold rows, photos or the secret, in order
 * @returns what the archive is, once all of it was compared
 * @throws BackupProblem when something is missing, too much or not as it was written
 */
export async function* checkedEntries(
  path: string,
  known: CheckedArchive | null = null,
): AsyncGenerator<ArchiveEntry, CheckedArchive> {
  const entries = tarEntriesOf(path);
  try {
    const { value: first, done } = await entries.next();
    if (done === true) throw incomplete(path);
    let archive: CheckedArchive;
    if (first.name === HEAD) {
      parseAs(Head, (await textOf(first)).toString('utf8'), otherKind(path));
      archive = yield* entriesOfVersion2(path, entries);
    } else {
      archive = yield* entriesOfVersion1(path, first, entries, known?.stated ?? null);
    }
    if (known === null || known.sha256 === archive.sha256) return archive;
    throw new BackupProblem(`${path} is not any more as it was when it was checked.`);
  } catch (error) {
    if (error instanceof BackupProblem) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupProblem(`${path} cannot be read as a backup: ${reason}.`, { cause: error });
  } finally {
    await entries.return();
  }
}

/** Reads an archive from end to end. @throws BackupProblem when something in it is not as it was written */
export async function verifyArchive(path: string): Promise<CheckedArchive> {
  const entries = checkedEntries(path);
  for (;;) {
    const { value, done } = await entries.next();
    if (done === true) return value;
  }
}
