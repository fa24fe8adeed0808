import { z } from 'zod';

/** One disturbance of the API, for the next `times` calls that match. */
const callFault = z.strictObject({
  /** `POST`; any method when left out. */
  method: z.enum(['GET', 'POST']).optional(),
  /** Such as `/v1/payment_intents/pi_…/confirm`; `*` stands for any one part. Any path when left out. */
  path: z.string().startsWith('/').optional(),
  times: z.int().min(1).default(1),
  /**
   * `error` answers with `status`; `disconnect` closes the connection without an answer; `hold` keeps
   * the call waiting until `POST /sandbox/release` (a client that gives up earlier saw a time-out).
   */
  kind: z.enum(['error', 'disconnect', 'hold']),
  status: z.int().min(400).max(599).default(500),
  /**
   * `before`: the call has not run, and never does unless a hold is released. `during`: it has run, its
   * idempotency key is still in use. `after`: all is done and only the answer is lost or late.
   */
  moment: z.enum(['before', 'during', 'after']).default('before'),
});

export type CallFault = z.infer<typeof callFault>;

export const faultsSchema = z.strictObject({
  webhooks: z
    .strictObject({
      /** `hold`: nothing is delivered but by `POST /sandbox/deliver`. */
      mode: z.enum(['deliver', 'hold']).default('deliver'),
      /** How often each event is sent. */
      copies: z.int().min(1).max(10).default(1),
    })
    .prefault({}),
  calls: z.array(callFault).default([]),
  /** `good`: the banks take refunds whatever the card, as when its holder has got a new one. */
  refunds: z.enum(['as published', 'good']).default('as published'),
});

type FaultPlan = z.infer<typeof faultsSchema>;

/** A plan as `POST /sandbox/faults` takes it. */
export type FaultPlanInput = z.input<typeof faultsSchema>;

type Held = { release(goOn: boolean): void };

/** The disturbances that a test has asked for; none at the start. */
export class Faults {
  #plan: FaultPlan = faultsSchema.parse({});
  #held: Held[] = [];
  #waiting: { count: number; resolve(): void }[] = [];

  /** The plan as it stands, with what is left of each disturbance. */
  get plan(): FaultPlan {
    return this.#plan;
  }

  /** How many calls wait for `release`. */
  get held(): number {
    return this.#held.length;
  }

  /** Replaces the whole plan. Calls already held stay held. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
  }

  /** Finds, and uses up once, the first disturbance that fits a call. */
  take(method: string, path: string): CallFault | null {
    const fault = this.#plan.calls.find((one) => fits(one, method, path));
    if (fault === undefined) return null;
    this.#plan = {
      ...this.#plan,
      calls: this.#plan.calls
        .map((one) => (one === fault ? { ...one, times: one.times - 1 } : one))
        .filter((one) => one.times > 0),
    };
    return fault;
  }

  /**
   * Holds a call.
   * @returns true when it was released, false when its client went away first
   */
  hold(gone: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const held: Held = {
        release: (goOn) => {
          this.#held = this.#held.filter((one) => one !== held);
          resolve(goOn);
        },
      };
      gone.addEventListener('abort', () => held.release(false), { once: true });
      this.#held.push(held);
      if (gone.aborted) held.release(false);
      this.#waiting = this.#waiting.filter((one) => {
        if (one.count > this.held) return true;
        one.resolve();
        return false;
      });
    });
  }

  /** Lets the oldest `count` held calls go on. */
  release(count: number): number {
    const released = this.#held.slice(0, count);
    for (const one of released) one.release(true);
    return released.length;
  }

  /** Resolves once `count` calls are held. */
  untilHeld(count: number): Promise<void> {
    if (this.held >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ count, resolve }));
  }

  /** Ends every wait, so that the server can close. */
  close(): void {
    for (const one of [...this.#held]) one.release(false);
    for (const one of this.#waiting.splice(0)) one.resolve();
  }
}

function fits(fault: CallFault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method !== method) return false;
  if (fault.path === undefined) return true;
  const wanted = fault.path.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length && wanted.every((part, index) => part === '*' || part === given[index])
  );
}
