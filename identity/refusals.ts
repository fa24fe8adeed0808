import type { IdentityRefusalCode } from '#contract/identity/endpoint.ts';

/** The refusals of the identity provider by code: HTTP status, title and default sentence for people. */
export const refusals = {
  broken_json: { status: 400, title: 'The request cannot be read', detail: 'The request is not valid JSON.' },
  invalid_input: { status: 422, title: 'Invalid input', detail: 'Please check what you typed.' },
  weak_password: {
    status: 422,
    title: 'This password is too weak',
    detail: 'Password must be contain a capital letter and a special character.',
  },
  breached_password: {
    status: 422,
    title: 'This password is not safe',
    detail: 'This password is known from data breaches. Please choose another.',
  },
  email_already_in_use: {
    status: 409,
    title: 'This account exists already',
    detail: 'An account with this e-mail address exists already. Please log in instead.',
  },
  invalid_credential: {
    status: 401,
    title: 'E-mail and password do not match',
    detail: 'The e-mail address or the password is not right.',
  },
  user_disabled: {
    status: 403,
    title: 'This account is disabled',
    detail: 'This account is disabled. If you think that this is a mistake, please contact the shop.',
  },
  session_ended: {
    status: 401,
    title: 'Please sign in again',
    detail: 'Your session has ended. Please log in again.',
  },
  second_factor_required: {
    status: 401,
    title: 'A second factor is required',
    detail: 'Please sign in with your second factor as well.',
  },
  invalid_code: {
    status: 422,
    title: 'This code is not right',
    detail: 'This code is not right, or it was used before. Please type the one that is shown now.',
  },
  passkey_refused: {
    status: 422,
    title: 'This passkey does not work here',
    detail: 'This passkey could not be used. Please try again, or sign in another way.',
  },
  already_set_up: { status: 409, title: 'This is set up already', detail: 'This is set up already.' },
  reauthentication_required: {
    status: 403,
    title: 'Please sign in once more',
    detail: 'To change how you sign in, please sign out, sign in again, and do it within ten minutes.',
  },
  link_spent: {
    status: 410,
    title: 'This link no longer works',
    detail: 'This link was used before, or it is too old. Please ask for a new one.',
  },
  mail_unavailable: {
    status: 503,
    title: 'E-mail is unavailable',
    detail: 'E-mails cannot be sent at the moment.',
  },
  unauthorized_domain: {
    status: 403,
    title: 'This address is not allowed',
    detail: 'Signing in is not allowed from this address.',
  },
  not_allowed: { status: 403, title: 'Not allowed', detail: 'Only the shop’s server may send this request.' },
  not_found: { status: 404, title: 'Not found', detail: 'There is nothing here.' },
  too_large: { status: 413, title: 'Too large', detail: 'The request is too large.' },
  unsupported_media_type: { status: 415, title: 'Unsupported content type', detail: 'Please send JSON.' },
  too_many_requests: {
    status: 429,
    title: 'Too many attempts',
    detail: 'Too many attempts. Please wait a moment and try again.',
  },
  overloaded: {
    status: 503,
    title: 'Too many people are signing in',
    detail:
      'Too many people are signing in at this moment. Nothing was changed; please try again in a few seconds.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    detail: 'Something went wrong on our side. Please try again.',
  },
  identity_unavailable: {
    status: 503,
    title: 'Sign-in is unavailable',
    detail: 'Signing in is not possible right now. Please try again in a moment.',
  },
} as const satisfies Record<IdentityRefusalCode, { status: number; title: string; detail: string }>;

export type RefusalCode = keyof typeof refusals;

/** A request that the identity provider refuses; `message` is a sentence for people. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** For invalid input: a sentence for each field. */
  readonly errors: Readonly<Record<string, string>> | null;
  /** In seconds; null when it is unknown. */
  readonly retryAfter: number | null;

  constructor(
    code: RefusalCode,
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
const refusalCodes: Readonly<Record<string, RefusalCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credential',
  USER_ALREADY_EXISTS: 'email_already_in_use',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email_already_in_use',
  // Of two concurrent sign-ups with one address, the second violates the unique index.
  FAILED_TO_CREATE_USER: 'email_already_in_use',
  PASSWORD_TOO_SHORT: 'weak_password',
  PASSWORD_TOO_LONG: 'weak_password',
  VALIDATION_ERROR: 'invalid_input',
  UNAUTHORIZED: 'session_ended',
  SESSION_EXPIRED: 'session_ended',
  user_disabled: 'user_disabled',
  session_ended: 'session_ended',
};

/** Maps an error response of better-auth to a refusal. */
export function fromBetterAuthError(status: number, code: string | undefined): Refusal {
  const known = code === undefined ? undefined : refusalCodes[code];
  if (known !== undefined) return new Refusal(known);
  if (status === 429) return new Refusal('too_many_requests');
  if (status === 401) return new Refusal('session_ended');
  if (status === 404) return new Refusal('not_found');
  if (status >= 400 && status < 500) return new Refusal('invalid_input');
  return new Refusal('internal');
}

/** Error codes of `pg` and of the network for a database that is temporarily unavailable. */
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|EPIPE|ENOENT|57P0[123]|53[123]00|58030|08\w{3})$/;

function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    unavailableCodes.test(code) ||
    /connection terminated|timeout exceeded when trying to connect/i.test(error.message)
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
