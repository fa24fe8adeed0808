import * as z from 'zod/mini';
import { newPassword } from '#contract/password.ts';
import { Email, isOneLine, listOf } from '#contract/scalars.ts';
import { toSingleLine } from '#emails/user-text.ts';
import { Refusal } from './refusals.ts';

/** The longest name in characters; a longer one from Google is cut, a longer one typed is refused. */
export const MAXIMUM_NAME = 100;

/** A length check that skips the checks after it, so that none of them reads a text of any length. */
const atMost = (maximum: number, error: string) => z.maxLength(maximum, { error, abort: true });

const Name = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    atMost(MAXIMUM_NAME, `Name can be at most ${MAXIMUM_NAME} characters`),
    z.refine(isOneLine, { error: 'Name has characters that cannot be shown' }),
  );

const { required, minimum, maximum, pattern } = newPassword;

/** The longest password in characters. */
export const MAXIMUM_PASSWORD = maximum.value;

const NewPassword = z
  .string({ error: required })
  .check(
    z.minLength(1, { error: required, abort: true }),
    z.minLength(minimum.value, { error: minimum.message, abort: true }),
    atMost(maximum.value, maximum.message),
    z.regex(pattern.value, { error: pattern.message }),
  );

const notAnAddress = 'This does not look like an e-mail address';

const Known = Email.check(z.refine(isOneLine, { error: notAnAddress, abort: true }));

/** An address that somebody types: of those, better-auth knows the plain ones only. */
const Address = Known.check(
  z.refine((address) => z.safeParse(z.email(), address).success, { error: notAnAddress }),
);

export const SignUp = z.object({ email: Address, password: NewPassword, name: z._default(Name, '') });

/** A password as it was chosen once: only its length is looked at before it is compared. */
const typedPassword = (required: string) =>
  z
    .string({ error: required })
    .check(
      z.minLength(1, { error: required, abort: true }),
      atMost(MAXIMUM_PASSWORD, `Password can be at most ${MAXIMUM_PASSWORD} characters`),
    );

export const SignIn = z.object({ email: Address, password: typedPassword('Password is required') });

const notAPicture = 'A photo is the address of a picture on the web';
const isWebAddress = (address: string) => z.safeParse(z.url({ protocol: /^https?$/ }), address).success;

export const ProfileUpdate = z.object({
  displayName: z.optional(Name),
  photoURL: z.optional(
    z.nullable(
      z.string({ error: notAPicture }).check(
        atMost(2048, 'This address is too long'),
        z.refine((address) => isWebAddress(address), { error: notAPicture }),
      ),
    ),
  ),
});

export const ByEmail = z.object({ email: Known });

const Moment = z.string().check(
  atMost(40, 'This is no moment'),
  z.refine((moment) => z.safeParse(z.iso.datetime(), moment).success, { error: 'This is no moment' }),
);

/** Whose account is to be erased, unless it was made only after a moment. */
export const Erasure = z.object({ email: Known, madeBefore: z.optional(Moment) });

/** What a link in a letter carries. */
const LinkToken = z
  .string({ error: 'This link is not whole' })
  .check(z.regex(/^[A-Za-z0-9_-]{43}$/, { error: 'This link is not whole' }));

export const VerifyEmail = z.object({ token: LinkToken });

export const PasswordReset = z.object({ token: LinkToken, password: NewPassword });

export const PasswordChange = z.object({
  currentPassword: typedPassword('Your present password is required'),
  password: NewPassword,
});

/** The password once more, from who has one, before a way of signing in changes. */
export const Again = z.object({ password: z.optional(typedPassword('Your password is required')) });

export const Code = z.object({
  code: z
    .string({ error: 'A code is required' })
    .check(z.minLength(1, { error: 'A code is required', abort: true }), atMost(40, 'This is no code')),
});

const Base64url = z.string().check(atMost(8000, 'This is too long'), z.regex(/^[A-Za-z0-9_-]+$/));

const passkeyParts = {
  id: Base64url,
  rawId: Base64url,
  type: z.literal('public-key'),
};

/** What a browser answers when it has made a passkey. */
export const NewPasskey = z.object({
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
    ...passkeyParts,
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
});

/** What a browser answers when it has used a passkey. */
export const UsedPasskey = z.object({
  response: z.object({
    ...passkeyParts,
    response: z.object({
      clientDataJSON: Base64url,
      authenticatorData: Base64url,
      signature: Base64url,
      userHandle: z.optional(z.nullable(z.string().check(atMost(200, 'This is too long')))),
    }),
  }),
});

export const ByPasskeyId = z.object({ id: Base64url });

export const BySessionId = z.object({
  id: z.string().check(z.minLength(1), atMost(100, 'This is no session')),
});

/** What the opening page says about itself when it opens the Google popup. */
export const PopupRequest = z.object({
  origin: z.string().check(atMost(300, 'This is no origin')),
  nonce: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,128}$/)),
});

/**
 * What came in, checked.
 * @throws Refusal `weak_password` when only the password breaks its rule, else `invalid_input`, with a
 *   sentence per field
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const field = String(issue.path[0] ?? '');
    if (field !== '') errors[field] ??= issue.message;
  }
  const [first] = Object.values(errors);
  const missing = errors.password === 'Password is required';
  const code = !missing && Object.keys(errors).join() === 'password' ? 'weak_password' : 'invalid_input';
  throw new Refusal(code, first, errors);
}

/** A name from elsewhere, brought within the bounds of {@link Name}. */
export function tidyName(name: string): string {
  return toSingleLine(name).slice(0, MAXIMUM_NAME).trim();
}
