import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { recordSchema, type StoredRecord } from './records.ts';

// The journal holds names, e-mail addresses and payments: only its owner may read it.
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const entrySchema = z.array(recordSchema);

export class Journal {
  /** The records at the time of opening, each in its last state, oldest first. */
  readonly records: StoredRecord[];
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, records: StoredRecord[]) {
    this.#file = file;
    this.records = records;
  }

  /**
   * Opens or creates the journal in `folder`. Drops an incomplete last line, which a crash leaves, and compacts the
   * journal to the last state of each record. The compacted journal is written to a second file that replaces the first
   * by a rename, so a crash leaves one of them complete.
   * @throws if any other line cannot be read: then the file was damaged
   */
  static async open(folder: string): Promise<Journal> {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    const path = join(folder, 'journal.jsonl');
    const { records, completeBytes, bytes } = parse(await readIfExists(path));
    const latest = latestStates(records);
    if (latest.length < records.length) await compact(path, latest);
    const file = await open(path, 'a', PRIVATE_FILE);
    if (latest.length === records.length && completeBytes < bytes) await file.truncate(completeBytes);
    await syncFolder(dirname(path));
    return new Journal(file, latest);
  }

  /**
   * Writes the records as one line, so that after a crash either all of them exist or none.
   * Resolves once they, and all appended before, are on disk.
   * @throws the error of the disk; all later appends throw it as well, because memory and disk differ
   */
  append(records: StoredRecord[]): Promise<void> {
    this.#waiting.push(`${JSON.stringify(records)}\n`);
    // Group commit: appends that arrive during a sync share the next one.
    if (this.#waiting.length === 1) {
      this.#writing = this.#writing.then(() => this.#write());
      // The caller of append handles the error; this only prevents an unhandled rejection.
      this.#writing.catch(() => undefined);
    }
    return this.#writing;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting.splice(0).join('');
    await this.#file.appendFile(lines, 'utf8');
    await this.#file.datasync();
  }

  /** Resolves once everything appended so far is on disk. */
  flushed(): Promise<void> {
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

async function readIfExists(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

/** Returns each record in its last state, in the order of creation, which lists rely on. */
function latestStates(records: readonly StoredRecord[]): StoredRecord[] {
  const latest = new Map<string, StoredRecord>();
  for (const record of records) latest.set(`${record.kind} ${record.id}`, record);
  return [...latest.values()];
}

/** Writes a compacted journal. Overwrites an incomplete one that an earlier crash has left. */
async function compact(path: string, records: readonly StoredRecord[]): Promise<void> {
  const draft = await open(`${path}.new`, 'w', PRIVATE_FILE);
  try {
    await draft.writeFile(records.map((record) => `${JSON.stringify([record])}\n`).join(''), 'utf8');
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}

function parse(content: Buffer): { records: StoredRecord[]; completeBytes: number; bytes: number } {
  const completeBytes = content.lastIndexOf('\n') + 1;
  const lines = content.subarray(0, completeBytes).toString('utf8').split('\n').slice(0, -1);
  const records = lines.flatMap((line, index) => {
    try {
      return entrySchema.parse(JSON.parse(line));
    } catch (cause) {
      throw new Error(`The card journal cannot be read at line ${index + 1}.`, { cause });
    }
  });
  return { records, completeBytes, bytes: content.length };
}

/** Flushes a folder: a new file's name is on disk only after this. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
