/**
 * Messages of failures that begin in the browser, by code. Some codes are the ones that the Google window posts. A refusal of
 * the provider brings its own message.
 */
const messages = {
  access_denied: 'You cancelled the sign-in with Google.',
  account_not_linked: 'An account with this email address exists already. Please log in with your password.',
  internal: 'Something went wrong on our side. Please try again.',
  network: 'Signing in cannot be reached. Please check your connection and try again.',
  not_signed_in: 'Please log in first.',
  passkey_cancelled: 'No passkey was used. Please try again, or sign in another way.',
  passkey_exists: 'This device has a passkey for your account already.',
  passkeys_unavailable: 'Passkeys do not work in this browser, or not at this address.',
  provider_not_found: 'Signing in with Google is not available here.',
  session_ended: 'Your session has ended. Please log in again.',
  temporarily_unavailable: 'Signing in cannot be reached. Please check your connection and try again.',
  unauthorized_domain: 'Signing in with Google is not allowed from this address.',
  user_disabled: 'This account is disabled. If you think that this is a mistake, please contact the shop.',
  window_blocked: 'Your browser blocked the Google window. Please allow popups for this page and try again.',
  window_closed: 'The Google window was closed before you were signed in.',
  window_replaced: 'Another Google window was opened.',
  window_timeout: 'The sign-in with Google took too long. Please try again.',
} as const;

/** A failure of signing up, in or out, or of a token. `message` is a sentence for people. */
export class IdentityError extends Error {
  /** The provider's refusal code, or that of a failure which begins in the browser. */
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
export const identityError = (code: keyof typeof messages, cause?: unknown) =>
  new IdentityError(code, messages[code], cause);

/** Whether an error means that the provider has ended the session. */
export const endsIdentitySession = (error: unknown): error is IdentityError =>
  error instanceof IdentityError && ['user_disabled', 'session_ended'].includes(error.code);

const isKnown = (code: string): code is keyof typeof messages => Object.hasOwn(messages, code);

/** Creates the error of a code that the Google window posts. */
export const identityErrorFromPopup = (code: string) => identityError(isKnown(code) ? code : 'internal');
