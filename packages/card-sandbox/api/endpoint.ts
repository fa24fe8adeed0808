import type { FormObject } from './form-encoding.ts';

/** One call of the API, its key checked and its parameters decoded. */
export type Call = {
  caller: 'secret' | 'publishable';
  parameters: FormObject;
  /** The id in the path; empty when the path has none. */
  id: string;
  requestId: string;
  idempotencyKey: string | null;
};

/** `handle` runs alone and at once; it answers with Stripe's object or throws a `Refusal`. */
export type Endpoint = {
  method: 'GET' | 'POST';
  path: string;
  /** True when the browser may call it with the publishable key. */
  fromBrowser: boolean;
  handle(call: Call): Record<string, unknown>;
};
