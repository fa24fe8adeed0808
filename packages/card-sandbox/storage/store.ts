import type { RecordFile } from './record-file.ts';
import type { RecordOf, StoredRecord } from './records.ts';

type Kind = StoredRecord['kind'];

const isOfKind = <K extends Kind>(record: StoredRecord | undefined, kind: K): record is RecordOf<K> =>
  record?.kind === kind;

/** What can be chosen at the start. */
export type Terms = {
  /** Milliseconds until a pending refund settles, a charge is disputed, its money is available, and a payout changes. */
  delay: number;
  /** How often the platform's available balance is paid out to its bank, until `POST /v1/balance_settings` changes it. */
  payouts: 'daily' | 'weekly' | 'manual';
  /**
   * The platform's currency, and how many units of it one unit of another currency is worth, in which payments are settled, at the first
   * start. Null: each payment is settled in its own currency, as of a platform with a bank account in each.
   */
  settlement: { currency: string; exchangeRate: number | null };
};

/** Stripe's defaults for a platform in the US (https://docs.stripe.com/payouts), and a delay long enough to see the state before. */
export const STANDARD_TERMS: Terms = {
  delay: 5_000,
  payouts: 'daily',
  settlement: { currency: 'usd', exchangeRate: null },
};

/** The whole state of the sandbox: in memory for reading, in a file for the next start. */
export class Store {
  readonly terms: Terms;
  readonly #file: RecordFile;
  readonly #tables = new Map<Kind, Map<string, StoredRecord>>();
  readonly #staged: StoredRecord[] = [];

  constructor(file: RecordFile, terms: Terms) {
    this.terms = terms;
    this.#file = file;
    for (const record of file.read()) this.#set(record);
  }

  find<K extends Kind>(kind: K, id: string): RecordOf<K> | undefined {
    const record = this.#tables.get(kind)?.get(id);
    return isOfKind(record, kind) ? record : undefined;
  }

  /** Returns all records of a kind, oldest first. */
  all<K extends Kind>(kind: K): RecordOf<K>[] {
    const records = [...(this.#tables.get(kind)?.values() ?? [])];
    return records.filter((record) => isOfKind(record, kind));
  }

  /** Adds or replaces a record. Call it only inside `run`. */
  put(record: StoredRecord): void {
    this.#set(record);
    this.#staged.push(record);
  }

  /**
   * Runs work and writes its records to disk together. Records put before an exception are kept, because a declined payment
   * both throws an error and is stored.
   */
  run<T>(work: () => T): T {
    try {
      return work();
    } finally {
      this.#file.write(this.#staged.splice(0));
    }
  }

  #set(record: StoredRecord): void {
    const table = this.#tables.get(record.kind) ?? new Map<string, StoredRecord>();
    this.#tables.set(record.kind, table.set(record.id, record));
  }
}
