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
    detail: 'An account with this email address exists already. Please log in instead.',
  },
  invalid_credential: {
    status: 401,
    title: 'Email and password do not match',
    detail: 'The email address or the password is not right.',
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
    title: 'Email is unavailable',
    detail: 'Emails cannot be sent at the moment.',
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
} as const satisfies Record<string, { status: number; title: string; detail: string }>;

export type IdentityRefusalCode = keyof typeof refusals;
