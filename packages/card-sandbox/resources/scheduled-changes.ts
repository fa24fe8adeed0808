import type { Ledger } from '../storage/store.ts';
import { openDispute } from './disputes.ts';
import { settleRefund } from './refunds.ts';

type Options = {
  ledger: Ledger;
  /** Milliseconds from a call to what it leads to. */
  delay: number;
  /** Told when anything has happened. */
  happened(): void;
};

/**
 * What happens by itself some time after a call, as the published test cards have it: refunds that fail or come
 * through late, charges that are disputed. What is still to come stands in the records, so a restart forgets none.
 */
export class Later {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #under: Promise<void> = Promise.resolve();
  #failure: unknown;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Looks for what is to come. Call it at the start and after anything has been put. */
  wake(): void {
    clearTimeout(this.#timer);
    const first = Math.min(...this.#waiting().map(({ created }) => created));
    if (this.#closed || !Number.isFinite(first)) return;
    const pause = Math.max(0, first * 1000 + this.#options.delay - Date.now());
    this.#timer = setTimeout(() => this.#alone(Date.now() - this.#options.delay), pause);
  }

  /** Lets happen at once all that is still to come; resolves once it is on the disk. */
  happenNow(): Promise<void> {
    return this.#alone(Infinity);
  }

  /** @throws whatever kept something from being written down */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#under;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #alone(until: number): Promise<void> {
    const result = this.#under.then(() => this.#happen(until));
    this.#under = result.catch((failure: unknown) => {
      this.#failure = failure;
    });
    return this.#under;
  }

  #waiting() {
    const { ledger } = this.#options;
    return [
      ...ledger.all('refund').filter(({ outcome }) => outcome !== null),
      ...ledger.all('charge').filter(({ willBeDisputed }) => willBeDisputed),
    ];
  }

  /** @param until what was begun up to this moment, in milliseconds since 1970 */
  async #happen(until: number): Promise<void> {
    const { ledger, happened } = this.#options;
    const due = this.#waiting().filter(({ created }) => created * 1000 <= until);
    if (due.length > 0) {
      await ledger.run(() => {
        for (const { kind, id } of due) {
          // Looked up again: of the same charge, one may have changed what the other reads.
          const record = ledger.find(kind, id);
          if (record?.kind === 'charge') openDispute(ledger, record);
          if (record?.kind === 'refund' && record.outcome !== null)
            settleRefund(ledger, record, record.outcome);
        }
      });
      happened();
    }
    this.wake();
  }
}
