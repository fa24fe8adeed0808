import * as z from 'zod/mini';
import { newPassword } from '#contract/people/password.ts';
import { Email, isOneLine, isVisible } from '#contract/platform/scalars.ts';

/** Maximum age of a session, in days, however often it is used. */
export const MAXIMUM_SESSION_DAYS = 90;

/** A maximum length that aborts the checks after it, so that regular expressions run on short text only. */
export const atMost = (maximum: number, error: string) => z.maxLength(maximum, { error, abort: true });

/** Maximum length of a name in characters. */
export const MAXIMUM_NAME = 100;

export const Name = z.string({ error: 'Name is required' }).check(
  z.trim(),
  atMost(MAXIMUM_NAME, `Name can be at most ${MAXIMUM_NAME} characters`),
  z.refine((name) => isOneLine(name) && (name === '' || isVisible(name)), {
    error: 'Name has characters that cannot be shown',
  }),
);

const { required, minimum, maximum, pattern } = newPassword;

export const NewPassword = z
  .string({ error: required })
  .check(
    z.minLength(1, { error: required, abort: true }),
    z.minLength(minimum.value, { error: minimum.message, abort: true }),
    atMost(maximum.value, maximum.message),
    z.regex(pattern.value, { error: pattern.message }),
  );

/** An existing password. Only its length is checked, because older rules may have allowed it. */
export const existingPassword = (missingMessage: string) =>
  z
    .string({ error: missingMessage })
    .check(
      z.minLength(1, { error: missingMessage, abort: true }),
      atMost(maximum.value, `Password can be at most ${maximum.value} characters`),
    );

const notAnEmailAddress = 'This does not look like an email address';

/** An email address on one line. */
export const SingleLineEmail = Email.check(z.refine(isOneLine, { error: notAnEmailAddress, abort: true }));

const alternative = 'Please use another address';

/**
 * An email address in the syntax that better-auth accepts, which is stricter than {@link Email}. Of international addresses (RFC 6531) it
 * accepts the domains, unless the top-level domain has other letters than a to z.
 */
export const StrictEmail = SingleLineEmail.check(
  z.refine((address) => !/[^\0-\x7F].*@/.test(address), {
    error: `We cannot send email to addresses with other letters than a to z before the @. ${alternative}`,
    abort: true,
  }),
  z.refine((address) => !/\.xn--[^.]+$/.test(address), {
    error: `We cannot send email to addresses that end in other letters than a to z. ${alternative}`,
    abort: true,
  }),
  z.refine((address) => z.safeParse(z.email(), address).success, { error: notAnEmailAddress }),
);

/** Names an account by its email address. */
export const EmailBody = z.object({ email: SingleLineEmail });

/** Confirms a change of the sign-in methods by the account's password. Omitted by an account without a password. */
export const PasswordConfirmation = z.object({
  password: z.optional(existingPassword('Your password is required')),
});

/** The common parts of the endpoints that a user must confirm by {@link PasswordConfirmation}. */
export const confirmedByPassword = { method: 'POST', access: 'session', body: PasswordConfirmation } as const;

/** A code of an authenticator app, or a recovery code. */
export const CodeBody = z.object({
  code: z
    .string({ error: 'A code is required' })
    .check(z.minLength(1, { error: 'A code is required', abort: true }), atMost(40, 'This is not a code')),
});

export const Base64url = z.string().check(atMost(8000, 'This is too long'), z.regex(/^[A-Za-z0-9_-]+$/));

/** The result of `navigator.credentials`. @param response the fields of its `response` besides `clientDataJSON` */
export const passkeyCredential = <Shape extends z.core.$ZodShape>(response: Shape) =>
  z.object({
    id: Base64url,
    rawId: Base64url,
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: Base64url, ...response }),
  });

const profileFields = {
  uid: z.string(),
  displayName: z.nullable(z.string()),
  phoneNumber: z.nullable(z.string()),
  photoURL: z.nullable(z.string()),
};

export const UserProfile = z.object({
  ...profileFields,
  email: z.string(),
  emailVerified: z.boolean(),
  isAnonymous: z.boolean(),
  /** The sign-in methods; `providerId` is `password` or `google.com`. */
  providerData: z.array(
    z.object({ ...profileFields, providerId: z.string(), email: z.nullable(z.string()) }),
  ),
  /** ISO 8601, UTC. */
  metadata: z.object({ creationTime: z.string(), lastSignInTime: z.string() }),
});
export type UserProfile = z.infer<typeof UserProfile>;

export const SecondFactorMethod = z.enum(['totp', 'passkey', 'recovery-code']);
export type SecondFactorMethod = z.infer<typeof SecondFactorMethod>;

export const IssuedToken = z.object({ idToken: z.string(), user: UserProfile });
export type IssuedToken = z.infer<typeof IssuedToken>;

/** A session token and the first ID token of its session. */
export const NewSession = z.extend(IssuedToken, { sessionToken: z.string() });
export type NewSession = z.infer<typeof NewSession>;

/** A sign-in that waits for its second factor. `challenge`: the token that completes it. */
export const PendingSecondFactor = z.object({ challenge: z.string(), methods: z.array(SecondFactorMethod) });
export type PendingSecondFactor = z.infer<typeof PendingSecondFactor>;

export const SignInResult = z.union([NewSession, z.object({ secondFactor: PendingSecondFactor })]);
export type SignInResult = z.infer<typeof SignInResult>;

/** The new session after a second factor was added. `recoveryCodes` is null when the account already had some. */
export const SecondFactorAdded = z.extend(NewSession, { recoveryCodes: z.nullable(z.array(z.string())) });

/** Response of an action without a result. */
export const Success = z.object({ success: z.literal(true) });

/** Options for `navigator.credentials`; only the browser reads them. */
export const PasskeyOptions = z.record(z.string(), z.unknown());
