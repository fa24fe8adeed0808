import type { Journal } from './journal.ts';
import type { RecordOf, StoredRecord } from './records.ts';

type Kind = StoredRecord['kind'];

const isOfKind = <K extends Kind>(record: StoredRecord | undefined, kind: K): record is RecordOf<K> =>
  record?.kind === kind;

/** What the sandbox takes of each charge and dispute. */
export type Fees = {
  /** The part of a charge, in hundredths of a percent. */
  basisPoints: number;
  /** The fixed part of a charge, in cents. */
  fixedCents: number;
  /** The fee of a dispute that withdraws money, in cents. */
  disputeCents: number;
};

/** Stripe's fees for US cards: https://stripe.com/pricing */
export const STANDARD_FEES: Fees = { basisPoints: 290, fixedCents: 30, disputeCents: 1_500 };

/** The terms of the sandbox that new records depend on. */
export type Terms = {
  fees: Fees;
  /** Milliseconds until a charge's money is available. */
  delay: number;
  /** The platform's first payout schedule and settlement currency. Its records have what was set later. */
  platform: PlatformTerms;
};

export type PlatformTerms = {
  /** How often Stripe pays the available balance out to the platform's bank account. */
  payouts: 'daily' | 'weekly' | 'monthly' | 'manual';
  /**
   * The platform's currency, and how many units of it one unit of another currency is worth, in which payments are settled. Null: each
   * payment is settled in its own currency, as of a platform with a bank account in each.
   */
  settlement: { currency: string; exchangeRate: number | null };
};

/** Stripe's defaults for a platform in the US: https://docs.stripe.com/payouts */
export const STANDARD_PLATFORM: PlatformTerms = {
  payouts: 'daily',
  settlement: { currency: 'usd', exchangeRate: null },
};

/** The whole state of the sandbox: in memory for reading, in the journal for the next start. */
export class Store {
  readonly terms: Terms;
  readonly #journal: Journal;
  readonly #tables = new Map<Kind, Map<string, StoredRecord>>();
  #staged: StoredRecord[] = [];

  constructor(journal: Journal, terms: Terms) {
    this.terms = terms;
    this.#journal = journal;
    for (const record of journal.records) this.#set(record);
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
    const table = this.#tables.get(record.kind) ?? new Map<string, StoredRecord>();
    this.#tables.set(record.kind, table.set(record.id, record));
  }
}
