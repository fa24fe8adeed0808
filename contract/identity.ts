import * as z from 'zod/mini';
import { nothing } from './endpoint.ts';
import { newPassword } from './password.ts';
import { Email, isOneLine, listOf } from './scalars.ts';

/** Refusal codes of the identity provider. Status, title and default sentence are in `identity/refusals.ts`. */
export type IdentityRefusalCode =
  | 'already_set_up'
  | 'breached_password'
  | 'broken_json'
  | 'email_already_in_use'
  | 'identity_unavailable'
  | 'internal'
  | 'invalid_code'
  | 'invalid_credential'
  | 'invalid_input'
  | 'link_spent'
  | 'mail_unavailable'
  | 'not_allowed'
  | 'not_found'
  | 'overloaded'
  | 'passkey_refused'
  | 'reauthentication_required'
  | 'second_factor_required'
  | 'session_ended'
  | 'too_large'
  | 'too_many_requests'
  | 'unauthorized_domain'
  | 'unsupported_media_type'
  | 'user_disabled'
  | 'weak_password';

/**
 * The bearer token that a call takes:
 * - `none`: no token;
 * - `session`: the token of a session;
 * - `challenge`: the token of a sign-in whose second factor is due;
 * - `optional-challenge`: the same, or no token;
 * - `service`: the secret that the identity provider shares with the shop's server.
 */
export type IdentityAccess = 'none' | 'session' | 'challenge' | 'optional-challenge' | 'service';

type Nothing = typeof nothing;

interface Description<Params, Body, Answer> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/identity`, with `:name` for path parameters. */
  path: `/${string}`;
  access: IdentityAccess;
  summary: string;
  params?: Params;
  body?: Body;
  answer: Answer;
  refusals?: readonly IdentityRefusalCode[];
}

/** One call of the identity provider. The provider serves it and the web client makes it from this description. */
export interface IdentityEndpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly access: IdentityAccess;
  readonly summary: string;
  readonly params: Params;
  readonly query: Nothing;
  readonly body: Body;
  readonly answer: Answer;
  /** This call's own refusals; those of `access`, of rate limits and of bad input are implied. */
  readonly refusals: readonly IdentityRefusalCode[];
}

function endpoint<
  Answer extends z.ZodMiniType,
  Params extends z.ZodMiniType = Nothing,
  Body extends z.ZodMiniType = Nothing,
>(description: Description<Params, Body, Answer>): IdentityEndpoint<Params, Body, Answer>;
function endpoint(description: Description<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType>): IdentityEndpoint {
  return { params: nothing, query: nothing, body: nothing, refusals: [], ...description };
}

/** A length check that skips the checks after it, so that none of them reads a text of any length. */
const atMost = (maximum: number, error: string) => z.maxLength(maximum, { error, abort: true });

/** Maximum length of a name in characters. */
export const MAXIMUM_NAME = 100;

const Name = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    atMost(MAXIMUM_NAME, `Name can be at most ${MAXIMUM_NAME} characters`),
    z.refine(isOneLine, { error: 'Name has characters that cannot be shown' }),
  );

const { required, minimum, maximum, pattern } = newPassword;

const NewPassword = z
  .string({ error: required })
  .check(
    z.minLength(1, { error: required, abort: true }),
    z.minLength(minimum.value, { error: minimum.message, abort: true }),
    atMost(maximum.value, maximum.message),
    z.regex(pattern.value, { error: pattern.message }),
  );

/** An existing password. Only its length is checked: it may have been chosen under an older rule. */
const existingPassword = (missing: string) =>
  z
    .string({ error: missing })
    .check(
      z.minLength(1, { error: missing, abort: true }),
      atMost(maximum.value, `Password can be at most ${maximum.value} characters`),
    );

const notAnAddress = 'This does not look like an e-mail address';

const KnownEmail = Email.check(z.refine(isOneLine, { error: notAnAddress, abort: true }));

/** An e-mail address that better-auth accepts: it takes fewer spellings than {@link Email}. */
const TypedEmail = KnownEmail.check(
  z.refine((address) => z.safeParse(z.email(), address).success, { error: notAnAddress }),
);

const ByEmail = z.object({ email: KnownEmail });

/** The account's password, again, before a way of signing in changes; left out by an account without one. */
export const PasswordConfirmation = z.object({
  password: z.optional(existingPassword('Your password is required')),
});

/** A code of an authenticator app, or a recovery code. */
const Code = z.object({
  code: z
    .string({ error: 'A code is required' })
    .check(z.minLength(1, { error: 'A code is required', abort: true }), atMost(40, 'This is no code')),
});

/** The token in the link of an e-mail. */
const LinkToken = z
  .string({ error: 'This link is not whole' })
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/, { error: 'This link is not whole' }));

const Base64url = z.string().check(atMost(8000, 'This is too long'), z.regex(/^[A-Za-z0-9_-]+$/));

const notAPicture = 'A photo is the address of a picture on the web';
const isWebAddress = (address: string) => z.safeParse(z.url({ protocol: /^https?$/ }), address).success;

const notAMoment = 'This is no moment';

/** ISO 8601, UTC. */
const Moment = z.string().check(
  atMost(40, notAMoment),
  z.refine((moment) => z.safeParse(z.iso.datetime(), moment).success, { error: notAMoment }),
);

const profile = {
  uid: z.string(),
  displayName: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  photoURL: z.nullable(z.string()),
};

export const UserProfile = z.object({
  ...profile,
  email: z.string(),
  emailVerified: z.boolean(),
  isAnonymous: z.boolean(),
  /** The sign-in methods; `providerId` is `password` or `google.com`. */
  providerData: z.array(z.object({ ...profile, providerId: z.string(), email: z.nullable(z.string()) })),
  /** ISO 8601, UTC. */
  metadata: z.object({ creationTime: z.string(), lastSignInTime: z.string() }),
});
export type UserProfile = z.infer<typeof UserProfile>;

export const SecondFactorMethod = z.enum(['totp', 'passkey', 'recovery-code']);
export type SecondFactorMethod = z.infer<typeof SecondFactorMethod>;

const IssuedToken = z.object({ idToken: z.string(), user: UserProfile });
export type IssuedToken = z.infer<typeof IssuedToken>;

const NewSession = z.extend(IssuedToken, { sessionToken: z.string() });
export type NewSession = z.infer<typeof NewSession>;

/** A new session, or the challenge of a sign-in whose second factor is due. */
const SignInResult = z.union([
  NewSession,
  z.object({ secondFactor: z.object({ challenge: z.string(), methods: z.array(SecondFactorMethod) }) }),
]);
export type SignInResult = z.infer<typeof SignInResult>;

/** The session that replaces the one which added a second factor. `recoveryCodes`: null where some existed. */
const SecondFactorAdded = z.extend(NewSession, { recoveryCodes: z.nullable(z.array(z.string())) });

const Done = z.object({ success: z.literal(true) });
const Ended = z.object({ deletedCount: z.int() });

/** Options for `navigator.credentials`; only the browser reads them. */
const PasskeyOptions = z.record(z.string(), z.unknown());

export const signUp = endpoint({
  method: 'POST',
  path: '/sign-up/email',
  access: 'none',
  summary: 'Creates an account with a password and sends an e-mail to verify its address',
  body: z.object({ email: TypedEmail, password: NewPassword, name: z._default(Name, '') }),
  answer: NewSession,
  refusals: ['weak_password', 'breached_password', 'email_already_in_use'],
});

export const signIn = endpoint({
  method: 'POST',
  path: '/sign-in/email',
  access: 'none',
  summary: 'Signs in with a password',
  body: z.object({ email: TypedEmail, password: existingPassword('Password is required') }),
  answer: SignInResult,
  refusals: ['invalid_credential', 'user_disabled'],
});

export const continueSignIn = endpoint({
  method: 'POST',
  path: '/sign-in/continue',
  access: 'session',
  summary: 'Continues with the session that the Google window handed over',
  answer: SignInResult,
});

export const signInWithCode = endpoint({
  method: 'POST',
  path: '/sign-in/code',
  access: 'challenge',
  summary: 'Completes a sign-in with a code of an authenticator app or a recovery code',
  body: Code,
  answer: NewSession,
  refusals: ['invalid_code'],
});

export const readSignInPasskeyOptions = endpoint({
  method: 'POST',
  path: '/sign-in/passkey/options',
  access: 'optional-challenge',
  summary:
    'Answers the options for using a passkey: one of the challenged account, or any without a challenge',
  answer: PasskeyOptions,
});

export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/sign-in/passkey',
  access: 'optional-challenge',
  summary: 'Completes a sign-in with a passkey, or signs in with the passkey alone',
  body: z.object({
    response: z.object({
      id: Base64url,
      rawId: Base64url,
      type: z.literal('public-key'),
      response: z.object({
        clientDataJSON: Base64url,
        authenticatorData: Base64url,
        signature: Base64url,
        userHandle: z.optional(z.nullable(z.string().check(atMost(200, 'This is too long')))),
      }),
    }),
  }),
  answer: NewSession,
  refusals: ['passkey_refused'],
});

export const reauthenticate = endpoint({
  method: 'POST',
  path: '/sign-in/again',
  access: 'session',
  summary: 'Confirms the password and replaces the session by one that begins now',
  body: PasswordConfirmation,
  answer: NewSession,
  refusals: ['invalid_credential', 'reauthentication_required'],
});

export const signOut = endpoint({
  method: 'POST',
  path: '/sign-out',
  access: 'session',
  summary: 'Ends the session',
  answer: Done,
});

export const issueIdToken = endpoint({
  method: 'GET',
  path: '/token',
  access: 'session',
  summary: 'Issues an ID token',
  answer: IssuedToken,
});

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/user',
  access: 'session',
  summary: 'Changes the display name or the photo; a field that is left out stays',
  body: z.object({
    displayName: z.optional(Name),
    photoURL: z.optional(
      z.nullable(
        z.string({ error: notAPicture }).check(
          atMost(2048, 'This address is too long'),
          z.refine((address) => isWebAddress(address), { error: notAPicture }),
        ),
      ),
    ),
  }),
  answer: IssuedToken,
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/sessions',
  access: 'session',
  summary: 'Lists the sessions of the account',
  answer: z.array(
    z.object({
      id: z.string(),
      signedInAt: z.string(),
      renewedAt: z.string(),
      userAgent: z.nullable(z.string()),
      current: z.boolean(),
    }),
  ),
});
export type OpenSession = z.infer<typeof listSessions.answer>[number];

export const endSession = endpoint({
  method: 'DELETE',
  path: '/sessions/:id',
  access: 'session',
  summary: 'Ends a session of the account',
  params: z.object({ id: z.string().check(z.minLength(1), atMost(100, 'This is no session')) }),
  answer: Ended,
  refusals: ['not_found'],
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/sessions',
  access: 'session',
  summary: 'Ends the other sessions of the account',
  answer: Ended,
});

export const readAccount = endpoint({
  method: 'GET',
  path: '/account',
  access: 'session',
  summary: 'Answers how the account signs in',
  answer: z.object({
    email: z.string(),
    emailVerified: z.boolean(),
    sendsMail: z.boolean(),
    hasPassword: z.boolean(),
    totp: z.boolean(),
    recoveryCodesLeft: z.number(),
    /** Times are ISO 8601 in UTC. */
    passkeys: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        createdAt: z.string(),
        lastUsedAt: z.nullable(z.string()),
      }),
    ),
  }),
});
export type Account = z.infer<typeof readAccount.answer>;

export const sendVerification = endpoint({
  method: 'POST',
  path: '/email/verification-letter',
  access: 'session',
  summary: 'Sends an e-mail with a link that verifies the address',
  answer: Done,
  refusals: ['mail_unavailable', 'already_set_up'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/email/verify',
  access: 'none',
  summary:
    'Verifies an address; outside the browser that registered it removes the account’s passwords, sessions and second factors',
  body: z.object({ token: LinkToken }),
  /** `passwordToken` chooses a new password where the old one was removed; else null. */
  answer: z.extend(Done, { passwordToken: z.nullable(z.string()) }),
  refusals: ['link_spent'],
});

export const sendPasswordReset = endpoint({
  method: 'POST',
  path: '/password/reset-letter',
  access: 'none',
  summary: 'Sends an e-mail with a link that sets a new password, if the address has an account',
  body: ByEmail,
  answer: z.extend(Done, { message: z.string() }),
  refusals: ['mail_unavailable'],
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/password/reset',
  access: 'none',
  summary: 'Sets a new password by the link of an e-mail and ends every session of the account',
  body: z.object({ token: LinkToken, password: NewPassword }),
  answer: Done,
  refusals: ['weak_password', 'breached_password', 'link_spent'],
});

export const changePassword = endpoint({
  method: 'POST',
  path: '/password/change',
  access: 'session',
  summary: 'Changes the password and ends the other sessions of the account',
  body: z.object({
    currentPassword: existingPassword('Your present password is required'),
    password: NewPassword,
  }),
  answer: Done,
  refusals: ['weak_password', 'breached_password', 'invalid_credential', 'not_found'],
});

export const beginAuthenticator = endpoint({
  method: 'POST',
  path: '/totp',
  access: 'session',
  summary: 'Creates the key of an authenticator app; its first code puts it to use',
  body: PasswordConfirmation,
  answer: z.object({ secret: z.string(), url: z.string() }),
  refusals: ['invalid_credential', 'reauthentication_required', 'already_set_up'],
});
export type AuthenticatorSetup = z.infer<typeof beginAuthenticator.answer>;

export const confirmAuthenticator = endpoint({
  method: 'POST',
  path: '/totp/confirm',
  access: 'session',
  summary: 'Puts an authenticator app to use with its first code; the other sessions of the account end',
  body: Code,
  answer: SecondFactorAdded,
  refusals: ['invalid_code', 'already_set_up'],
});

export const removeAuthenticator = endpoint({
  method: 'POST',
  path: '/totp/remove',
  access: 'session',
  summary: 'Removes the authenticator app',
  body: PasswordConfirmation,
  answer: Done,
  refusals: ['invalid_credential', 'reauthentication_required', 'not_found'],
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/recovery-codes',
  access: 'session',
  summary: 'Replaces the recovery codes',
  body: PasswordConfirmation,
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  refusals: ['invalid_credential', 'reauthentication_required', 'not_found'],
});

export const readNewPasskeyOptions = endpoint({
  method: 'POST',
  path: '/passkeys/options',
  access: 'session',
  summary: 'Answers the options for creating a passkey',
  body: PasswordConfirmation,
  answer: PasskeyOptions,
  refusals: ['invalid_credential', 'reauthentication_required'],
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/passkeys',
  access: 'session',
  summary: 'Adds a passkey; the other sessions of the account end',
  body: z.object({
    name: z._default(
      z
        .string()
        .check(
          z.trim(),
          atMost(60, 'At most 60 characters, please'),
          z.refine(isOneLine, { error: 'This name cannot be shown' }),
        ),
      '',
    ),
    response: z.object({
      id: Base64url,
      rawId: Base64url,
      type: z.literal('public-key'),
      response: z.object({
        clientDataJSON: Base64url,
        attestationObject: Base64url,
        transports: z._default(
          listOf(
            10,
            z.string().check(z.regex(/^[a-z-]{1,20}$/)),
            'Transports are a list',
            'At most 10 transports',
          ),
          [],
        ),
      }),
    }),
  }),
  answer: SecondFactorAdded,
  refusals: ['passkey_refused', 'already_set_up'],
});

export const removePasskey = endpoint({
  method: 'POST',
  path: '/passkeys/:id/remove',
  access: 'session',
  summary: 'Removes a passkey',
  params: z.object({ id: Base64url }),
  body: PasswordConfirmation,
  answer: Done,
  refusals: ['invalid_credential', 'reauthentication_required', 'not_found'],
});

export const disableAccount = endpoint({
  method: 'POST',
  path: '/admin/disable',
  access: 'service',
  summary: 'Disables an account and ends its sessions',
  body: ByEmail,
  answer: z.object({ disabled: z.literal(true) }),
  refusals: ['not_found'],
});

export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/admin/reset-second-factor',
  access: 'service',
  summary: 'Removes the second factors of an account and notifies its owner',
  body: ByEmail,
  answer: z.object({ reset: z.literal(true) }),
  refusals: ['not_found'],
});

export const eraseAccount = endpoint({
  method: 'POST',
  path: '/admin/erase',
  access: 'service',
  summary: 'Erases an account, unless it was created at or after `madeBefore`',
  body: z.object({ email: KnownEmail, madeBefore: z.optional(Moment) }),
  answer: z.object({ erased: z.literal(true) }),
  refusals: ['not_found'],
});
