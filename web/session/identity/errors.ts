import type { Problem } from '#contract/client.ts';
import type { IdentityRefusalCode } from '#contract/identity/refusals.ts';
import type { SecondFactorMethod } from '#contract/identity/schemas.ts';

/** Default message of each error code. */
const messages = {
  'auth/argument-error': 'Please check what you typed.',
  'auth/invalid-email': 'This does not look like an e-mail address.',
  'auth/weak-password': 'Password must be contain a capital letter and a special character.',
  'auth/email-already-in-use': 'An account with this e-mail address exists already. Please log in instead.',
  'auth/invalid-credential': 'The e-mail address or the password is not right.',
  'auth/account-exists-with-different-credential':
    'An account with this e-mail address exists already. Please log in with your password.',
  'auth/multi-factor-auth-required': 'Please sign in with your second factor as well.',
  'auth/invalid-verification-code': 'This code is not right, or it was used before.',
  'auth/invalid-action-code': 'This link was used before, or it is too old. Please ask for a new one.',
  'auth/requires-recent-login':
    'To change how you sign in, please sign out, sign in again, and do it within ten minutes.',
  'auth/passkey-cancelled': 'No passkey was used. Please try again, or sign in another way.',
  'auth/passkey-not-available': 'Passkeys do not work in this browser, or not at this address.',
  'auth/passkey-refused': 'This passkey could not be used. Please try again, or sign in another way.',
  'auth/user-disabled':
    'This account is disabled. If you think that this is a mistake, please contact the shop.',
  'auth/user-token-expired': 'Your session has ended. Please log in again.',
  'auth/no-current-user': 'Please log in first.',
  'auth/too-many-requests': 'Too many attempts. Please wait a moment and try again.',
  'auth/network-request-failed': 'Signing in cannot be reached. Please check your connection and try again.',
  'auth/popup-blocked':
    'Your browser blocked the Google window. Please allow popups for this page and try again.',
  'auth/popup-closed-by-user': 'The Google window was closed before you were signed in.',
  'auth/cancelled-popup-request': 'Another Google window was opened.',
  'auth/user-cancelled': 'You cancelled the sign-in with Google.',
  'auth/timeout': 'The sign-in with Google took too long. Please try again.',
  'auth/unauthorized-domain': 'Signing in with Google is not allowed from this address.',
  'auth/operation-not-allowed': 'Signing in with Google is not available here.',
  'auth/internal-error': 'Something went wrong on our side. Please try again.',
} as const;

export type IdentityErrorCode = keyof typeof messages;

/** A failure of signing up, in or out, or of a token. `message` is a sentence for people. */
export class IdentityError extends Error {
  readonly code: IdentityErrorCode;
  /** A sentence for each field of bad input. */
  readonly errors: Readonly<Record<string, string>>;

  constructor(
    code: IdentityErrorCode,
    details: { message?: string; errors?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(details.message ?? messages[code], { cause: details.cause });
    this.name = 'IdentityError';
    this.code = code;
    this.errors = details.errors ?? {};
  }
}

/** The sign-in requires a second factor. */
export class SecondFactorRequired extends IdentityError {
  readonly methods: readonly SecondFactorMethod[];
  /** The token that completes the sign-in. */
  readonly challenge: string;

  constructor({ methods, challenge }: { methods: readonly SecondFactorMethod[]; challenge: string }) {
    super('auth/multi-factor-auth-required');
    this.name = 'SecondFactorRequired';
    this.methods = methods;
    this.challenge = challenge;
  }
}

/** Whether an error means that the provider has ended the session. */
export function endsIdentitySession(error: unknown): error is IdentityError {
  return (
    error instanceof IdentityError &&
    (error.code === 'auth/user-disabled' || error.code === 'auth/user-token-expired')
  );
}

/** Restores an error from the code that another tab sent; null for an unknown code. */
export function identityErrorFromCode(code: unknown): IdentityError | null {
  const known = Object.keys(messages).find((candidate): candidate is IdentityErrorCode => candidate === code);
  return known === undefined ? null : new IdentityError(known);
}

const codeByRefusal: Readonly<Record<string, IdentityErrorCode>> = {
  already_set_up: 'auth/argument-error',
  breached_password: 'auth/weak-password',
  broken_json: 'auth/argument-error',
  email_already_in_use: 'auth/email-already-in-use',
  identity_unavailable: 'auth/network-request-failed',
  internal: 'auth/internal-error',
  invalid_code: 'auth/invalid-verification-code',
  invalid_credential: 'auth/invalid-credential',
  invalid_input: 'auth/argument-error',
  link_spent: 'auth/invalid-action-code',
  mail_unavailable: 'auth/network-request-failed',
  not_allowed: 'auth/internal-error',
  not_found: 'auth/internal-error',
  overloaded: 'auth/too-many-requests',
  passkey_refused: 'auth/passkey-refused',
  reauthentication_required: 'auth/requires-recent-login',
  second_factor_required: 'auth/multi-factor-auth-required',
  session_ended: 'auth/user-token-expired',
  too_large: 'auth/internal-error',
  too_many_requests: 'auth/too-many-requests',
  unauthorized_domain: 'auth/unauthorized-domain',
  unsupported_media_type: 'auth/internal-error',
  user_disabled: 'auth/user-disabled',
  weak_password: 'auth/weak-password',
} satisfies Record<IdentityRefusalCode, IdentityErrorCode>;

/** Converts a problem of the identity provider. Its message stays. */
export function identityErrorFromProblem(problem: Problem): IdentityError {
  const { status, code, message, errors } = problem;
  const details = { message, errors, cause: problem };
  if (status === 0) return new IdentityError('auth/network-request-failed', details);
  if (status === 429) return new IdentityError('auth/too-many-requests', details);
  const converted = codeByRefusal[code] ?? 'auth/internal-error';
  const isEmail = converted === 'auth/argument-error' && errors.email !== undefined;
  return new IdentityError(isEmail ? 'auth/invalid-email' : converted, details);
}

/** By the error code that the Google window posts. */
const codeByPopupError: Readonly<Record<string, IdentityErrorCode>> = {
  access_denied: 'auth/user-cancelled',
  user_disabled: 'auth/user-disabled',
  session_ended: 'auth/user-token-expired',
  unauthorized_domain: 'auth/unauthorized-domain',
  provider_not_found: 'auth/operation-not-allowed',
  account_not_linked: 'auth/account-exists-with-different-credential',
  temporarily_unavailable: 'auth/network-request-failed',
};

/** Converts an error code that the Google window posts. */
export function identityErrorFromPopup(code: string): IdentityError {
  return new IdentityError(codeByPopupError[code] ?? 'auth/internal-error');
}
