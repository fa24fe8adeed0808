import type { Intent } from '../storage/records.ts';

type RefusalType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

type Details = {
  code?: string | undefined;
  declineCode?: string | null | undefined;
  param?: string | undefined;
  charge?: string | undefined;
  paymentMethod?: string | undefined;
  intent?: Intent | undefined;
  /** True when the call had begun to run, so that its idempotency key keeps this answer. */
  kept?: boolean | undefined;
};

/** An answer in Stripe's error envelope. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: RefusalType;
  readonly details: Details;

  constructor(status: number, type: RefusalType, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
  }
}

/** A parameter that cannot be used. */
export function badParameter(param: string, message: string, code?: string): Refusal {
  return new Refusal(400, 'invalid_request_error', message, { param, code });
}

/** Unknown ids; `noun` as Stripe words it: `payment_intent`, `charge`. */
export function noSuch(noun: string, id: string, param: string): Refusal {
  return new Refusal(404, 'invalid_request_error', `No such ${noun}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

/** The intent is in a state in which the call makes no sense. */
export function unexpectedState(intent: Intent, message: string): Refusal {
  return new Refusal(400, 'invalid_request_error', message, {
    code: 'payment_intent_unexpected_state',
    intent,
    kept: true,
  });
}
