import * as z from 'zod/mini';
import { newPassword } from '../password.ts';
import { Email, isOneLine } from '../scalars.ts';

/** A length check that skips the checks after it, so that none of them reads a text of any length. */
export const atMost = (maximum: number, error: string) => z.maxLength(maximum, { error, abort: true });

/** Maximum length of a name in characters. */
export const MAXIMUM_NAME = 100;

export const Name = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    atMost(MAXIMUM_NAME, `Name can be at most ${MAXIMUM_NAME} characters`),
    z.refine(isOneLine, { error: 'Name has characters that cannot be shown' }),
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

/** An existing password. Only its length is checked: it may have been chosen under an older rule. */
export const existingPassword = (missing: string) =>
  z
    .string({ error: missing })
    .check(
      z.minLength(1, { error: missing, abort: true }),
      atMost(maximum.value, `Password can be at most ${maximum.value} characters`),
    );

const notAnAddress = 'This does not look like an e-mail address';

export const KnownEmail = Email.check(z.refine(isOneLine, { error: notAnAddress, abort: true }));

/** An e-mail address that better-auth accepts: it takes fewer spellings than {@link Email}. */
export const TypedEmail = KnownEmail.check(
  z.refine((address) => z.safeParse(z.email(), address).success, { error: notAnAddress }),
);

export const ByEmail = z.object({ email: KnownEmail });

/** The account's password, again, before a way of signing in changes; left out by an account without one. */
export const PasswordConfirmation = z.object({
  password: z.optional(existingPassword('Your password is required')),
});

/** A code of an authenticator app, or a recovery code. */
export const Code = z.object({
  code: z
    .string({ error: 'A code is required' })
    .check(z.minLength(1, { error: 'A code is required', abort: true }), atMost(40, 'This is no code')),
});

export const Base64url = z.string().check(atMost(8000, 'This is too long'), z.regex(/^[A-Za-z0-9_-]+$/));

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

export const IssuedToken = z.object({ idToken: z.string(), user: UserProfile });
export type IssuedToken = z.infer<typeof IssuedToken>;

export const NewSession = z.extend(IssuedToken, { sessionToken: z.string() });
export type NewSession = z.infer<typeof NewSession>;

/** A new session, or the challenge of a sign-in whose second factor is due. */
export const SignInResult = z.union([
  NewSession,
  z.object({ secondFactor: z.object({ challenge: z.string(), methods: z.array(SecondFactorMethod) }) }),
]);
export type SignInResult = z.infer<typeof SignInResult>;

/** The session that replaces the one which added a second factor. `recoveryCodes`: null where some existed. */
export const SecondFactorAdded = z.extend(NewSession, { recoveryCodes: z.nullable(z.array(z.string())) });

/** Answer of an action without a result. */
export const Done = z.object({ success: z.literal(true) });

/** Options for `navigator.credentials`; only the browser reads them. */
export const PasskeyOptions = z.record(z.string(), z.unknown());
