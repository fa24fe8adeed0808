import type { Journal } from './journal.ts';
import type { Stored } from './records.ts';

type Kind = Stored['kind'];
type Of<K extends Kind> = Extract<Stored, { kind: K }>;
type Tables = { [K in Kind]: Map<string, Of<K>> };

/** The stand-in's whole state: in memory to read, in the journal to survive. */
export class Ledger {
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
  #staged: Stored[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const record of journal.replayed) this.#set(record);
  }

  find<K extends Kind>(kind: K, id: string): Of<K> | undefined {
    return this.#tables[kind].get(id);
  }

  /** All records of a kind, oldest first. */
  all<K extends Kind>(kind: K): Of<K>[] {
    return [...this.#tables[kind].values()];
  }

  /** Adds or replaces a record. Only inside `run`. */
  put(record: Stored): void {
    this.#set(record);
    this.#staged.push(record);
  }

  /**
   * Runs synchronous work alone, writes what it put as one entry and resolves with its result once
   * that, and all that the work could read, is on the disk. What was put before a refusal is kept:
   * a declined payment is both a refusal and a fact.
   */
  async run<T>(work: () => T): Promise<T> {
    try {
      return work();
    } finally {
      const staged = this.#staged;
      this.#staged = [];
      await (staged.length > 0 ? this.#journal.append(staged) : this.#journal.settled());
    }
  }

  #set(record: Stored): void {
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
