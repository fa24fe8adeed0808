import * as z from 'zod/mini';
import { Email } from '#contract/scalars.ts';
import { Refusal } from './refusals.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is this pattern's purpose
const controlCharacters = /[\u0000-\u001F\u007F]/;

/** The longest name in characters; a longer one from Google is cut, a longer one typed is refused. */
export const MAXIMUM_NAME = 100;

/** The longest password in characters: hashing costs grow with length, and nobody types more. */
export const MAXIMUM_PASSWORD = 128;

const Name = z.string({ error: 'Name is required' }).check(
  z.trim(),
  z.maxLength(MAXIMUM_NAME, { error: `Name can be at most ${MAXIMUM_NAME} characters` }),
  z.refine((name) => !controlCharacters.test(name), { error: 'Name has characters that cannot be shown' }),
);

/** The password rule of the shop: at least 6 characters, a capital letter, a digit and one of ! @ # $ & *. */
const NewPassword = z.string({ error: 'Password is required' }).check(
  z.minLength(1, { error: 'Password is required', abort: true }),
  z.minLength(6, { error: 'Password must be 6 character or longer', abort: true }),
  z.maxLength(MAXIMUM_PASSWORD, {
    error: `Password can be at most ${MAXIMUM_PASSWORD} characters`,
    abort: true,
  }),
  z.regex(/^(?=.*\p{Lu})(?=.*[0-9])(?=.*[!@#$&*])/su, {
    error: 'Password must be contain a capital letter and a special character.',
  }),
);

const notAnAddress = 'This does not look like an e-mail address';

const Known = Email.check(
  z.refine((address) => !controlCharacters.test(address), { error: notAnAddress, abort: true }),
);

/** An address that somebody types: of those, better-auth knows the plain ones only. */
const Address = Known.check(
  z.refine((address) => z.safeParse(z.email(), address).success, { error: notAnAddress }),
);

export const SignUp = z.object({ email: Address, password: NewPassword, name: z._default(Name, '') });

export const SignIn = z.object({
  email: Address,
  password: z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, { error: 'Password is required' }),
      z.maxLength(MAXIMUM_PASSWORD, { error: `Password can be at most ${MAXIMUM_PASSWORD} characters` }),
    ),
});

export const ProfileUpdate = z.object({
  displayName: z.optional(Name),
  photoURL: z.optional(
    z.nullable(
      z
        .url({ protocol: /^https?$/, error: 'A photo is the address of a picture on the web' })
        .check(z.maxLength(2048, { error: 'This address is too long' })),
    ),
  ),
});

export const ByEmail = z.object({ email: Known });

export const BySessionId = z.object({ id: z.string().check(z.minLength(1), z.maxLength(100)) });

/** What the opening page says about itself when it opens the Google popup. */
export const PopupRequest = z.object({
  origin: z.string().check(z.maxLength(300)),
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
  return name.replace(new RegExp(controlCharacters, 'g'), ' ').trim().slice(0, MAXIMUM_NAME).trim();
}
