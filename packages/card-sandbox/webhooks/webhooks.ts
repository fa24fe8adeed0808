import { createHmac } from 'node:crypto';
import { nowInSeconds } from '../identifiers.ts';
import type { Delivery } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { renderEvent } from './events.ts';

const firstDelay = 1_000;
const longestDelay = 60 * 60 * 1_000;
/** With doubling delays, about five hours. */
const mostAttempts = 16;
const answerTimeout = 10_000;

type Attempt = {
  event: string;
  type: string;
  /** The status of each copy's answer; null where none came. */
  answers: (number | null)[];
};

type Options = {
  ledger: Ledger;
  /** Without one, events are recorded and wait. */
  url: string | undefined;
  secret: string;
  /** Asked before each delivery. */
  plan(): { mode: 'deliver' | 'hold'; copies: number };
};

/** `t=…,v1=…`: the HMAC-SHA256 of the moment and the exact body. */
function signatureHeader(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

/** Carries events to the shop one after another, each again with growing delays until it answers 2xx. */
export class Webhooks {
  readonly #options: Options;
  readonly #closing = new AbortController();
  #tail: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Tries at once what an earlier run left undelivered. */
  start(): void {
    this.#schedule(Infinity);
  }

  /** Delivers what is due. Call it after anything has been emitted. */
  wake(): void {
    this.#schedule(Date.now());
  }

  /** Resolves once no delivery is under way. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  /**
   * Delivers these events now, in this order, whether they are held, waiting or were delivered before.
   * @returns what the shop answered
   */
  deliver(events: string[], copies: number): Promise<Attempt[]> {
    return this.#alone(async () => {
      const attempts: Attempt[] = [];
      if (this.#options.url === undefined) return attempts;
      for (const id of events) {
        const delivery = this.#options.ledger.find('delivery', id);
        if (delivery !== undefined) attempts.push(await this.#attempt(delivery, copies));
      }
      return attempts;
    });
  }

  /** Everything that is still to be delivered, oldest first. */
  pending(): string[] {
    return this.#pending().map((delivery) => delivery.id);
  }

  /** @throws whatever kept a delivery from being written down */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#tail;
    if (this.#failure !== undefined) throw this.#failure;
  }

  #pending(): Delivery[] {
    return this.#options.ledger.all('delivery').filter((delivery) => delivery.status === 'pending');
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch((failure: unknown) => {
      this.#failure = failure;
    });
    return result;
  }

  #schedule(dueUntil: number): void {
    clearTimeout(this.#timer);
    if (this.#options.url === undefined || this.#closing.signal.aborted) return;
    void this.#alone(() => this.#deliverDue(dueUntil));
  }

  async #deliverDue(dueUntil: number): Promise<void> {
    for (const { id, dueAt } of this.#pending()) {
      const { mode, copies } = this.#options.plan();
      if (mode === 'hold' || this.#closing.signal.aborted) return;
      const current = this.#options.ledger.find('delivery', id);
      if (current?.status === 'pending' && dueAt <= dueUntil) await this.#attempt(current, copies);
    }
    const next = Math.min(...this.#pending().map((delivery) => delivery.dueAt));
    if (!Number.isFinite(next) || this.#closing.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.max(0, next - Date.now()));
  }

  async #attempt(delivery: Delivery, copies: number): Promise<Attempt> {
    const { ledger } = this.#options;
    const event = ledger.find('event', delivery.id);
    if (event === undefined) throw new Error(`Delivery ${delivery.id} has no event.`);
    const body = JSON.stringify(renderEvent(event, 1));
    const answers: (number | null)[] = [];
    for (let copy = 0; copy < copies; copy += 1) answers.push(await this.#post(body));
    // An attempt that closing cut short is not counted: the next start makes it again.
    if (!this.#closing.signal.aborted) {
      await ledger.run(() => ledger.put(afterAttempt(delivery, answers.at(-1) ?? null)));
    }
    return { event: event.id, type: event.type, answers };
  }

  async #post(body: string): Promise<number | null> {
    const { url, secret } = this.#options;
    if (url === undefined) return null;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'Stripe-Signature': signatureHeader(body, secret, nowInSeconds()),
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerTimeout)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      // No answer is an answer here: the delivery is tried again.
      return null;
    }
  }
}

function afterAttempt(delivery: Delivery, answer: number | null): Delivery {
  const attempts = delivery.attempts + 1;
  const accepted = answer !== null && answer >= 200 && answer < 300;
  const delay = Math.min(firstDelay * 2 ** (attempts - 1), longestDelay);
  return {
    ...delivery,
    status:
      accepted || delivery.status === 'delivered'
        ? 'delivered'
        : attempts < mostAttempts
          ? 'pending'
          : 'abandoned',
    attempts,
    lastAnswer: answer,
    dueAt: Date.now() + delay,
  };
}
