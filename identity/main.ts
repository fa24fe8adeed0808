import Fastify, { LogController } from 'fastify';
import * as z from 'zod/mini';
import { Email } from '#contract/platform/scalars.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { createIdentityOutbox } from '#server/identity-outbox.ts';
import { toEmailShop } from '#server/people/email-shop.ts';
import { createQueue } from '#server/platform/jobs/queue.ts';
import { createWork } from '#server/platform/jobs/work.ts';
import { createEmailSender } from '#server/providers/email.ts';
import { identityPlugin } from './plugin.ts';

const optional = z.optional(z.string().check(z.minLength(1)));

const Environment = z.object({
  IDENTITY_DATABASE_URL: z.string(),
  IDENTITY_ORIGIN: z.url(),
  IDENTITY_TRUSTED_ORIGINS: z._default(z.string(), ''),
  IDENTITY_SECRET: z.string().check(z.minLength(32)),
  IDENTITY_SECRET_PREVIOUS: z.optional(z.string().check(z.minLength(32))),
  IDENTITY_SERVICE_SECRET: z.string().check(z.minLength(16)),
  IDENTITY_HOST: z._default(z.string(), '127.0.0.1'),
  IDENTITY_PORT: z._default(z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(65_535)), 3001),
  IDENTITY_TRUST_PROXY: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10)), 0),
  IDENTITY_RATE_LIMIT: z._default(z.enum(['on', 'off']), 'on'),
  IDENTITY_SMTP_URL: optional,
  IDENTITY_MAIL_FROM: z._default(Email, 'shop@shop.example'),
  /** The provider cannot read the settings of the shop. */
  IDENTITY_SHOP_NAME: z.string().check(z.minLength(1)),
  IDENTITY_SHOP_ORIGIN: z.optional(z.url()),
  IDENTITY_LOGOUT_URL: z.optional(z.url()),
  BREACHED_PASSWORDS_URL: z.optional(z.url()),
  GOOGLE_CLIENT_ID: optional,
  GOOGLE_CLIENT_SECRET: optional,
  GOOGLE_ISSUER: optional,
});

const environment = Environment.safeParse(process.env);
if (!environment.success) {
  const names = environment.error.issues.map((issue) => String(issue.path[0])).join(', ');
  console.error(`The identity provider does not start: please set ${names}.`);
  process.exit(1);
}
const {
  GOOGLE_CLIENT_ID: clientId,
  GOOGLE_CLIENT_SECRET: clientSecret,
  GOOGLE_ISSUER: issuer,
  IDENTITY_SECRET_PREVIOUS: previousSecret,
  IDENTITY_SMTP_URL: smtpUrl,
  IDENTITY_SHOP_ORIGIN: shopOrigin,
  IDENTITY_LOGOUT_URL: logoutUrl,
  BREACHED_PASSWORDS_URL: rangeUrl,
  ...settings
} = environment.data;

const app = Fastify({
  logger: true,
  // Request lines contain URLs, and those of Google's callback contain authorization codes.
  logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  trustProxy: (_address, hop) => hop < settings.IDENTITY_TRUST_PROXY,
  // A client that sends nothing, or half of a request, is not waited for.
  requestTimeout: 30_000,
  http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
});
app.server.maxConnections = 5_000;

/** Sends emails as the shop does, by a queue in the provider's own database. */
function openMail(url: string) {
  const queue = createQueue(settings.IDENTITY_DATABASE_URL, (error, job) =>
    app.log.warn(
      { err: error, job },
      'The identity provider’s queue of emails failed; a job is run again later',
    ),
  );
  const work = createWork(queue, app.log);
  const sender = createEmailSender({
    url,
    from: settings.IDENTITY_MAIL_FROM,
    onGivenUp: (responseCode) =>
      app.log.warn({ responseCode }, 'The mail server rejected an email; it is not sent again'),
  });
  return { work, sender, outbox: createIdentityOutbox(queue, work) };
}
const mail = smtpUrl === undefined ? null : openMail(smtpUrl);
await app.register(
  identityPlugin({
    databaseUrl: settings.IDENTITY_DATABASE_URL,
    origin: new URL(settings.IDENTITY_ORIGIN).origin,
    trustedOrigins: settings.IDENTITY_TRUSTED_ORIGINS.split(/[\s,]+/).filter((origin) => origin !== ''),
    secret: settings.IDENTITY_SECRET,
    ...(previousSecret !== undefined && { previousSecret }),
    serviceSecret: settings.IDENTITY_SERVICE_SECRET,
    rateLimit: settings.IDENTITY_RATE_LIMIT === 'on',
    ...(logoutUrl !== undefined && { logoutUrl }),
    ...(mail !== null && {
      mail: {
        outbox: mail.outbox,
        send: mail.sender.send,
        ...(shopOrigin !== undefined && { shopOrigin: new URL(shopOrigin).origin }),
      },
    }),
    shop: () => toEmailShop({ ...defaultShopSettings, name: settings.IDENTITY_SHOP_NAME }),
    passwords: {
      refusesShopName: true,
      ...(rangeUrl !== undefined && { rangeUrl }),
    },
    ...(clientId !== undefined &&
      clientSecret !== undefined && {
        google: { clientId, clientSecret, ...(issuer !== undefined && { issuer }) },
      }),
  }),
);
const work = await mail?.work.start();
app.addHook('onClose', async () => {
  await work?.stop();
  mail?.sender.close();
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => app.close());
await app.listen({ host: settings.IDENTITY_HOST, port: settings.IDENTITY_PORT });
