import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makePrivateFolder, PRIVATE_FILE } from './private-files.ts';
import { recordSchema, type Stored } from './records.ts';

const entrySchema = z.array(recordSchema);

export type Journal = {
  /** What the file held when it was opened, each record once, oldest first. */
  replayed: Stored[];
  /**
   * Writes the records as one line: after a crash either all of them are there or none.
   * Resolves once they, and everything appended before, are on the disk.
   * @throws the disk's error; from then on every append throws it, because memory and disk differ.
   */
  append(records: Stored[]): Promise<void>;
  /** Resolves once everything appended so far is on the disk. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens, or begins, the journal in `folder`. A last line that a crash cut short is dropped, and of each record only
 * its last state is kept: the journal is written anew beside the old one and takes its place in one step, so that
 * after a crash one or the other is there, whole.
 * @throws when another line than the last cannot be read: then the file was damaged, not cut short.
 */
export async function openJournal(folder: string): Promise<Journal> {
  await makePrivateFolder(folder);
  const path = join(folder, 'journal.jsonl');
  const { records, goodBytes, bytes } = parse(await readIfThere(path));
  const latest = latestOf(records);
  if (latest.length < records.length) await replace(path, latest);
  const file = await open(path, 'a', PRIVATE_FILE);
  // One of an earlier version was for everybody on the machine to read.
  await file.chmod(PRIVATE_FILE);
  if (latest.length === records.length && goodBytes < bytes) await file.truncate(goodBytes);
  await syncFolder(dirname(path));
  return new FileJournal(file, latest);
}

async function readIfThere(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

/** Each record in its last state, in the order in which they first came: lists are read in it. */
function latestOf(records: readonly Stored[]): Stored[] {
  const latest = new Map<string, Stored>();
  for (const record of records) latest.set(`${record.kind} ${record.id}`, record);
  return [...latest.values()];
}

/** Writes a journal anew. What an earlier crash left half-written beside it is overwritten. */
async function replace(path: string, records: readonly Stored[]): Promise<void> {
  const draft = await open(`${path}.new`, 'w', PRIVATE_FILE);
  try {
    await draft.writeFile(records.map((record) => `${JSON.stringify([record])}\n`).join(''), 'utf8');
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}

function parse(content: Buffer): { records: Stored[]; goodBytes: number; bytes: number } {
  const goodBytes = content.lastIndexOf('\n') + 1;
  const lines = content.subarray(0, goodBytes).toString('utf8').split('\n').slice(0, -1);
  const records = lines.flatMap((line, index) => {
    try {
      return entrySchema.parse(JSON.parse(line));
    } catch (cause) {
      throw new Error(`The card journal cannot be read at line ${index + 1}.`, { cause });
    }
  });
  return { records, goodBytes, bytes: content.length };
}

/** A new file's name is on the disk only once its folder has been synced too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

class FileJournal implements Journal {
  readonly replayed: Stored[];
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(file: FileHandle, replayed: Stored[]) {
    this.#file = file;
    this.replayed = replayed;
  }

  append(records: Stored[]): Promise<void> {
    this.#waiting.push(`${JSON.stringify(records)}\n`);
    // Appends that arrive while one sync runs share the next one.
    if (this.#waiting.length === 1) {
      this.#writing = this.#writing.then(() => this.#write());
      // Whoever appended sees the failure; this only keeps Node from ending the process first.
      this.#writing.catch(() => undefined);
    }
    return this.#writing;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting.splice(0).join('');
    await this.#file.appendFile(lines, 'utf8');
    await this.#file.datasync();
  }

  settled(): Promise<void> {
    return this.#writing;
  }

  async close(): Promise<void> {
    try {
      await this.#writing;
    } finally {
      await this.#file.close();
    }
  }
}
