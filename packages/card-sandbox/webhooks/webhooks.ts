import { createHmac } from 'node:crypto';
import { nowInSeconds } from '../identifiers.ts';
import type { Delivery } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { renderEvent } from './events.ts';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60 * 60 * 1_000;
/** With doubling delays, about four hours. */
const MAXIMUM_ATTEMPTS = 16;
const RESPONSE_TIMEOUT_MS = 10_000;

type Attempt = {
  event: string;
  type: string;
  /** The HTTP status of each copy's response; null if there was none. A field of `POST /sandbox/deliver`. */
  answers: (number | null)[];
};

type Options = {
  store: Store;
  /** Without a URL, events are stored and stay pending. */
  url: string | undefined;
  secret: string;
  /** Called before each delivery. */
  plan(): { mode: 'deliver' | 'hold'; copies: number };
};

/** Returns `t=…,v1=…`, with the HMAC-SHA256 of the timestamp and the exact body. */
function signatureHeader(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

/** Posts events to the webhook URL in sequence, and retries each with back-off until the response is 2xx. */
export class Webhooks {
  readonly #options: Options;
  readonly #closing = new AbortController();
  #tail: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Attempts all pending deliveries of an earlier run now, also those that are not due yet. */
  start(): void {
    this.#schedule(Infinity);
  }

  /** Attempts the deliveries that are due. Call it after events were emitted. */
  deliverDue(): void {
    this.#schedule(Date.now());
  }

  /** Resolves once no delivery is in progress. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  /**
   * Delivers these events now in this order, even if they are held, not due or delivered already.
   * @returns the responses
   */
  deliver(events: string[], copies: number): Promise<Attempt[]> {
    return this.#enqueue(async () => {
      const attempts: Attempt[] = [];
      for (const id of events) {
        const delivery = this.#options.store.find('delivery', id);
        if (delivery !== undefined && this.#targetOf(delivery) !== null)
          attempts.push(await this.#attempt(delivery, copies));
      }
      return attempts;
    });
  }

  /** Returns the pending deliveries, oldest first. */
  pending(): Delivery[] {
    return this.#options.store.all('delivery').filter((delivery) => delivery.status === 'pending');
  }

  /** Stops deliveries. @throws the error of a delivery that could not be stored */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#tail;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The pending deliveries that have somewhere to go. */
  #deliverable(): Delivery[] {
    return this.pending().filter((delivery) => this.#targetOf(delivery) !== null);
  }

  /** Returns where a delivery goes, and the secret that signs it; null when there is no URL or no such destination any more. */
  #targetOf({ id }: Delivery): { url: string; secret: string } | null {
    const { store, url, secret } = this.#options;
    const [, destinationId] = id.split('/');
    if (destinationId === undefined) return url === undefined ? null : { url, secret };
    const destination = store.find('eventDestination', destinationId);
    return destination === undefined || destination.isDeleted ? null : destination;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch((failure: unknown) => {
      this.#failure = failure;
    });
    return result;
  }

  #schedule(dueUntil: number): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    void this.#enqueue(() => this.#attemptDue(dueUntil));
  }

  async #attemptDue(dueUntil: number): Promise<void> {
    for (const { id, dueAt } of this.#deliverable()) {
      const { mode, copies } = this.#options.plan();
      if (mode === 'hold' || this.#closing.signal.aborted) return;
      const current = this.#options.store.find('delivery', id);
      if (current?.status === 'pending' && dueAt <= dueUntil) await this.#attempt(current, copies);
    }
    const next = Math.min(...this.#deliverable().map((delivery) => delivery.dueAt));
    if (!Number.isFinite(next) || this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.deliverDue(), Math.max(0, next - Date.now()));
  }

  async #attempt(delivery: Delivery, copies: number): Promise<Attempt> {
    const { store } = this.#options;
    const [eventId = ''] = delivery.id.split('/');
    const event = store.find('event', eventId);
    const target = this.#targetOf(delivery);
    if (event === undefined || target === null) throw new Error(`Delivery ${delivery.id} has no event.`);
    const body = JSON.stringify(renderEvent(event, 1));
    const statuses: (number | null)[] = [];
    for (let copy = 0; copy < copies; copy += 1) statuses.push(await this.#post(body, target));
    // An attempt that `close` has aborted does not count: the next start repeats it.
    if (!this.#closing.signal.aborted) {
      store.run(() => store.put(withAttempt(delivery, statuses.at(-1) ?? null)));
    }
    return { event: event.id, type: event.type, answers: statuses };
  }

  async #post(body: string, { url, secret }: { url: string; secret: string }): Promise<number | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': signatureHeader(body, secret, nowInSeconds()),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      // A failed request is retried like an error response.
      return null;
    }
  }
}

function withAttempt(delivery: Delivery, response: number | null): Delivery {
  const attempts = delivery.attempts + 1;
  const accepted = response !== null && response >= 200 && response < 300;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return {
    ...delivery,
    status:
      accepted || delivery.status === 'delivered'
        ? 'delivered'
        : attempts < MAXIMUM_ATTEMPTS
          ? 'pending'
          : 'abandoned',
    attempts,
    lastAnswer: response,
    dueAt: Date.now() + delay,
  };
}
