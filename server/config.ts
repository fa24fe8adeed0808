import * as z from 'zod/mini';
import { contradictions, Environment, whyLive } from './environment.ts';

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
  /** Whether this is a production shop, takes real money or can be reached from other machines. */
  live: boolean;
  /** Whether stand-ins and demo data may be used. */
  standIns: boolean;
  /** Folder of everything that must outlive a restart and is not in the database. */
  dataFolder: string;
  /** Null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Whether an empty shop is filled with the demo data. */
  demo: boolean;
  /** What all secrets are derived from; null: generated at first start and kept in the data folder. */
  secret: string | null;
  /** The secret before that one; what it signed or sealed still counts. */
  previousSecret: string | null;
  logLevel: string;
  /** How many proxies stand in front, whose words in X-Forwarded-… are believed. */
  trustProxy: number;
  /** How long a process that is asked to end still takes requests after `/readyz` has said so. */
  drainSeconds: number;
  /** Whether sign-in, registration, reset, upload, booking, reporting and payment are limited. */
  rateLimits: boolean;
  /** Whether admins must sign in with a second factor. */
  adminSecondFactor: boolean;
  /** A range service that knows breached passwords; null: only the list that ships is asked. */
  breachedPasswordsUrl: string | null;
  /** What a reader of `/metrics` shows; null: only this machine may read. */
  metricsToken: string | null;
  cards: CardsConfig;
  google: GoogleConfig;
  identity: IdentityConfig;
  photos: PhotosConfig;
  mail: MailConfig;
  /** The sender of the shop's mails. */
  mailFrom: string;
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

function resolveIdentity({
  IDENTITY_ISSUER,
  IDENTITY_KEYS_URL,
  IDENTITY_AUDIENCE,
}: Environment): IdentityConfig {
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
  const live = whyLive(environment) !== null;
  const standIns = environment.SANDBOX === '1' || (environment.SANDBOX !== '0' && !live);
  const sentences = contradictions(environment, standIns);
  if (sentences.length > 0) throw new ConfigurationError(sentences);

  const { PORT, HOST, PUBLIC_ORIGIN } = environment;
  return {
    host: HOST,
    port: PORT,
    sandboxPort: environment.SANDBOX_PORT ?? (PORT === 0 ? 0 : PORT + 1),
    origin: PUBLIC_ORIGIN ?? `http://localhost:${PORT}`,
    otherOrigins: PUBLIC_ORIGIN === undefined ? [`http://127.0.0.1:${PORT}`] : [],
    live,
    standIns,
    dataFolder: environment.COOMERCIO_DATA,
    databaseUrl: environment.DATABASE_URL ?? null,
    // The demo people sign up and upload at the built-in providers; nobody else's are filled with them.
    demo:
      standIns &&
      environment.DEMO !== '0' &&
      // The demo admin has a published password and nothing else.
      environment.ADMIN_2FA !== 'required' &&
      environment.IDENTITY_ISSUER === undefined &&
      environment.IMAGE_HOST_URL === undefined,
    secret: environment.COOMERCIO_SECRET ?? null,
    previousSecret: environment.COOMERCIO_SECRET_PREVIOUS ?? null,
    logLevel: environment.LOG_LEVEL ?? (live ? 'info' : 'warn'),
    trustProxy: environment.TRUST_PROXY,
    drainSeconds: environment.DRAIN_SECONDS,
    rateLimits: environment.RATE_LIMITS !== '0',
    adminSecondFactor: environment.ADMIN_2FA === 'required',
    breachedPasswordsUrl: environment.BREACHED_PASSWORDS_URL ?? null,
    metricsToken: environment.METRICS_TOKEN ?? null,
    cards: cardsOf(environment),
    google: googleOf(environment, standIns),
    identity: resolveIdentity(environment),
    photos: photosOf(environment),
    mail:
      environment.SMTP_URL === undefined ? { kind: 'sandbox' } : { kind: 'smtp', url: environment.SMTP_URL },
    mailFrom: environment.MAIL_FROM,
  };
}
