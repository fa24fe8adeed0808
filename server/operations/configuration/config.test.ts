import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { refusedSentences } from './testing/refused-sentences.ts';

const stripe = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};
const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://shop@db.example/shop?sslmode=verify-full',
  SMTP_URL: 'smtps://mail.example',
  PUBLIC_ORIGIN: 'https://shop.example',
  ...stripe,
};

test('without configuration all providers are stand-ins and an empty shop gets demo data', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    origin: 'http://localhost:3000',
    dataFolder: '.data',
    databaseUrl: null,
    demo: true,
    cards: { kind: 'sandbox' },
    google: { kind: 'sandbox' },
    mail: { kind: 'sandbox' },
    sms: { kind: 'sandbox' },
    photos: { kind: 'disk' },
    identity: { kind: 'own' },
  });
});

test('a production shop has no demo data and no stand-ins', () => {
  expect(readConfig(production)).toMatchObject({
    demo: false,
    cards: { kind: 'stripe' },
    google: { kind: 'off' },
    mail: { kind: 'smtp' },
    sms: { kind: 'off' },
  });
});

/** The key is 32 bytes. */
const smsHook = {
  SMS_HOOK_URL: 'https://sms.example/hook',
  SMS_HOOK_SECRET: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
};

test.each(['', 'whsec_'])('a hook sends codes, its secret is base64 after “%s”', (prefix) => {
  const { sms } = readConfig({
    ...production,
    ...smsHook,
    SMS_HOOK_SECRET: `${prefix}${smsHook.SMS_HOOK_SECRET}`,
  });
  expect(sms).toEqual({
    kind: 'hook',
    url: smsHook.SMS_HOOK_URL,
    key: Buffer.from('01234567890123456789012345678901'),
  });
});

test('without a mail catcher there is no stand-in for text messages', () => {
  const { SMTP_URL } = production;
  expect(readConfig({ SMTP_URL }).sms.kind).toBe('off');
  expect(readConfig({ SANDBOX: '0', ...production }).sms.kind).toBe('off');
});

const { NODE_ENV, DATABASE_URL } = production;
const live: [Record<string, string>, reason: string][] = [
  [{ NODE_ENV }, 'NODE_ENV is production'],
  [{ NODE_ENV, DATABASE_URL }, 'NODE_ENV is production'],
  [stripe, 'the card keys are live'],
  [{ PUBLIC_ORIGIN: 'https://shop.example' }, 'PUBLIC_ORIGIN is https://shop.example'],
  [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
  [{ HOST: '::' }, 'HOST is ::'],
  [{ HOST: '192.168.0.10', DATABASE_URL: 'postgres://localhost/shop' }, 'HOST is 192.168.0.10'],
];

test.each(live)('a live shop does not replace missing providers by stand-ins: %o', (environment, reason) => {
  const said = refusedSentences(environment);
  expect(said).toContainEqual(expect.stringContaining('SMTP_URL'));
  expect(said.at(-1)).toContain(reason);
  expect(said.at(-1)?.includes('SANDBOX=1')).toBe(environment !== stripe);
  const configured = { ...environment, ...production, SANDBOX: '0' };
  expect(readConfig(configured)).toMatchObject({ live: true, demo: false, google: { kind: 'off' } });
});

test.each(live.filter(([environment]) => !('STRIPE_SECRET_KEY' in environment)))(
  'only SANDBOX=1 allows stand-ins and demo data in a live shop: %o',
  (environment) => {
    expect(readConfig({ ...environment, SANDBOX: '1' })).toMatchObject({
      live: true,
      standIns: true,
      demo: true,
      cards: { kind: 'sandbox' },
    });
  },
);

test.each([
  { PUBLIC_ORIGIN: 'http://localhost:3000' },
  { PUBLIC_ORIGIN: 'http://127.0.0.1:3000' },
  { HOST: '::1', PUBLIC_ORIGIN: 'http://[::1]:3000' },
  { ...stripe, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
])('a shop on one machine without real money has stand-ins: %o', (environment) => {
  expect(readConfig(environment)).toMatchObject({ live: false, standIns: true, demo: true });
});

test.each([
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, ['STRIPE_PUBLISHABLE_KEY', 'same mode']],
  [{ ...production, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, ['same mode']],
  [{ ...stripe, SANDBOX: '1' }, ['live card keys']],
  [{ GOOGLE_CLIENT_ID: 'x' }, ['GOOGLE_CLIENT_SECRET']],
  [{ IDENTITY_ISSUER: 'https://id.example' }, ['IDENTITY_KEYS_URL']],
  [{ IMAGE_HOST_URL: 'https://img.example/upload' }, ['IMAGE_HOST_KEY']],
  [{ IMAGE_HOST_URL: 'https://img.example/upload', IMAGE_HOST_KEY: 'k', S3_BUCKET: 'b' }, ['one place only']],
  [{ S3_ENDPOINT: 'https://s3.example' }, ['S3_BUCKET']],
  [{ STRIPE_API_URL: 'http://127.0.0.1:1' }, ['STRIPE_SECRET_KEY']],
  [{ ...production, DEMO: '1' }, ['DEMO=1 needs stand-ins', 'off because NODE_ENV is production']],
  [{ PORT: 'eighty' }, ['PORT']],
  [{ PUBLIC_ORIGIN: 'https://shop.example/' }, ['PUBLIC_ORIGIN must be http:// or https://, a host']],
  [{ PUBLIC_ORIGIN: 'ftp://shop.example' }, ['PUBLIC_ORIGIN must be http:// or https://, a host']],
  [{ PUBLIC_ORIGIN: 'https://SHOP.example' }, ['lower case, as browsers send it: https://shop.example.']],
  [{ HOST: '999.1.1.1' }, ['HOST must be an address']],
  [{ HOST: 'shop.example/path' }, ['HOST must be an address']],
  [{ DATABASE_URL: 'mysql://x' }, ['DATABASE_URL']],
  [{ COOMERCIO_SECRET: 'short' }, ['32 characters']],
  [{ SANDBOX: 'yes' }, ['SANDBOX must be 0 or 1']],
  [{ SMS_HOOK_URL: 'https://sms.example' }, ['SMS_HOOK_SECRET']],
  [{ SMS_HOOK_SECRET: 'a'.repeat(32) }, ['SMS_HOOK_URL']],
  [{ SMS_HOOK_URL: 'https://sms.example', SMS_HOOK_SECRET: 'too short' }, ['24 to 64 bytes in base64']],
  [{ SMS_HOOK_URL: 'tel:+351' }, ['SMS_HOOK_URL must be an http or https URL']],
  [
    { ...production, ...smsHook, SMS_HOOK_URL: 'http://sms.example/' },
    ['SMS_HOOK_URL leads to another machine'],
  ],
])('each contradiction is reported in one sentence: %o', (environment, said) => {
  expect(refusedSentences(environment)).toEqual(said.map((part) => expect.stringContaining(part)));
});

test('in production an unencrypted connection to another machine must be configured explicitly', () => {
  const plain = {
    ...production,
    DATABASE_URL: 'postgres://db.example/shop',
    SMTP_URL: 'smtp://mail.example',
  };
  expect(refusedSentences(plain)).toEqual([
    expect.stringContaining('sslmode'),
    expect.stringContaining('requireTLS'),
  ]);
  const said = {
    DATABASE_URL: 'postgres://db.example/shop?sslmode=disable',
    SMTP_URL: 'smtp://mail.example?ignoreTLS=true',
  };
  expect(readConfig({ ...production, ...said }).mail).toMatchObject({ url: said.SMTP_URL });
  const here = { DATABASE_URL: 'postgres://127.0.0.1/shop', SMTP_URL: 'smtp://localhost:2525' };
  expect(readConfig({ ...production, ...here }).databaseUrl).toBe(here.DATABASE_URL);
});

test('the log level is info in production, otherwise warn', () => {
  expect(readConfig(production).logLevel).toBe('info');
  expect(readConfig({}).logLevel).toBe('warn');
  expect(readConfig({ ...production, LOG_LEVEL: 'error' }).logLevel).toBe('error');
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ DATABASE_URL: '', STRIPE_SECRET_KEY: '' }).databaseUrl).toBeNull();
});

test('by default rate limits are on, there is no drain period and no proxy is trusted', () => {
  expect(readConfig({})).toMatchObject({
    rateLimits: true,
    drainSeconds: 0,
    trustProxy: 0,
    metricsToken: null,
  });
  expect(readConfig({ RATE_LIMITS: '0', DRAIN_SECONDS: '15', TRUST_PROXY: '2' })).toMatchObject({
    rateLimits: false,
    drainSeconds: 15,
    trustProxy: 2,
  });
});

test.each([
  ['TRUST_PROXY', 'yes', 'TRUST_PROXY must be the number of proxies in front, from 0 to 10.'],
  ['DRAIN_SECONDS', '-1', 'DRAIN_SECONDS must be a whole number of seconds from 0 to 300.'],
  ['RATE_LIMITS', 'off', 'RATE_LIMITS must be 0 or 1.'],
  ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must have at least 16 characters.'],
  ['METRICS_TOKEN', 'a token with spaces', 'METRICS_TOKEN must not contain spaces.'],
  [
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'grpc',
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: the shop sends no other.',
  ],
  ['OTEL_TRACES_SAMPLER_ARG', '5', 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.'],
])('%s=%s is rejected with a sentence', (name, value, sentence) => {
  expect(refusedSentences({ [name]: value })).toEqual([sentence]);
});

test('traces are off without a collector, and can be turned off with one', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(readConfig({})).toMatchObject({ tracing: null });
  expect(readConfig({ ...collector, OTEL_SDK_DISABLED: 'true' })).toMatchObject({ tracing: null });
  expect(readConfig(collector)).toMatchObject({ tracing: { sampler: 'always_on' } });
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };
  expect(readConfig({ ...collector, ...sampled })).toMatchObject({
    tracing: { sampler: 'traceidratio', ratio: 0.05 },
  });
});

test('the sender of emails is an address without a name, which is a setting', () => {
  expect(refusedSentences({ MAIL_FROM: 'Shop <shop@shop.example>' })).toEqual([
    expect.stringContaining('MAIL_FROM must be an email address'),
  ]);
  expect(readConfig({ MAIL_FROM: 'shop@shop.example' }).mailFrom).toBe('shop@shop.example');
});
