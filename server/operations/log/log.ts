import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * Secrets and personal data that must not be logged, with their replacements. The look-behinds allow a match only at the
 * start of a run of characters: matching from each of its characters would take quadratic time.
 */
const redactions: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    /(?<![^\s@<>()[\]\\,;:"'=])[^\s@<>()[\]\\,;:"'=]+@[^\s@<>()[\]\\,;:"'?&/]+\.[^\s@<>()[\]\\,;:"'?&/]+/g,
    '[email]',
  ],
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, '[token]'],
  [/\b(Bearer|Basic) +[^\s"\\]+/gi, '$1 [token]'],
  [/\b(?:sk|rk|whsec)_[\w-]{4,}/g, '[key]'],
  [/_secret_\w+/g, '_secret_[key]'],
  [/([?&](?:key|token|code|state|email|password|client_secret)=)[^&\s"\\]+/gi, '$1[hidden]'],
  [/\bpostgres(ql)?:\/\/[^\s"\\]+/g, '[database]'],
  [/\bsmtps?:\/\/[^\s"\\]+/g, '[mail server]'],
  // Card numbers, alone or in groups; not the digits inside ids, which stand next to letters and hyphens.
  [/(?<![\w-]|\d\.)\d(?: ?\d){12,18}(?![\w-]|\.\d)/g, '[number]'],
  [/\+\d[\d ().-]{5,22}\d/g, '[telephone]'],
  // Without a plus, telephone numbers are recognized only by the name before them.
  [/((?:phone|mobile_number)[\\"')]*\s*[:=]\s*[\\"'(]*)(?<=[=\s"'(])\d[\d ().-]{4,22}\d/gi, '$1[telephone]'],
];

/** Applies all redactions to a line. */
function redact(line: string): string {
  let redacted = line;
  for (const [pattern, replacement] of redactions) redacted = redacted.replace(pattern, replacement);
  return redacted;
}

/** The most errors of an `AggregateError` that one line has. */
const MAXIMUM_LOGGED_ERRORS = 10;

const property = (error: Error, name: string): unknown => Reflect.get(error, name);

/** Whether a value is an error or, as pg-boss emits them, a copy of one that is a plain object. */
const isErrorLike = (value: unknown): value is Error =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';

/**
 * Serializes an error for the log. Libraries attach requests, rows and recipients to errors, so only listed properties are
 * included.
 */
function serializeError(error: unknown): unknown {
  if (!isErrorLike(error)) return { message: String(error) };
  const details = ['code', 'statusCode', 'constraint', 'table', 'syscall', 'responseCode'].flatMap((name) => {
    const value = property(error, name);
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(details),
    ...(error.cause instanceof Error && { cause: serializeError(error.cause) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, MAXIMUM_LOGGED_ERRORS).map(serializeError),
    }),
  };
}

/**
 * Creates the shop's logger: one JSON object per line. Tokens, keys, passwords, card numbers, email addresses and telephone
 * numbers (those with a plus or after their field name) are redacted in every line, because more people and programs can
 * read the log than the database.
 * @param destination standard output by default
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    hooks: { streamWrite: redact },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
