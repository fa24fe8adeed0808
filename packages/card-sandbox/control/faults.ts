import { z } from 'zod';

/** One fault, for the next `times` requests that match. */
const callFault = z.strictObject({
  /** Any method by default. */
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  /** Such as `/v1/payment_intents/…/confirm`, where `*` is any segment. Any path by default. */
  path: z.string().startsWith('/').optional(),
  times: z.int().min(1).default(1),
  /**
   * `error` responds with `status`; `disconnect` closes the connection without a response; `hold` delays the request
   * until `POST /sandbox/release`, which tests a client's timeout.
   */
  kind: z.enum(['error', 'disconnect', 'hold']),
  status: z.int().min(400).max(599).default(500),
  /**
   * `before`: the request has not run, and does not run unless it is held and released. `during`: it has run, and its
   * idempotency key is still in use. `after`: it is complete, and only the response is lost or late.
   */
  moment: z.enum(['before', 'during', 'after']).default('before'),
});

export type CallFault = z.infer<typeof callFault>;

export const faultsSchema = z.strictObject({
  webhooks: z
    .strictObject({
      /** `hold`: events are delivered only by `POST /sandbox/deliver`. */
      mode: z.enum(['deliver', 'hold']).default('deliver'),
      /** How many times each event is sent. */
      copies: z.int().min(1).max(10).default(1),
    })
    .prefault({}),
  calls: z.array(callFault).default([]),
  /** `good`: refunds succeed with every test card, for example to repeat a failed refund. */
  refunds: z.enum(['as published', 'good']).default('as published'),
});

type FaultPlan = z.infer<typeof faultsSchema>;

/** The body of `POST /sandbox/faults`. */
export type FaultPlanInput = z.input<typeof faultsSchema>;

/** The faults that a test has planned, none at first, and the requests that wait because of them. */
export class Faults {
  #plan: FaultPlan = faultsSchema.parse({});
  /** Each continues its request, or disconnects it. */
  #held: ((continues: boolean) => void)[] = [];
  #waiting: { count: number; resolve(): void }[] = [];

  /** The current plan, with the remaining `times` of each fault. */
  get plan(): FaultPlan {
    return this.#plan;
  }

  /** How many requests wait for `release`. */
  get held(): number {
    return this.#held.length;
  }

  /** Replaces the whole plan. Held requests stay held. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
  }

  /** Returns the first fault that matches a request, and decrements its `times`. */
  take(method: string, path: string): CallFault | null {
    const fault = this.#plan.calls.find((each) => matches(each, method, path));
    if (fault === undefined) return null;
    this.#plan = {
      ...this.#plan,
      calls: this.#plan.calls
        .map((each) => (each === fault ? { ...each, times: each.times - 1 } : each))
        .filter(({ times }) => times > 0),
    };
    return fault;
  }

  /**
   * Holds a request.
   * @returns true if it was released, false if its client disconnected first
   */
  hold(disconnected: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const release = (continues: boolean) => {
        this.#held = this.#held.filter((other) => other !== release);
        resolve(continues);
      };
      disconnected.addEventListener('abort', () => release(false), { once: true });
      this.#held.push(release);
      if (disconnected.aborted) release(false);
      this.#waiting = this.#waiting.filter((wait) => {
        if (wait.count > this.held) return true;
        wait.resolve();
        return false;
      });
    });
  }

  /** Continues the oldest `count` held requests. @returns how many it has continued */
  release(count: number): number {
    const released = this.#held.slice(0, count);
    for (const release of released) release(true);
    return released.length;
  }

  /** Resolves once `count` requests are held. */
  waitUntilHeld(count: number): Promise<void> {
    if (this.held >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Disconnects held requests and resolves all waits, so that the server can close. */
  close(): void {
    for (const release of [...this.#held]) release(false);
    for (const wait of this.#waiting.splice(0)) wait.resolve();
  }
}

function matches(fault: CallFault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false;
  if (fault.path === undefined) return true;
  const pattern = fault.path.split('/');
  const segments = path.split('/');
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part === '*' || part === segments[index])
  );
}
