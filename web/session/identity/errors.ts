/** Every code of an identity failure, with the sentence that people read. */
const sentences = {
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

export type IdentityErrorCode = keyof typeof sentences;

/** A failure of signing up, in or out, or of a token; `message` is a sentence for people. */
export class IdentityError extends Error {
  readonly code: IdentityErrorCode;
  /** For bad input: a sentence per field (`email`, `password`, `name`, `displayName`, `photoURL`). */
  readonly errors: Readonly<Record<string, string>>;

  constructor(
    code: IdentityErrorCode,
    details: { message?: string; errors?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(details.message ?? sentences[code], { cause: details.cause });
    this.name = 'IdentityError';
    this.code = code;
    this.errors = details.errors ?? {};
  }
}

/** What may complete a sign-in whose second factor is due. */
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery-code';

/** The password was right, and a second factor is due: the client waits for one of these. */
export class SecondFactorRequired extends IdentityError {
  readonly methods: readonly SecondFactorMethod[];

  constructor(methods: readonly SecondFactorMethod[]) {
    super('auth/multi-factor-auth-required');
    this.name = 'SecondFactorRequired';
    this.methods = methods;
  }
}

/** Whether a failure means that the person is signed out, whatever this device remembers. */
export function endsSession(error: unknown): error is IdentityError {
  return (
    error instanceof IdentityError &&
    (error.code === 'auth/user-disabled' || error.code === 'auth/user-token-expired')
  );
}

/** A code that came from another tab, as an error again; null for what is no code. */
export function errorOf(code: unknown): IdentityError | null {
  const known = Object.keys(sentences).find(
    (candidate): candidate is IdentityErrorCode => candidate === code,
  );
  return known === undefined ? null : new IdentityError(known);
}

/** The provider's codes in problem documents, as identity codes. */
const ofProvider: Readonly<Record<string, IdentityErrorCode>> = {
  invalid_input: 'auth/argument-error',
  broken_json: 'auth/argument-error',
  weak_password: 'auth/weak-password',
  breached_password: 'auth/weak-password',
  second_factor_required: 'auth/multi-factor-auth-required',
  invalid_code: 'auth/invalid-verification-code',
  link_spent: 'auth/invalid-action-code',
  passkey_refused: 'auth/passkey-refused',
  reauthentication_required: 'auth/requires-recent-login',
  already_set_up: 'auth/argument-error',
  mail_unavailable: 'auth/network-request-failed',
  email_already_in_use: 'auth/email-already-in-use',
  invalid_credential: 'auth/invalid-credential',
  user_disabled: 'auth/user-disabled',
  session_ended: 'auth/user-token-expired',
  too_many_requests: 'auth/too-many-requests',
  unauthorized_domain: 'auth/unauthorized-domain',
  identity_unavailable: 'auth/network-request-failed',
  overloaded: 'auth/too-many-requests',
};

/** The error that a problem document of the provider amounts to. */
export function errorOfProblem(problem: {
  status: number;
  code: string;
  detail: string;
  errors?: Readonly<Record<string, string>> | undefined;
}): IdentityError {
  const fallback = problem.status === 429 ? 'auth/too-many-requests' : 'auth/internal-error';
  const code = ofProvider[problem.code] ?? fallback;
  const errors = problem.errors ?? {};
  const badEmail = code === 'auth/argument-error' && errors.email !== undefined;
  return new IdentityError(badEmail ? 'auth/invalid-email' : code, { message: problem.detail, errors });
}

/** Codes that the popup hands over, as identity codes. */
const ofPopup: Readonly<Record<string, IdentityErrorCode>> = {
  access_denied: 'auth/user-cancelled',
  user_disabled: 'auth/user-disabled',
  session_ended: 'auth/user-token-expired',
  unauthorized_domain: 'auth/unauthorized-domain',
  provider_not_found: 'auth/operation-not-allowed',
  account_not_linked: 'auth/account-exists-with-different-credential',
  temporarily_unavailable: 'auth/network-request-failed',
};

/** The error that a code of the popup amounts to. */
export function errorOfPopup(code: string): IdentityError {
  return new IdentityError(ofPopup[code] ?? 'auth/internal-error');
}
