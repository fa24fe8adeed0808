import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIdentityIssuer } from '#tests/harness/people/identity-issuer.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { payAtRelease } from '../pay-at-release.ts';
import { forkServer, forkStandIns } from '../processes.ts';
import type { LoadedShop } from '../shop.ts';

type Server = Awaited<ReturnType<typeof forkServer>>;

/** The processes of a shop on a database that runs already. All keep their photos in one folder, as on a shared disk. */
export interface ScaledShop extends LoadedShop, AsyncDisposable {
  /**
   * Starts a server process, and waits until it is open.
   * @param port on which it listens
   * @param environment in addition to what all processes of the shop have
   */
  startServer(port: number, environment?: Record<string, string>): Promise<Server>;
}

/**
 * Starts what the processes of a shop share: an identity issuer and stand-ins for the card processor and the mail server.
 * @param options.port the public one
 * @param options.environment of all processes; `DATABASE_URL` is required
 */
export async function prepareShop({
  port,
  environment,
}: {
  port: number;
  environment: Record<string, string> & { DATABASE_URL: string };
}): Promise<ScaledShop> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-scaled-'));
  const issuer = await startIdentityIssuer();
  const origin = `http://127.0.0.1:${port}`;
  const first = await freePorts(3);
  const standIns = await forkStandIns({
    dataFolder: join(folder, 'sandbox'),
    host: '127.0.0.1',
    ports: { cards: first, google: 0, mail: first + 1, smtp: first + 2, carriers: 0 },
    which: { cards: true, google: false, mail: true, carriers: false },
    webhookUrl: `${origin}/webhooks/stripe`,
    carrierWebhookUrl: `${origin}/webhooks/easypost`,
    shopOrigins: [origin],
  });
  const { cards, mail } = standIns.standIns;
  if (cards === undefined || mail === undefined) throw new Error('A stand-in is missing.');
  const shared = {
    SANDBOX: '0',
    DEMO: '0',
    RATE_LIMITS: '0',
    LOG_LEVEL: 'fatal',
    COOMERCIO_SECRET: 'a secret of several processes of one shop',
    COOMERCIO_DATA: join(folder, 'data'),
    PUBLIC_ORIGIN: origin,
    STRIPE_SECRET_KEY: cards.secretKey,
    STRIPE_PUBLISHABLE_KEY: cards.publishableKey,
    STRIPE_WEBHOOK_SECRET: cards.webhookSecret,
    STRIPE_API_URL: cards.apiUrl,
    STRIPE_SCRIPT_URL: cards.scriptUrl,
    SMTP_URL: mail.smtpUrl,
    IDENTITY_ISSUER: issuer.issuer,
    IDENTITY_KEYS_URL: issuer.keysUrl.href,
    IDENTITY_AUDIENCE: issuer.audience,
    ...environment,
  };
  const databaseUrl = environment.DATABASE_DIRECT_URL ?? environment.DATABASE_URL;
  const servers = new Set<Server>();
  return {
    origin,
    databaseUrl,
    issuer,
    cards,
    startServer: async (serverPort, own = {}) => {
      const server = await forkServer({ ...shared, PORT: String(serverPort), ...own }, () => undefined);
      servers.add(server);
      await payAtRelease(databaseUrl);
      return server;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.stop();
      await standIns.stop();
      await issuer.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
