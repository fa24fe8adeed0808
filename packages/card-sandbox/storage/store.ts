import type { Journal } from './journal.ts';
import type { StoredRecord } from './records.ts';

type Kind = StoredRecord['kind'];
type RecordOf<K extends Kind> = Extract<StoredRecord, { kind: K }>;
type Tables = { [K in Kind]: Map<string, RecordOf<K>> };

/** The whole state of the sandbox: in memory for reading, in the journal for the next start. */
export class Store {
  readonly #journal: Journal;
  readonly #tables: Tables = {
    intent: new Map(),
    paymentMethod: new Map(),
    charge: new Map(),
    refund: new Map(),
    dispute: new Map(),
    event: new Map(),
    delivery: new Map(),
    keptAnswer: new Map(),
  };
  #staged: StoredRecord[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const record of journal.records) this.#set(record);
  }

  find<K extends Kind>(kind: K, id: string): RecordOf<K> | undefined {
    return this.#tables[kind].get(id);
  }

  /** Returns all records of a kind, oldest first. */
  all<K extends Kind>(kind: K): RecordOf<K>[] {
    return [...this.#tables[kind].values()];
  }

  /** Adds or replaces a record. Call it only inside `run`. */
  put(record: StoredRecord): void {
    this.#set(record);
    this.#staged.push(record);
  }

  /**
   * Runs synchronous work and writes its records as one journal entry. Resolves or rejects once this entry, and all
   * entries that the work may have read, are on disk. Records put before an exception are kept, because a declined
   * payment both throws an error and is stored.
   */
  async run<T>(work: () => T): Promise<T> {
    try {
      return work();
    } finally {
      const staged = this.#staged;
      this.#staged = [];
      await (staged.length > 0 ? this.#journal.append(staged) : this.#journal.flushed());
    }
  }

  #set(record: StoredRecord): void {
    switch (record.kind) {
      case 'intent':
        this.#tables.intent.set(record.id, record);
        break;
      case 'paymentMethod':
        this.#tables.paymentMethod.set(record.id, record);
        break;
      case 'charge':
        this.#tables.charge.set(record.id, record);
        break;
      case 'refund':
        this.#tables.refund.set(record.id, record);
        break;
      case 'dispute':
        this.#tables.dispute.set(record.id, record);
        break;
      case 'event':
        this.#tables.event.set(record.id, record);
        break;
      case 'delivery':
        this.#tables.delivery.set(record.id, record);
        break;
      case 'keptAnswer':
        this.#tables.keptAnswer.set(record.id, record);
        break;
    }
  }
}
