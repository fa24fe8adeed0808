import type { Refund } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { openDispute } from './disputes.ts';
import { warnAbout } from './early-fraud-warnings.ts';
import { makeFundsAvailable } from './movements.ts';
import { payOutBalance, settlePayout } from './payouts.ts';
import { platformOf } from './platform.ts';
import { fundRefund, isCovered, settleRefund } from './refunds.ts';

/** The longest delay of `setTimeout`. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Options = {
  store: Store;
  /** Called after changes were applied. */
  onApplied(): void;
};

/**
 * Applies delayed effects: refunds that fail or succeed late, disputes, payouts and their results. The records hold what
 * is scheduled, so a restart loses nothing.
 */
export class ScheduledChanges {
  readonly #options: Options;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Sets the timer for the next change. Call it at the start and after records were put. */
  schedule(): void {
    clearTimeout(this.#timer);
    const first = Math.min(...this.#scheduled().map(({ dueAt }) => dueAt));
    if (this.#closed || !Number.isFinite(first)) return;
    const pause = Math.min(Math.max(0, first - Date.now()), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => {
      try {
        this.#applyDue(Date.now());
      } catch (error) {
        // An error here would end the process, and the other fakes with it.
        console.error('A change that was due was not made.', error);
      }
    }, pause);
  }

  /** Makes all pending money available, and applies all scheduled changes now. */
  applyAll(): void {
    this.#options.store.run(() => makeFundsAvailable(this.#options.store));
    this.#applyDue(Infinity);
  }

  /** Makes all pending money available, and continues the refunds that lacked it. */
  settle(): void {
    const { store } = this.#options;
    this.#apply(() => {
      makeFundsAvailable(store);
      fundRefunds(store);
    });
  }

  /**
   * Makes all pending money available, pays the balances of all accounts out whose schedule is not manual, and settles the
   * payouts.
   */
  payOut(): void {
    const { store } = this.#options;
    this.settle();
    this.#apply(() => {
      for (const holder of [...store.all('account'), platformOf(store)]) {
        if (holder.payoutDueAt !== null) payOutBalance(store, holder);
      }
      for (const payout of store.all('payout')) {
        if (payout.status === 'pending') settlePayout(store, payout);
      }
    });
  }

  /** Stops the timer. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #apply(changes: () => void): void {
    this.#options.store.run(changes);
    this.#options.onApplied();
    this.schedule();
  }

  /** Lists what is scheduled, with its time in milliseconds since 1970. */
  #scheduled() {
    const { store } = this.#options;
    const due = ({ created }: { created: number }) => created * 1000 + store.terms.delay;
    return [
      ...store
        .all('refund')
        .filter(({ outcome, lacksFunds }) => outcome !== null || lacksFunds)
        .map((refund) => ({
          kind: refund.kind,
          id: refund.id,
          dueAt: refund.lacksFunds ? this.#fundedAt(refund) : due(refund),
        })),
      ...store
        .all('charge')
        .filter(({ scheduled }) => scheduled !== null)
        .map((charge) => ({ kind: charge.kind, id: charge.id, dueAt: due(charge) })),
      ...store
        .all('payout')
        .map(({ kind, id, dueAt }) => ({ kind, id, dueAt: dueAt ?? Infinity }))
        .filter(({ dueAt }) => dueAt < Infinity),
      ...[...store.all('account'), platformOf(store)]
        .map(({ kind, id, payoutDueAt }) => ({ kind, id, dueAt: payoutDueAt ?? Infinity }))
        .filter(({ dueAt }) => dueAt < Infinity),
    ];
  }

  /** When a refund that lacks funds is tried next: now if they are there, else when the next money is available. */
  #fundedAt(refund: Refund): number {
    const { store } = this.#options;
    if (isCovered(store, refund)) return Date.now();
    const pending = store.all('movement').filter(({ account }) => account === null);
    const next = pending.map(({ availableOn }) => availableOn * 1000).filter((time) => time > Date.now());
    return Math.min(...next);
  }

  /** @param until applies the changes that are due until then, in milliseconds since 1970 */
  #applyDue(until: number): void {
    const due = this.#scheduled().filter(({ dueAt }) => dueAt <= until);
    this.#apply(() => {
      for (const { kind, id } of due) applyChange(this.#options.store, kind, id);
    });
  }
}

function applyChange(
  store: Store,
  kind: 'refund' | 'charge' | 'payout' | 'account' | 'platform',
  id: string,
): void {
  // Read again: an earlier change in the same round may have replaced the record.
  const record = store.find(kind, id);
  if (record?.kind === 'charge' && record.scheduled !== null) {
    store.put({ ...record, scheduled: null });
    const dispute = record.scheduled === 'is asked about' ? 'inquiry' : 'chargeback';
    if (record.scheduled === 'is warned about') warnAbout(store, record);
    else if (record.dispute === null) openDispute(store, record, dispute);
  }
  if (record?.kind === 'refund') {
    if (!record.lacksFunds) settleRefund(store, record, record.outcome ?? 'succeeded');
    else if (isCovered(store, record)) fundRefund(store, record);
  }
  if (record?.kind === 'payout' && record.dueAt !== null) settlePayout(store, record);
  if ((record?.kind === 'account' || record?.kind === 'platform') && record.payoutDueAt !== null) {
    payOutBalance(store, record);
  }
}

/** Continues the refunds that lacked funds, oldest first, as far as the balance suffices. Call it only inside the store's `run`. */
function fundRefunds(store: Store): void {
  for (const refund of store.all('refund')) {
    if (refund.lacksFunds && isCovered(store, refund)) fundRefund(store, refund);
  }
}
