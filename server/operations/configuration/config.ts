import { mkdir, realpath } from 'node:fs/promises';
import * as z from 'zod/mini';
import { readBackupDestination } from './backups.ts';
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

/** Reads whether and which traces are recorded. The address of the collector is read by OpenTelemetry's packages. */
function readTracing(environment: Environment) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = environment;
  const endpoint = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || environment.OTEL_SDK_DISABLED === 'true') return null;
  const name = environment.OTEL_TRACES_SAMPLER;
  const sampler = (['always_off', 'traceidratio'] as const).find((known) => name.endsWith(known));
  return { sampler: sampler ?? ('always_on' as const), ratio: environment.OTEL_TRACES_SAMPLER_ARG };
}

/** The validated configuration. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the keys of Stripe; without them, the local stand-in is used. */
function readCards(environment: Environment) {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = environment;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY) return { kind: 'sandbox' } as const;
  return {
    kind: 'stripe' as const,
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    /** Null when the shop creates its destinations of events itself. */
    webhookSecret: STRIPE_WEBHOOK_SECRET ?? null,
    apiUrl: environment.STRIPE_API_URL ?? null,
    scriptUrl: environment.STRIPE_SCRIPT_URL ?? null,
  };
}

function readGoogle(environment: Environment, standIns: boolean) {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER } = environment;
  if (!GOOGLE_CLIENT_ID || !GOOGLE_CLIENT_SECRET) return { kind: standIns ? 'sandbox' : 'off' } as const;
  return {
    kind: 'google' as const,
    clientId: GOOGLE_CLIENT_ID,
    clientSecret: GOOGLE_CLIENT_SECRET,
    issuer: GOOGLE_ISSUER ?? null,
  };
}

/** Reads the keys of EasyPost; without them a trial has its stand-in, and another shop buys no labels. */
function readCarriers(environment: Environment, standIns: boolean) {
  const { EASYPOST_API_KEY, EASYPOST_WEBHOOK_SECRET, EASYPOST_API_URL } = environment;
  if (!EASYPOST_API_KEY || !EASYPOST_WEBHOOK_SECRET) return { kind: standIns ? 'sandbox' : 'off' } as const;
  return {
    kind: 'easypost' as const,
    apiKey: EASYPOST_API_KEY,
    webhookSecret: EASYPOST_WEBHOOK_SECRET,
    apiUrl: EASYPOST_API_URL ?? null,
  };
}

function readIdentity({ IDENTITY_ISSUER, IDENTITY_KEYS_URL, IDENTITY_AUDIENCE }: Environment) {
  if (!IDENTITY_ISSUER || !IDENTITY_KEYS_URL) return { kind: 'own' } as const;
  return {
    kind: 'other' as const,
    issuer: IDENTITY_ISSUER,
    keysUrl: new URL(IDENTITY_KEYS_URL),
    audience: IDENTITY_AUDIENCE,
  };
}

function readPhotos(environment: Environment) {
  const { IMAGE_HOST_URL, IMAGE_HOST_KEY, IMAGE_HOST_PUBLIC_URL, S3_BUCKET } = environment;
  if (IMAGE_HOST_URL && IMAGE_HOST_KEY) {
    return {
      kind: 'other' as const,
      uploadUrl: IMAGE_HOST_URL,
      key: IMAGE_HOST_KEY,
      publicUrl: IMAGE_HOST_PUBLIC_URL ?? IMAGE_HOST_URL,
    };
  }
  if (S3_BUCKET === undefined) return { kind: 'disk' } as const;
  const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = environment;
  return {
    kind: 's3' as const,
    bucket: S3_BUCKET,
    region: environment.S3_REGION,
    endpoint: environment.S3_ENDPOINT ?? null,
    credentials:
      S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY
        ? { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY }
        : null,
  };
}

/** Reads the SMS hook. Its stand-in is a part of the mail catcher, so it runs where that one runs. */
function readSms(environment: Environment, standIns: boolean) {
  const { SMS_HOOK_URL, SMS_HOOK_SECRET } = environment;
  if (SMS_HOOK_URL !== undefined && SMS_HOOK_SECRET !== undefined) {
    return { kind: 'hook' as const, url: SMS_HOOK_URL, key: SMS_HOOK_SECRET };
  }
  return { kind: standIns && environment.SMTP_URL === undefined ? 'sandbox' : 'off' } as const;
}

/**
 * Parses and validates the environment. Nothing else in the server reads it.
 * @throws ConfigurationError
 */
export function readConfig(env: Record<string, string | undefined>) {
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
    /** The address to listen on. */
    host: HOST,
    port: PORT,
    /** The first of five consecutive ports for the stand-ins. */
    sandboxPort: environment.SANDBOX_PORT ?? (PORT === 0 ? 0 : PORT + 1),
    /** The public origin: scheme, host and port, without a trailing slash. */
    origin: PUBLIC_ORIGIN ?? `http://localhost:${PORT}`,
    /** Other origins of the same pages. Empty when `origin` is configured. */
    otherOrigins: PUBLIC_ORIGIN === undefined ? [`http://127.0.0.1:${PORT}`] : [],
    /** Whether the shop runs in production, takes real money or can be reached from other machines. */
    live,
    /** Whether stand-ins and demo data may be used. */
    standIns,
    /** The folder of all persistent data outside the database. */
    dataFolder: environment.COOMERCIO_DATA,
    /** What this process does: `web` serves requests, `worker` runs jobs and periodic tasks. */
    role: environment.ROLE,
    /** How many processes serve requests on this machine. */
    processes: environment.PROCESSES,
    /** Null for the embedded PostgreSQL. */
    databaseUrl: environment.DATABASE_URL ?? null,
    /** PostgreSQL itself, when `databaseUrl` leads to a pooler in transaction mode. Null when it does not. */
    databaseDirectUrl: environment.DATABASE_DIRECT_URL ?? null,
    /** The most connections that a process uses for requests and jobs. */
    databaseConnections: environment.DATABASE_CONNECTIONS,
    /** Whether a start migrates the database. Otherwise `npm run migrate` does. */
    migrate: environment.MIGRATE !== '0',
    // Demo data needs the built-in identity provider and image host: it must not be added to external ones.
    /** Whether demo data is added to an empty shop. */
    demo:
      standIns &&
      environment.DEMO !== '0' &&
      environment.IDENTITY_ISSUER === undefined &&
      environment.IMAGE_HOST_URL === undefined,
    /** The currency of the demo data. */
    demoCurrency: environment.DEMO_CURRENCY,
    /** All secrets are derived from this one. Null to use the one in the data folder, generated at the first start. */
    secret: environment.COOMERCIO_SECRET ?? null,
    /** The secret before a rotation. Values that it signed or encrypted stay valid. */
    previousSecret: environment.COOMERCIO_SECRET_PREVIOUS ?? null,
    logLevel: environment.LOG_LEVEL ?? (live ? 'info' : 'warn'),
    /** The number of proxies in front whose X-Forwarded-… headers are trusted. */
    trustProxy: environment.TRUST_PROXY,
    /** How long the process still accepts requests after a shutdown signal, while `/readyz` answers 503. */
    drainSeconds: environment.DRAIN_SECONDS,
    /** Whether sign-in, registration, password reset, upload, booking, reporting and payment are rate limited. */
    rateLimits: environment.RATE_LIMITS !== '0',
    /** A range service for breached passwords. Null to check the bundled list only. */
    breachedPasswordsUrl: environment.BREACHED_PASSWORDS_URL ?? null,
    /** Origins of push services beside those of the known browsers. */
    pushServices: environment.PUSH_SERVICES,
    /** The bearer token of `/metrics`. Null to allow requests from this machine only. */
    metricsToken: environment.METRICS_TOKEN ?? null,
    /** Null when traces are off. */
    tracing: readTracing(environment),
    cards: readCards(environment),
    /** How labels of parcels are bought. */
    carriers: readCarriers(environment, standIns),
    google: readGoogle(environment, standIns),
    identity: readIdentity(environment),
    photos: readPhotos(environment),
    /** Where backups are stored; null when no place for them is configured. */
    backupDestination: readBackupDestination(environment),
    mail:
      environment.SMTP_URL === undefined
        ? ({ kind: 'sandbox' } as const)
        : ({ kind: 'smtp', url: environment.SMTP_URL } as const),
    /** How codes are sent to sellers' telephones. */
    sms: readSms(environment, standIns),
    /** The address of the sender of the shop's emails. */
    mailFrom: environment.MAIL_FROM,
  };
}

/** Reads the environment as {@link readConfig} does, and makes the data folder. @throws ConfigurationError */
export async function openConfig(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env);
  await mkdir(config.dataFolder, { recursive: true });
  return { ...config, dataFolder: await realpath(config.dataFolder) };
}

/** The origin at which this process reaches itself. */
export function internalOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
