import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { ID_TOKEN_AUDIENCE } from '#contract/people/accounts.ts';
import { currencyCodes } from '#contract/platform/currencies.ts';
import { backupVariables, findBackupContradictions } from './backups.ts';

const port = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a port number.` })
    .check(z.int({ error: `${name} must be a port number.` }), z.minimum(0), z.maximum(65_535));

const wholeNumber = (largest: number, error: string, least = 0) =>
  z.coerce
    .number({ error })
    .check(z.int({ error }), z.minimum(least, { error }), z.maximum(largest, { error }));

const ratio = (name: string) => {
  const error = `${name} must be a number from 0 to 1.`;
  return z.coerce.number({ error }).check(z.minimum(0, { error }), z.maximum(1, { error }));
};

/** The names of OpenTelemetry. What a sender has decided never changes what the shop records, so both forms mean the same. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const urlWith = (protocol: RegExp, error: string) =>
  z
    .string()
    .check(z.refine((value) => URL.canParse(value) && protocol.test(new URL(value).protocol), { error }));

const httpUrl = (name: string) => urlWith(/^https?:$/, `${name} must be an http or https URL.`);

const secret = (name: string, length: number) =>
  z.string().check(z.minLength(length, { error: `${name} must have at least ${length} characters.` }));

const flag = (name: string) => z.enum(['0', '1'], { error: `${name} must be 0 or 1.` });

/** The secret of Standard Webhooks: 24 to 64 bytes in base64, perhaps after `whsec_`. */
const hookSecret = z.pipe(
  z.string().check(
    z.regex(/^(whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/, {
      error:
        'SMS_HOOK_SECRET must be 24 to 64 bytes in base64, such as the output of openssl rand -base64 32.',
    }),
  ),
  z.transform((text) => Buffer.from(text.replace('whsec_', ''), 'base64')),
);

/** Says why a text is no origin of the shop. */
function originProblem(value: string): string {
  const url = URL.parse(value);
  if (url !== null && /^https?:$/.test(url.protocol) && value.toLowerCase() === url.origin) {
    return `PUBLIC_ORIGIN must be in lower case, as browsers send it: ${url.origin}.`;
  }
  return 'PUBLIC_ORIGIN must be http:// or https://, a host and perhaps a port, such as https://shop.example.';
}

const isOrigin = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
};

/** Whether a text is an address, or a name that can be one. The parser of URLs refuses numbers that are no address. */
const isHost = (value: string): boolean =>
  isIP(value) !== 0 || URL.parse(`http://${value}`)?.hostname === value.toLowerCase();

/** All environment variables with their validation and defaults. */
export const Environment = z.object({
  PORT: z._default(port('PORT'), 3000),
  HOST: z._default(
    z
      .string()
      .check(
        z.refine(isHost, { error: 'HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0.' }),
      ),
    '127.0.0.1',
  ),
  SANDBOX_PORT: z.optional(port('SANDBOX_PORT')),
  PUBLIC_ORIGIN: z.optional(
    z.string().check(z.refine(isOrigin, { error: ({ input }) => originProblem(String(input)) })),
  ),
  NODE_ENV: z.optional(z.string()),
  ROLE: z._default(z.enum(['all', 'web', 'worker'], { error: 'ROLE must be all, web or worker.' }), 'all'),
  PROCESSES: z._default(
    wholeNumber(64, 'PROCESSES must be the number of processes on this machine, from 1 to 64.', 1),
    1,
  ),
  COOMERCIO_DATA: z._default(z.string(), '.data'),
  DATABASE_URL: z.optional(
    urlWith(
      /^postgres(ql)?:$/,
      'DATABASE_URL must be a PostgreSQL URL, such as postgres://user:password@host:5432/shop.',
    ),
  ),
  DATABASE_DIRECT_URL: z.optional(
    urlWith(
      /^postgres(ql)?:$/,
      'DATABASE_DIRECT_URL must be a PostgreSQL URL, such as postgres://user:password@host:5432/shop.',
    ),
  ),
  DATABASE_CONNECTIONS: z._default(
    wholeNumber(200, 'DATABASE_CONNECTIONS must be a whole number from 2 to 200.', 2),
    20,
  ),
  MIGRATE: z.optional(flag('MIGRATE')),
  SANDBOX: z.optional(flag('SANDBOX')),
  DEMO: z.optional(flag('DEMO')),
  DEMO_CURRENCY: z._default(
    z.enum(currencyCodes, {
      error: 'DEMO_CURRENCY must be a currency in which Stripe settles payments, such as EUR.',
    }),
    'USD',
  ),
  COOMERCIO_SECRET: z.optional(secret('COOMERCIO_SECRET', 32)),
  COOMERCIO_SECRET_PREVIOUS: z.optional(secret('COOMERCIO_SECRET_PREVIOUS', 32)),
  LOG_LEVEL: z.optional(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    }),
  ),
  TRUST_PROXY: z._default(
    wholeNumber(10, 'TRUST_PROXY must be the number of proxies in front, from 0 to 10.'),
    0,
  ),
  DRAIN_SECONDS: z._default(
    wholeNumber(300, 'DRAIN_SECONDS must be a whole number of seconds from 0 to 300.'),
    0,
  ),
  BREACHED_PASSWORDS_URL: z.optional(httpUrl('BREACHED_PASSWORDS_URL')),
  PUSH_SERVICES: z._default(
    z.pipe(
      z.string(),
      z.pipe(
        z.transform((text: string) => text.split(',').map((origin) => origin.trim())),
        z.array(
          z.string().check(
            z.refine((value) => URL.canParse(value) && new URL(value).origin === value, {
              error: 'PUSH_SERVICES must be origins separated by commas, such as https://push.example.',
            }),
          ),
        ),
      ),
    ),
    [],
  ),
  RATE_LIMITS: z.optional(flag('RATE_LIMITS')),
  METRICS_TOKEN: z.optional(
    secret('METRICS_TOKEN', 16).check(z.regex(/^\S+$/, { error: 'METRICS_TOKEN must not contain spaces.' })),
  ),
  OTEL_SDK_DISABLED: z.optional(
    z.enum(['true', 'false'], { error: 'OTEL_SDK_DISABLED must be true or false.' }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(httpUrl('OTEL_EXPORTER_OTLP_ENDPOINT')),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.optional(httpUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.optional(
    z.literal('http/json', {
      error: 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: the shop sends no other.',
    }),
  ),
  OTEL_TRACES_SAMPLER: z._default(
    z.enum(samplers, { error: `OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}.` }),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: z._default(ratio('OTEL_TRACES_SAMPLER_ARG'), 1),
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string()),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string()),
  STRIPE_API_URL: z.optional(httpUrl('STRIPE_API_URL')),
  STRIPE_SCRIPT_URL: z.optional(httpUrl('STRIPE_SCRIPT_URL')),
  EASYPOST_API_KEY: z.optional(secret('EASYPOST_API_KEY', 16)),
  EASYPOST_WEBHOOK_SECRET: z.optional(secret('EASYPOST_WEBHOOK_SECRET', 16)),
  EASYPOST_API_URL: z.optional(httpUrl('EASYPOST_API_URL')),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_ISSUER: z.optional(httpUrl('GOOGLE_ISSUER')),
  IDENTITY_ISSUER: z.optional(httpUrl('IDENTITY_ISSUER')),
  IDENTITY_KEYS_URL: z.optional(httpUrl('IDENTITY_KEYS_URL')),
  IDENTITY_AUDIENCE: z._default(z.string(), ID_TOKEN_AUDIENCE),
  IMAGE_HOST_URL: z.optional(httpUrl('IMAGE_HOST_URL')),
  IMAGE_HOST_KEY: z.optional(z.string()),
  IMAGE_HOST_PUBLIC_URL: z.optional(httpUrl('IMAGE_HOST_PUBLIC_URL')),
  S3_BUCKET: z.optional(z.string()),
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_ENDPOINT: z.optional(httpUrl('S3_ENDPOINT')),
  S3_ACCESS_KEY_ID: z.optional(z.string()),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  ...backupVariables,
  SMTP_URL: z.optional(
    urlWith(/^smtps?:$/, 'SMTP_URL must be an SMTP URL, such as smtps://user:password@mail.example:465.'),
  ),
  SMS_HOOK_URL: z.optional(httpUrl('SMS_HOOK_URL')),
  SMS_HOOK_SECRET: z.optional(hookSecret),
  MAIL_FROM: z._default(
    z.string().check(
      z.regex(/^[^\s@<>]+@[^\s@<>]+$/, {
        error:
          'MAIL_FROM must be an email address, such as shop@shop.example. The name of the sender is the shop’s, on /dashboard/settings.',
      }),
    ),
    'shop@shop.example',
  ),
});
export type Environment = z.infer<typeof Environment>;

/** Variables that must be set together. */
const requiredTogether: readonly (readonly [purpose: string, names: readonly (keyof Environment)[]])[] = [
  ['Card payments', ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']],
  ['Labels of carriers', ['EASYPOST_API_KEY', 'EASYPOST_WEBHOOK_SECRET']],
  ['Sign-in with Google', ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']],
  ['Another identity provider', ['IDENTITY_ISSUER', 'IDENTITY_KEYS_URL']],
  ['Another image host', ['IMAGE_HOST_URL', 'IMAGE_HOST_KEY']],
  ['Signing in to the object storage', ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  ['Codes by SMS', ['SMS_HOOK_URL', 'SMS_HOOK_SECRET']],
  ['Signing in to the backups’ bucket', ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']],
];

/** Variables that have no effect unless another one is set. */
const dependencies: readonly (readonly [name: keyof Environment, required: keyof Environment])[] = [
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
  ['STRIPE_API_URL', 'STRIPE_SECRET_KEY'],
  ['STRIPE_SCRIPT_URL', 'STRIPE_SECRET_KEY'],
  ['EASYPOST_API_URL', 'EASYPOST_API_KEY'],
  ['GOOGLE_ISSUER', 'GOOGLE_CLIENT_ID'],
  ['IMAGE_HOST_PUBLIC_URL', 'IMAGE_HOST_URL'],
];

const isLoopback = (hostname: string) => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(hostname);

/** A database URL without a host is a Unix socket. */
const isLocal = ({ hostname }: URL) => hostname === '' || isLoopback(hostname);

const stripeModeOf = (key: string | undefined) => /^[prs]k_(test|live)_/.exec(key ?? '')?.[1];

/**
 * Finds why the shop counts as live: it runs in production, takes real money, or can be reached from other machines.
 * @returns the reason as a clause, or null for a trial on one machine
 */
export function findLiveReason(environment: Environment): string | null {
  const { NODE_ENV, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, PUBLIC_ORIGIN, HOST } = environment;
  if (NODE_ENV === 'production') return 'NODE_ENV is production';
  if ([STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY].some((key) => stripeModeOf(key) === 'live')) {
    return 'the card keys are live';
  }
  if (PUBLIC_ORIGIN !== undefined && !isLoopback(new URL(PUBLIC_ORIGIN).hostname)) {
    return `PUBLIC_ORIGIN is ${PUBLIC_ORIGIN}`;
  }
  return isLoopback(HOST) ? null : `HOST is ${HOST}, which other machines can reach`;
}

/** Finds connections to other machines that do not state whether they are encrypted: encryption must be chosen explicitly. */
function findUnstatedEncryption({ SMTP_URL, SMS_HOOK_URL, ...environment }: Environment): string[] {
  const sentences: string[] = [];
  const hook = SMS_HOOK_URL === undefined ? null : new URL(SMS_HOOK_URL);
  if (hook !== null && hook.protocol === 'http:' && !isLocal(hook)) {
    sentences.push('SMS_HOOK_URL leads to another machine: use https://, because it gets codes.');
  }
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const value = environment[name];
    const database = value === undefined ? null : new URL(value);
    if (database === null || isLocal(database) || database.searchParams.has('sslmode')) continue;
    sentences.push(
      `${name} leads to another machine: add ?sslmode=verify-full, or ?sslmode=disable on a private network.`,
    );
  }
  const mail = SMTP_URL === undefined ? null : new URL(SMTP_URL);
  const statesEncryption = mail?.searchParams.has('requireTLS') || mail?.searchParams.has('ignoreTLS');
  if (mail !== null && mail.protocol === 'smtp:' && !isLocal(mail) && !statesEncryption) {
    sentences.push(
      'SMTP_URL leads to another machine: use smtps://, or add ?requireTLS=true, or ?ignoreTLS=true on a private network.',
    );
  }
  return sentences;
}

/**
 * Finds variables that are valid alone but not together.
 * @param standIns whether stand-ins may replace providers that are not configured
 * @returns a sentence for each contradiction
 */
export function findContradictions(environment: Environment, standIns: boolean): string[] {
  const sentences: string[] = [];
  for (const [purpose, names] of requiredTogether) {
    const missing = names.filter((name) => environment[name] === undefined);
    if (missing.length > 0 && missing.length < names.length) {
      sentences.push(`${purpose}: set ${names.join(', ')} together; ${missing.join(' and ')} is missing.`);
    }
  }
  for (const [name, required] of dependencies) {
    if (environment[name] !== undefined && environment[required] === undefined) {
      sentences.push(`${name} is set without ${required} and would have no effect.`);
    }
  }
  // The backups' bucket uses the same settings, unless it has its own.
  const hasBucket =
    environment.S3_BUCKET !== undefined || environment.BACKUP_TO?.startsWith('s3://') === true;
  for (const name of ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID'] as const) {
    if (environment[name] !== undefined && !hasBucket) {
      sentences.push(`${name} is set without S3_BUCKET and would have no effect.`);
    }
  }
  sentences.push(...findBackupContradictions(environment));
  const secretMode = stripeModeOf(environment.STRIPE_SECRET_KEY);
  if (secretMode !== stripeModeOf(environment.STRIPE_PUBLISHABLE_KEY)) {
    sentences.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be of the same mode (test or live).');
  }
  if (environment.S3_BUCKET !== undefined && environment.IMAGE_HOST_URL !== undefined) {
    sentences.push('S3_BUCKET and IMAGE_HOST_URL are both set; photos can be stored in one place only.');
  }
  if (environment.SANDBOX === '1' && secretMode === 'live') {
    sentences.push(
      'SANDBOX=1 is set together with live card keys; a shop that takes real money runs no stand-ins.',
    );
  }
  if (environment.ROLE === 'worker' && environment.PROCESSES > 1) {
    sentences.push('ROLE=worker is one process: PROCESSES is the number of processes that serve requests.');
  }
  if (environment.PROCESSES > 1 && environment.PORT === 0) {
    sentences.push('PROCESSES needs a PORT, because all processes listen on the same one.');
  }
  const liveReason = findLiveReason(environment);
  if (liveReason !== null) sentences.push(...findUnstatedEncryption(environment));
  if (!standIns) {
    const previousCount = sentences.length;
    if (environment.STRIPE_SECRET_KEY === undefined) {
      sentences.push('Without stand-ins card payments need STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY.');
    }
    if (environment.SMTP_URL === undefined) {
      sentences.push('Without stand-ins mail needs SMTP_URL.');
    }
    if (environment.PUBLIC_ORIGIN === undefined) {
      sentences.push('Without stand-ins the shop needs PUBLIC_ORIGIN, its public address.');
    }
    if (environment.DEMO === '1') {
      sentences.push('DEMO=1 needs stand-ins: the demo accounts have a published password.');
    }
    if (sentences.length > previousCount && liveReason !== null && environment.SANDBOX === undefined) {
      const allowed = secretMode === 'live' ? '' : '; SANDBOX=1 allows them';
      sentences.push(`Stand-ins and demo data are off because ${liveReason}${allowed}.`);
    }
  }
  return sentences;
}
