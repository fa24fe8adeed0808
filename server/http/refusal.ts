import { type HeldLaptop, type ProblemDocument, type RefusalCode, refusals } from '#contract/refusals.ts';

/** A refusal that the contract names. Thrown anywhere below a route, it becomes a problem document. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly extra: RefusalDetails;

  /** @param detail a sentence for people: what happened, what was kept, what to do next */
  constructor(code: RefusalCode, detail: string, extra: RefusalDetails = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.status = refusals[code].status;
    this.extra = extra;
  }
}

/** What a problem document can carry beyond its sentence. */
export interface RefusalDetails {
  /** For bad input: a sentence per field. */
  errors?: Record<string, string>;
  /** When trying again makes sense. */
  retryAt?: Date;
  /** The caller's place in line, from 1. */
  place?: number;
  /** What the caller holds already. */
  holds?: HeldLaptop[];
  /** Members that a call's own answer shape demands beside the problem. */
  members?: Record<string, string>;
}

/** Said to whoever acts in the name of an account that has ended. */
export function accountEnded(extra?: RefusalDetails): Refusal {
  return new Refusal(
    'account_ended',
    'This account is disabled. If you think that is a mistake, please write to the shop.',
    extra,
  );
}

/** The problem document (RFC 9457) of a refusal. */
export function problemDocument(refusal: Refusal, requestId: string): ProblemDocument {
  const { errors, retryAt, place, holds, members } = refusal.extra;
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
    ...(holds && { holds }),
    requestId,
  };
}
