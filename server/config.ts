import * as z from 'zod/mini';

/** Configuration that cannot be served, each contradiction in one sentence. */
export class ConfigurationError extends Error {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigurationError';
    this.sentences = sentences;
  }
}

/** Real keys, or the stand-in. */
export type CardsConfig =
  | { kind: 'sandbox' }
  | {
      kind: 'stripe';
      secretKey: string;
      publishableKey: string;
      webhookSecret: string;
      apiUrl: URL | null;
      scriptUrl: string | null;
    };

export type GoogleConfig =
  | { kind: 'off' }
  | { kind: 'sandbox' }
  | { kind: 'google'; clientId: string; clientSecret: string; issuer: string | null };

export type IdentityConfig =
  | { kind: 'own' }
  | { kind: 'other'; issuer: string; keysUrl: URL; audience: string };

export type MailConfig = { kind: 'sandbox' } | { kind: 'smtp'; url: string };

export type PhotosConfig =
  | { kind: 'disk' }
  | {
      kind: 's3';
      bucket: string;
      region: string;
      endpoint: string | null;
      credentials: { accessKeyId: string; secretAccessKey: string } | null;
    }
  | { kind: 'other'; uploadUrl: string; key: string; publicUrl: string };

/** Everything that the environment decides, checked whole. */
export interface Config {
  /** The address to listen on. */
  host: string;
  port: number;
  /** The first of the stand-ins' ports; they take four in a row. */
  sandboxPort: number;
  /** What people type: scheme, host and port, without a slash at the end. */
  origin: string;
  /** Other origins of the same pages; only where `origin` was not configured. */
  otherOrigins: readonly string[];
  production: boolean;
  /** Folder of everything that must outlive a restart and is not in the database. */
  dataFolder: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Whether an empty shop is filled with the demo data. */
  demo: boolean;
  /** What all secrets are derived from; null: generated at first start and kept in the data folder. */
  secret: string | null;
  logLevel: string;
  /** Whether the addresses that a proxy in front writes into X-Forwarded-… are believed. */
  trustProxy: boolean;
  cards: CardsConfig;
  google: GoogleConfig;
  identity: IdentityConfig;
  photos: PhotosConfig;
  mail: MailConfig;
  /** The sender of the shop's mails. */
  mailFrom: string;
}

const port = (name: string) =>
  z.coerce
    .number({ error: `${name} must be a port number.` })
    .check(z.int({ error: `${name} must be a port number.` }), z.minimum(0), z.maximum(65_535));

const httpUrl = (name: string) =>
  z.string().check(
    z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      error: `${name} must be an http or https URL.`,
    }),
  );

const Environment = z.object({
  PORT: z._default(port('PORT'), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  SANDBOX_PORT: z.optional(port('SANDBOX_PORT')),
  PUBLIC_ORIGIN: z.optional(
    z.string().check(
      z.refine((value) => URL.canParse(value) && new URL(value).origin === value, {
        error: 'PUBLIC_ORIGIN must be a scheme, a host and perhaps a port, such as https://shop.example.',
      }),
    ),
  ),
  NODE_ENV: z.optional(z.string()),
  COOMERCIO_DATA: z._default(z.string(), '.data'),
  DATABASE_URL: z.optional(
    z.string().check(
      z.refine((value) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol), {
        error: 'DATABASE_URL must be a PostgreSQL URL, such as postgres://user:password@host:5432/shop.',
      }),
    ),
  ),
  SANDBOX: z.optional(z.enum(['0', '1'], { error: 'SANDBOX must be 0 or 1.' })),
  DEMO: z.optional(z.enum(['0', '1'], { error: 'DEMO must be 0 or 1.' })),
  COOMERCIO_SECRET: z.optional(
    z.string().check(z.minLength(32, { error: 'COOMERCIO_SECRET must have at least 32 characters.' })),
  ),
  LOG_LEVEL: z._default(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.',
    }),
    'warn',
  ),
  TRUST_PROXY: z.optional(z.enum(['0', '1'], { error: 'TRUST_PROXY must be 0 or 1.' })),
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string()),
  STRIPE_WEBHOOK_SECRET: z.optional(z.string()),
  STRIPE_API_URL: z.optional(httpUrl('STRIPE_API_URL')),
  STRIPE_SCRIPT_URL: z.optional(httpUrl('STRIPE_SCRIPT_URL')),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_ISSUER: z.optional(httpUrl('GOOGLE_ISSUER')),
  IDENTITY_ISSUER: z.optional(httpUrl('IDENTITY_ISSUER')),
  IDENTITY_KEYS_URL: z.optional(httpUrl('IDENTITY_KEYS_URL')),
  IDENTITY_AUDIENCE: z._default(z.string(), 'coomercio'),
  IMAGE_HOST_URL: z.optional(httpUrl('IMAGE_HOST_URL')),
  IMAGE_HOST_KEY: z.optional(z.string()),
  IMAGE_HOST_PUBLIC_URL: z.optional(httpUrl('IMAGE_HOST_PUBLIC_URL')),
  S3_BUCKET: z.optional(z.string()),
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_ENDPOINT: z.optional(httpUrl('S3_ENDPOINT')),
  S3_ACCESS_KEY_ID: z.optional(z.string()),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  SMTP_URL: z.optional(
    z.string().check(
      z.refine((value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol), {
        error: 'SMTP_URL must be an SMTP URL, such as smtps://user:password@mail.example:465.',
      }),
    ),
  ),
  MAIL_FROM: z._default(z.string(), 'Coomercio <shop@coomercio.example>'),
});
type Environment = z.infer<typeof Environment>;

/** Names that only make sense together, and what they are for. */
const companions: readonly (readonly [what: string, names: readonly (keyof Environment)[]])[] = [
  ['Card payments', ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']],
  ['Sign-in with Google', ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']],
  ['Another identity provider', ['IDENTITY_ISSUER', 'IDENTITY_KEYS_URL']],
  ['Another image host', ['IMAGE_HOST_URL', 'IMAGE_HOST_KEY']],
  ['Signing in to the object storage', ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
];

/** A setting that means nothing without another. */
const dependents: readonly (readonly [name: keyof Environment, needs: keyof Environment])[] = [
  ['STRIPE_API_URL', 'STRIPE_SECRET_KEY'],
  ['STRIPE_SCRIPT_URL', 'STRIPE_SECRET_KEY'],
  ['GOOGLE_ISSUER', 'GOOGLE_CLIENT_ID'],
  ['IMAGE_HOST_PUBLIC_URL', 'IMAGE_HOST_URL'],
  ['S3_ENDPOINT', 'S3_BUCKET'],
  ['S3_ACCESS_KEY_ID', 'S3_BUCKET'],
];

function contradictions(environment: Environment, standIns: boolean): string[] {
  const sentences: string[] = [];
  for (const [what, names] of companions) {
    const missing = names.filter((name) => environment[name] === undefined);
    if (missing.length > 0 && missing.length < names.length) {
      sentences.push(`${what}: set ${names.join(', ')} together; ${missing.join(' and ')} is missing.`);
    }
  }
  for (const [name, needs] of dependents) {
    if (environment[name] !== undefined && environment[needs] === undefined) {
      sentences.push(`${name} is set without ${needs}, so it would mean nothing.`);
    }
  }
  const secretMode = /^[sr]k_(test|live)_/.exec(environment.STRIPE_SECRET_KEY ?? '')?.[1];
  const publishableMode = /^pk_(test|live)_/.exec(environment.STRIPE_PUBLISHABLE_KEY ?? '')?.[1];
  if (secretMode !== publishableMode) {
    sentences.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are not of the same mode (test or live).');
  }
  if (environment.S3_BUCKET !== undefined && environment.IMAGE_HOST_URL !== undefined) {
    sentences.push('S3_BUCKET and IMAGE_HOST_URL are both set; photos can be kept in one place only.');
  }
  if (environment.SANDBOX === '1' && secretMode === 'live') {
    sentences.push('SANDBOX=1 is set beside live card keys; a shop that takes real money runs no stand-ins.');
  }
  if (!standIns) {
    if (environment.STRIPE_SECRET_KEY === undefined) {
      sentences.push(
        'Without stand-ins card payments need STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
      );
    }
    if (environment.SMTP_URL === undefined) {
      sentences.push('Without stand-ins mail needs SMTP_URL.');
    }
    if (environment.PUBLIC_ORIGIN === undefined) {
      sentences.push('A shop in production needs PUBLIC_ORIGIN, the address that people type.');
    }
  }
  return sentences;
}

function cardsOf(environment: Environment): CardsConfig {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = environment;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET) return { kind: 'sandbox' };
  return {
    kind: 'stripe',
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    apiUrl: environment.STRIPE_API_URL === undefined ? null : new URL(environment.STRIPE_API_URL),
    scriptUrl: environment.STRIPE_SCRIPT_URL ?? null,
  };
}

function googleOf(environment: Environment, standIns: boolean): GoogleConfig {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = environment;
  if (!GOOGLE_CLIENT_ID || !GOOGLE_CLIENT_SECRET) return { kind: standIns ? 'sandbox' : 'off' };
  return {
    kind: 'google',
    clientId: GOOGLE_CLIENT_ID,
    clientSecret: GOOGLE_CLIENT_SECRET,
    issuer: GOOGLE_ISSUER ?? null,
  };
}

function identityOf({ IDENTITY_ISSUER, IDENTITY_KEYS_URL, IDENTITY_AUDIENCE }: Environment): IdentityConfig {
  if (!IDENTITY_ISSUER || !IDENTITY_KEYS_URL) return { kind: 'own' };
  return {
    kind: 'other',
    issuer: IDENTITY_ISSUER,
    keysUrl: new URL(IDENTITY_KEYS_URL),
    audience: IDENTITY_AUDIENCE,
  };
}

function photosOf(environment: Environment): PhotosConfig {
  const { IMAGE_HOST_URL, IMAGE_HOST_KEY, IMAGE_HOST_PUBLIC_URL, S3_BUCKET } = environment;
  if (IMAGE_HOST_URL && IMAGE_HOST_KEY) {
    return {
      kind: 'other',
      uploadUrl: IMAGE_HOST_URL,
      key: IMAGE_HOST_KEY,
      publicUrl: IMAGE_HOST_PUBLIC_URL ?? IMAGE_HOST_URL,
    };
  }
  if (S3_BUCKET === undefined) return { kind: 'disk' };
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment;
  return {
    kind: 's3',
    bucket: S3_BUCKET,
    region: environment.S3_REGION,
    endpoint: environment.S3_ENDPOINT ?? null,
    credentials:
      S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
        ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
        : null,
  };
}

/**
 * Reads the configuration, once: nothing else in the project looks at the environment.
 * @throws ConfigurationError with a sentence for each thing that is wrong
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  // An empty variable is how many tools write "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = z.safeParse(Environment, given);
  if (!parsed.success) {
    throw new ConfigurationError(
      parsed.error.issues.map((issue) =>
        issue.message.includes(String(issue.path[0]))
          ? issue.message
          : `${issue.path.join('.')}: ${issue.message}`,
      ),
    );
  }
  const environment = parsed.data;
  const production = environment.NODE_ENV === 'production';
  // A production shop on its own database is somebody's business: nothing pretended may stand in it unasked.
  const standIns =
    environment.SANDBOX === '1' ||
    (environment.SANDBOX !== '0' && !(production && environment.DATABASE_URL !== undefined));
  const sentences = contradictions(environment, standIns);
  if (sentences.length > 0) throw new ConfigurationError(sentences);

  const { PORT, HOST, PUBLIC_ORIGIN } = environment;
  return {
    host: HOST,
    port: PORT,
    sandboxPort: environment.SANDBOX_PORT ?? (PORT === 0 ? 0 : PORT + 1),
    origin: PUBLIC_ORIGIN ?? `http://localhost:${PORT}`,
    otherOrigins: PUBLIC_ORIGIN === undefined ? [`http://127.0.0.1:${PORT}`] : [],
    production,
    dataFolder: environment.COOMERCIO_DATA,
    databaseUrl: environment.DATABASE_URL ?? null,
    // The demo people sign up and upload at the built-in providers; nobody else's are filled with them.
    demo:
      standIns &&
      environment.DEMO !== '0' &&
      environment.IDENTITY_ISSUER === undefined &&
      environment.IMAGE_HOST_URL === undefined,
    secret: environment.COOMERCIO_SECRET ?? null,
    logLevel: environment.LOG_LEVEL,
    trustProxy: environment.TRUST_PROXY === '1',
    cards: cardsOf(environment),
    google: googleOf(environment, standIns),
    identity: identityOf(environment),
    photos: photosOf(environment),
    mail:
      environment.SMTP_URL === undefined ? { kind: 'sandbox' } : { kind: 'smtp', url: environment.SMTP_URL },
    mailFrom: environment.MAIL_FROM,
  };
}
