import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { recordSchema, type StoredRecord } from './records.ts';

/** How long a start waits for another process that still writes. */
const LOCK_TIMEOUT_MS = 5_000;

const rowSchema = z.object({ record: z.string() });

/** The records on disk: a SQLite database with a row for each, which holds its last state as JSON. */
export class RecordFile {
  readonly #folder: string;
  readonly #database: DatabaseSync;
  readonly #upsert: StatementSync;
  #failure: unknown = null;

  /** Opens or creates the database in `folder`. It holds names and payments, so only its owner may read it. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'records.sqlite');
    // SQLite gives the files beside it the same mode.
    closeSync(openSync(path, 'a', 0o600));
    this.#database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
    this.#database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      create table if not exists records (kind text, id text, record text not null, primary key (kind, id))`);
    this.#upsert = this.#database.prepare(
      'insert into records values (?, ?, ?) on conflict do update set record = excluded.record',
    );
  }

  /** Returns all records, oldest first, which lists rely on. @throws if one cannot be read */
  read(): StoredRecord[] {
    const rows = this.#database.prepare('select record from records order by rowid').all();
    try {
      return rows.map((row) => recordSchema.parse(JSON.parse(rowSchema.parse(row).record)));
    } catch (cause) {
      throw new Error(
        `The records in ${this.#folder} are damaged, or another version wrote them. They are left as they are: start that version, or empty this folder to start without payments.`,
        { cause },
      );
    }
  }

  /**
   * Writes the records, so that after a crash either all of them exist or none.
   * @throws the error of the disk; all later writes throw as well, because memory and disk differ
   */
  write(records: readonly StoredRecord[]): void {
    if (this.#failure !== null) throw this.#failure;
    try {
      this.#database.exec('begin');
      for (const record of records) this.#upsert.run(record.kind, record.id, JSON.stringify(record));
      this.#database.exec('commit');
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}
