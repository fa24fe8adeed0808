import type Stripe from 'stripe';

/** What the checks run against: the sandbox, or Stripe's test mode. */
export interface Target {
  stripe: Stripe;
  /** Calls a control endpoint of the sandbox; null for Stripe. */
  control: ((path: string, body?: object) => Promise<unknown>) | null;
  /** Returns a connected account that can receive transfers. @throws Skipped if there is none */
  account(): Promise<string>;
  /** Reads until the condition holds: some objects appear only after a while. @returns what was read last */
  eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T>;
}

/** A check that cannot run against this target, with the reason. */
export class Skipped extends Error {}

/** Returns the error of a request that Stripe refuses, in comparable form. @throws if it does not */
export async function refusal(request: Promise<unknown>): Promise<{ refused: string; param?: string }> {
  try {
    await request;
  } catch (error) {
    if (!isStripeError(error)) throw error;
    return { refused: error.code ?? error.type, ...(error.param !== undefined && { param: error.param }) };
  }
  throw new Error('was not refused');
}

function isStripeError(error: unknown): error is Error & { type: string; code?: string; param?: string } {
  return error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
}

/** Calls the sandbox's control endpoints. @throws Skipped for Stripe */
export function controlOf({ control }: Target): NonNullable<Target['control']> {
  if (control === null) throw new Skipped('only the sandbox can cause this');
  return control;
}
