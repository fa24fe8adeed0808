import { type IdentityRefusalCode, refusals } from '#contract/identity/refusals.ts';

/** A request that the identity provider refuses; `message` is a sentence for people. */
export class Refusal extends Error {
  readonly code: IdentityRefusalCode;
  /** For invalid input: a sentence for each field. */
  readonly errors: Readonly<Record<string, string>> | null;
  /** In seconds; null when it is unknown. */
  readonly retryAfter: number | null;

  constructor(
    code: IdentityRefusalCode,
    detail: string = refusals[code].detail,
    errors: Readonly<Record<string, string>> | null = null,
    { retryAfter = null }: { retryAfter?: number | null } = {},
  ) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** Returns the problem document (RFC 9457) of a refusal. */
export function toProblem(refusal: Refusal) {
  const { status, title } = refusals[refusal.code];
  return {
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    ...(refusal.errors === null ? {} : { errors: refusal.errors }),
    ...(refusal.retryAfter === null
      ? {}
      : { retryAt: new Date(Date.now() + refusal.retryAfter * 1000).toISOString() }),
  };
}

/** Maps error codes of better-auth and of the sign-in window's pages to refusal codes. */
const refusalCodes: Readonly<Record<string, IdentityRefusalCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credential',
  USER_ALREADY_EXISTS: 'email_already_in_use',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email_already_in_use',
  // For any error of the database, also that of the unique index when two people sign up with one address at once.
  FAILED_TO_CREATE_USER: 'identity_unavailable',
  PASSWORD_TOO_SHORT: 'weak_password',
  PASSWORD_TOO_LONG: 'weak_password',
  VALIDATION_ERROR: 'invalid_input',
  user_disabled: 'user_disabled',
  session_ended: 'session_ended',
};

/** Maps an error response of better-auth to a refusal. */
export function fromBetterAuthError(status: number, code: string | undefined): Refusal {
  const known = code === undefined ? undefined : refusalCodes[code];
  if (known !== undefined) return new Refusal(known);
  if (status === 429) return new Refusal('too_many_requests');
  if (status === 404) return new Refusal('not_found');
  if (status >= 400 && status < 500) return new Refusal('invalid_input');
  return new Refusal('internal');
}

/** Error codes of `pg` and of the network for a database that is temporarily unavailable. */
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EPIPE|ENOENT|57P0[1234]|53[123]00|58030|25006|08\w{3})$/;

/** Whether an error means that the database is unavailable. 25006: a failover has made this server a standby. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    unavailableCodes.test(code) ||
    /connection terminated|not queryable|query read timeout|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  );
}

/**
 * Creates a `too_many_requests` refusal that says when to try again.
 * @param sentence says which limit was reached
 * @param seconds until the next attempt is possible
 */
export function tooManyAttempts(sentence: string, seconds: number): Refusal {
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`;
  return new Refusal('too_many_requests', `${sentence} Please try again ${wait}.`, null, {
    retryAfter: Math.max(1, Math.ceil(seconds)),
  });
}

/** Maps any error to a refusal; unexpected ones to `internal`. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseUnavailable(error)) return new Refusal('identity_unavailable');
  const status =
    error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
      ? error.statusCode
      : 500;
  if (status === 413) return new Refusal('too_large');
  if (status === 415) return new Refusal('unsupported_media_type');
  if (status === 429) return new Refusal('too_many_requests');
  return status >= 400 && status < 500 ? new Refusal('broken_json') : new Refusal('internal');
}
