import { type DestinationStream, type Logger, pino } from 'pino';

/** What no line of the log may hold, wherever in it a library has put it, and what stands there instead. */
// Each begins where the characters that it takes begin, which the look-behinds see to: begun at every character of a long
// run of them, it would read the rest of the run each time.
const secrets: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /(?<![^\s@<>()[\]\\,;:"'=])[^\s@<>()[\]\\,;:"'=]+@[^\s@<>()[\]\\,;:"'?&/]+\.[^\s@<>()[\]\\,;:"'?&/]+/g,
    '[e-mail]',
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
  // Without a plus they are digits like any others, but for what stands before them.
  [/((?:phone|mobile_number)[\\"')]*\s*[:=]\s*[\\"'(]*)(?<=[=\s"'(])\d[\d ().-]{4,22}\d/gi, '$1[telephone]'],
];

/** A line without what `secrets` names. */
function redact(line: string): string {
  let clean = line;
  for (const [pattern, instead] of secrets) clean = clean.replace(pattern, instead);
  return clean;
}

const property = (error: Error, name: string): unknown => Reflect.get(error, name);

/**
 * An error as the log shows it. Libraries hang whole requests, rows and recipients on their errors, so only what
 * tells where and what is taken.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const told = ['code', 'statusCode', 'constraint', 'table', 'syscall', 'responseCode'].flatMap((name) => {
    const value = property(error, name);
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...Object.fromEntries(told),
    ...(error.cause instanceof Error && { cause: serializeError(error.cause) }),
  };
}

/**
 * The shop's log: one JSON object a line. Tokens, keys, passwords, card numbers, e-mail addresses and telephone
 * numbers (those with a plus, and those under their name) are taken out of every line, because a log is read, shipped and kept by more people and programs than the shop is.
 * @param destination standard output when left out
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
