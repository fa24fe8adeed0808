import type { Intent, RecordOf } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

type ApiErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

type Details = {
  code?: string | undefined;
  declineCode?: string | null | undefined;
  param?: string | undefined;
  charge?: string | undefined;
  paymentMethod?: string | undefined;
  intent?: Intent | undefined;
  /** Whether the request had begun to run, so that its idempotency key stores this response. */
  isStored?: boolean | undefined;
};

/** An error response in Stripe's envelope. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: ApiErrorType;
  readonly details: Details;

  constructor(status: number, type: ApiErrorType, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
  }
}

/** Creates the error for a parameter that is missing or invalid. */
export function invalidParameter(param: string, message: string, code?: string): ApiError {
  return new ApiError(400, 'invalid_request_error', message, { param, code });
}

/** Creates the error for a request that runs and finds that it is not possible. */
export const refused = (message: string, code?: string, param?: string): ApiError =>
  new ApiError(400, 'invalid_request_error', message, { code, param, isStored: true });

/** The kinds of record as Stripe words them in errors. */
const nouns = {
  intent: 'payment_intent',
  charge: 'charge',
  paymentMethod: 'PaymentMethod',
  customer: 'customer',
  earlyFraudWarning: 'early fraud warning',
  refund: 'refund',
  dispute: 'dispute',
  transfer: 'transfer',
  reversal: 'transfer reversal',
  payout: 'payout',
  movement: 'balance transaction',
} as const;

/** Creates the error for an unknown id. */
export function notFound(kind: keyof typeof nouns, id: string, param: string): ApiError {
  return new ApiError(404, 'invalid_request_error', `No such ${nouns[kind]}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

/** Returns a record by id. @throws {ApiError} if it does not exist */
export function requireRecord<K extends keyof typeof nouns>(
  store: Store,
  kind: K,
  id: string,
  param: string = kind,
): RecordOf<K> {
  const record = store.find(kind, id);
  if (record === undefined) throw notFound(kind, id, param);
  return record;
}

/** Creates the error for a request that the intent's status does not allow. */
export function unexpectedState(intent: Intent, message: string): ApiError {
  return new ApiError(400, 'invalid_request_error', message, {
    code: 'payment_intent_unexpected_state',
    intent,
    isStored: true,
  });
}
