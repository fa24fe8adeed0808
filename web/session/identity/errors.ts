import type { Problem } from '#contract/client.ts';
import type { IdentityRefusalCode } from '#contract/identity/refusals.ts';

/** Code and message of each failure that begins in the browser. A refusal of the provider brings its own message. */
const messages = {
  'auth/account-exists-with-different-credential':
    'An account with this e-mail address exists already. Please log in with your password.',
  'auth/passkey-cancelled': 'No passkey was used. Please try again, or sign in another way.',
  'auth/passkey-exists': 'This device has a passkey for your account already.',
  'auth/passkey-not-available': 'Passkeys do not work in this browser, or not at this address.',
  'auth/user-disabled':
    'This account is disabled. If you think that this is a mistake, please contact the shop.',
  'auth/user-token-expired': 'Your session has ended. Please log in again.',
  'auth/no-current-user': 'Please log in first.',
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
type BrowserErrorCode = keyof typeof messages;

/** A failure of signing up, in or out, or of a token. `message` is a sentence for people. */
export class IdentityError extends Error {
  readonly code: string;
  /** A sentence for each field of bad input. */
  readonly errors: Readonly<Record<string, string>>;

  constructor(code: string, message: string, cause?: unknown, errors: Readonly<Record<string, string>> = {}) {
    super(message, { cause });
    this.name = 'IdentityError';
    this.code = code;
    this.errors = errors;
  }
}

/** Creates the error of a failure that begins in the browser. */
export function identityError(code: BrowserErrorCode, cause?: unknown): IdentityError {
  return new IdentityError(code, messages[code], cause);
}

/** Whether an error means that the provider has ended the session. */
export function endsIdentitySession(error: unknown): error is IdentityError {
  return (
    error instanceof IdentityError && ['auth/user-disabled', 'auth/user-token-expired'].includes(error.code)
  );
}

/** Any other refusal is an `auth/internal-error`. */
const codeByRefusal: Readonly<Record<string, string>> = {
  already_set_up: 'auth/argument-error',
  breached_password: 'auth/weak-password',
  broken_json: 'auth/argument-error',
  email_already_in_use: 'auth/email-already-in-use',
  identity_unavailable: 'auth/network-request-failed',
  invalid_code: 'auth/invalid-verification-code',
  invalid_credential: 'auth/invalid-credential',
  invalid_input: 'auth/argument-error',
  link_spent: 'auth/invalid-action-code',
  mail_unavailable: 'auth/network-request-failed',
  overloaded: 'auth/too-many-requests',
  passkey_refused: 'auth/passkey-refused',
  reauthentication_required: 'auth/requires-recent-login',
  second_factor_required: 'auth/multi-factor-auth-required',
  session_ended: 'auth/user-token-expired',
  too_many_requests: 'auth/too-many-requests',
  unauthorized_domain: 'auth/unauthorized-domain',
  user_disabled: 'auth/user-disabled',
  weak_password: 'auth/weak-password',
} satisfies Partial<Record<IdentityRefusalCode, string>>;

/** Converts a problem of the identity provider. Its message stays. */
export function identityErrorFromProblem(problem: Problem): IdentityError {
  const { status, message, errors } = problem;
  let code = codeByRefusal[problem.code] ?? 'auth/internal-error';
  if (status === 0) code = 'auth/network-request-failed';
  if (status === 429) code = 'auth/too-many-requests';
  if (code === 'auth/argument-error' && errors.email !== undefined) code = 'auth/invalid-email';
  return new IdentityError(code, message, problem, errors);
}

/** By the code that the Google window posts. */
const codeByPopupError: Readonly<Record<string, BrowserErrorCode>> = {
  access_denied: 'auth/user-cancelled',
  user_disabled: 'auth/user-disabled',
  session_ended: 'auth/user-token-expired',
  unauthorized_domain: 'auth/unauthorized-domain',
  provider_not_found: 'auth/operation-not-allowed',
  account_not_linked: 'auth/account-exists-with-different-credential',
  temporarily_unavailable: 'auth/network-request-failed',
};

/** Creates the error of a code that the Google window posts. */
export function identityErrorFromPopup(code: string): IdentityError {
  return identityError(codeByPopupError[code] ?? 'auth/internal-error');
}
