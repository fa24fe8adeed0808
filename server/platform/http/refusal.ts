import {
  type OpenPaymentWindow,
  type ProblemDocument,
  type RefusalCode,
  refusals,
} from '#contract/platform/refusals.ts';

/** A refusal of the contract. Thrown below a route, it is sent as a problem document. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly details: RefusalDetails;

  /** @param detail a sentence for people: what happened, what was kept, what to do next */
  constructor(code: RefusalCode, detail: string, details: RefusalDetails = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.status = refusals[code].status;
    this.details = details;
  }
}

/** Further members of a problem document. */
export interface RefusalDetails {
  /** For invalid input: a sentence per field. */
  errors?: Record<string, string>;
  /** When a retry can succeed. */
  retryAt?: Date;
  /** The caller's place in line, from 1. */
  place?: number;
  /** The caller's present payment windows. */
  paymentWindows?: OpenPaymentWindow[];
  /** Members of the call's answer schema that clients expect beside the problem. */
  members?: Record<string, string>;
}

/** The time until a moment in whole minutes, as words. */
export function formatWait(until: Date, now = new Date()): string {
  const minutes = Math.ceil((until.getTime() - now.getTime()) / 60_000);
  return minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`;
}

/** The refusal for an account that has ended. */
export function accountEnded(details?: RefusalDetails): Refusal {
  return new Refusal(
    'account_ended',
    'This account is disabled. If you think that is a mistake, please write to the shop.',
    details,
  );
}

/** The refusal for a session that has ended at the identity provider. */
export function sessionEnded(): Refusal {
  return new Refusal('session_ended', 'You were signed out of this session. Please sign in again.');
}

/** The refusal while the database cannot be reached. */
export function databaseUnavailable(): Refusal {
  return new Refusal(
    'database_unavailable',
    'The shop cannot reach its records right now. Nothing was changed; please try again in a moment.',
  );
}

/** The problem document (RFC 9457) of a refusal. */
export function problemDocument(refusal: Refusal, requestId: string): ProblemDocument {
  const { errors, retryAt, place, paymentWindows, members } = refusal.details;
  return {
    ...members,
    type: 'about:blank',
    title: refusals[refusal.code].title,
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    ...(errors && { errors }),
    ...(retryAt && { retryAt: retryAt.toISOString() }),
    ...(place !== undefined && { place }),
    ...(paymentWindows && { paymentWindows }),
    requestId,
  };
}
