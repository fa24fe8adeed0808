import * as z from 'zod/mini';
import { Environment, findContradictions, findLiveReason } from './environment.ts';

/** An invalid configuration. Has one sentence for each problem. */
export class ConfigurationError extends Error {
  readonly sentences: readonly string[];
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'ConfigurationError';
    this.sentences = sentences;
  }
}

/** The keys of Stripe, or the local stand-in. */
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

/** The validated configuration. */
export interface Config {
  /** The address to listen on. */
  host: string;
  port: number;
  /** The first of four consecutive ports for the stand-ins. */
  sandboxPort: number;
  /** The public origin: scheme, host and port, without a trailing slash. */
  origin: string;
  /** Other origins of the same pages. Empty when `origin` is configured. */
  otherOrigins: readonly string[];
  /** Whether the shop runs in production, takes real money or can be reached from other machines. */
  live: boolean;
  /** Whether stand-ins and demo data may be used. */
  standIns: boolean;
  /** The folder of all persistent data outside the database. */
  dataFolder: string;
  /** Null for the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Whether demo data is added to an empty shop. */
  demo: boolean;
  /** All secrets are derived from this one. Null to use the one in the data folder, generated at the first start. */
  secret: string | null;
  /** The secret before a rotation. Values that it signed or encrypted stay valid. */
  previousSecret: string | null;
  logLevel: string;
  /** The number of proxies in front whose X-Forwarded-… headers are trusted. */
  trustProxy: number;
  /** How long the process still accepts requests after a shutdown signal, while `/readyz` answers 503. */
  drainSeconds: number;
  /** Whether sign-in, registration, password reset, upload, booking, reporting and payment are rate limited. */
  rateLimits: boolean;
  /** Whether admins must sign in with a second factor. */
  adminSecondFactor: boolean;
  /** A range service for breached passwords. Null to check the bundled list only. */
  breachedPasswordsUrl: string | null;
  /** The bearer token of `/metrics`. Null to allow requests from this machine only. */
  metricsToken: string | null;
  cards: CardsConfig;
  google: GoogleConfig;
  identity: IdentityConfig;
  photos: PhotosConfig;
  mail: MailConfig;
  /** The sender of the shop's emails. */
  mailFrom: string;
}

function readCards(environment: Environment): CardsConfig {
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

function readGoogle(environment: Environment, standIns: boolean): GoogleConfig {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = environment;
  if (!GOOGLE_CLIENT_ID || !GOOGLE_CLIENT_SECRET) return { kind: standIns ? 'sandbox' : 'off' };
  return {
    kind: 'google',
    clientId: GOOGLE_CLIENT_ID,
    clientSecret: GOOGLE_CLIENT_SECRET,
    issuer: GOOGLE_ISSUER ?? null,
  };
}

function readIdentity({
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

function readPhotos(environment: Environment): PhotosConfig {
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
 * Parses and validates the environment. Nothing else in the server reads it.
 * @throws ConfigurationError
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  // Many tools set a variable to the empty string to unset it.
  const nonEmpty = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = z.safeParse(Environment, nonEmpty);
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
  const live = findLiveReason(environment) !== null;
  const standIns = environment.SANDBOX === '1' || (environment.SANDBOX !== '0' && !live);
  const sentences = findContradictions(environment, standIns);
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
    // Demo data needs the built-in identity provider and image host: it must not be added to external ones.
    demo:
      standIns &&
      environment.DEMO !== '0' &&
      // The demo admin has no second factor.
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
    cards: readCards(environment),
    google: readGoogle(environment, standIns),
    identity: readIdentity(environment),
    photos: readPhotos(environment),
    mail:
      environment.SMTP_URL === undefined ? { kind: 'sandbox' } : { kind: 'smtp', url: environment.SMTP_URL },
    mailFrom: environment.MAIL_FROM,
  };
}
