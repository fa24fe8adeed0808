import type { Store } from '../storage/store.ts';
import { openDispute } from './disputes.ts';
import { settleRefund } from './refunds.ts';

type Options = {
  store: Store;
  /** Milliseconds between a request and the change that it schedules. */
  delay: number;
  /** Called after changes were applied. */
  onApplied(): void;
};

/**
 * Applies the delayed effects of test cards: refunds that fail or succeed late, and disputes. The records hold what is
 * scheduled, so a restart loses nothing.
 */
export class ScheduledChanges {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #tail: Promise<void> = Promise.resolve();
  #failure: unknown;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sets the timer for the next change. Call it at the start and after records were put. */
  schedule(): void {
    clearTimeout(this.#timer);
    const first = Math.min(...this.#scheduled().map(({ created }) => created));
    if (this.#closed || !Number.isFinite(first)) return;
    const pause = Math.max(0, first * 1000 + this.#options.delay - Date.now());
    this.#timer = setTimeout(() => this.#enqueue(Date.now() - this.#options.delay), pause);
  }

  /** Applies all scheduled changes now. Resolves once they are on disk. */
  applyAll(): Promise<void> {
    return this.#enqueue(Infinity);
  }

  /** Stops the timer. @throws the error of a change that could not be stored */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#tail;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #enqueue(createdUntil: number): Promise<void> {
    const result = this.#tail.then(() => this.#apply(createdUntil));
    this.#tail = result.catch((failure: unknown) => {
      this.#failure = failure;
    });
    return this.#tail;
  }

  #scheduled() {
    const { store } = this.#options;
    return [
      ...store.all('refund').filter(({ outcome }) => outcome !== null),
      ...store.all('charge').filter(({ willBeDisputed }) => willBeDisputed),
    ];
  }

  /** @param createdUntil applies the changes of records created until then, in milliseconds since 1970 */
  async #apply(createdUntil: number): Promise<void> {
    const { store, onApplied } = this.#options;
    const due = this.#scheduled().filter(({ created }) => created * 1000 <= createdUntil);
    if (due.length > 0) {
      await store.run(() => {
        for (const { kind, id } of due) {
          // Read again: an earlier change in this loop may have replaced the record.
          const record = store.find(kind, id);
          if (record?.kind === 'charge') openDispute(store, record);
          if (record?.kind === 'refund' && record.outcome !== null)
            settleRefund(store, record, record.outcome);
        }
      });
      onApplied();
    }
    this.schedule();
  }
}
