import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { serveApi } from './api/serve-api.ts';
import { serveBrowserFiles } from './browser-files.ts';
import { Faults } from './control/faults.ts';
import { serveControl } from './control/routes.ts';
import { serveOnboarding } from './onboarding.ts';
import { accountLinkEndpoints } from './resources/account-links.ts';
import { accountEndpoints } from './resources/accounts.ts';
import { balanceEndpoints } from './resources/balance.ts';
import { balanceSettingsEndpoints } from './resources/balance-settings.ts';
import { chargeEndpoints } from './resources/charges.ts';
import { customerEndpoints } from './resources/customers.ts';
import { disputeEndpoints } from './resources/disputes.ts';
import { earlyFraudWarningEndpoints } from './resources/early-fraud-warnings.ts';
import { eventDestinationEndpoints } from './resources/event-destinations.ts';
import { intentEndpoints } from './resources/intents.ts';
import { payoutEndpoints } from './resources/payouts.ts';
import { createPlatform } from './resources/platform.ts';
import { moveBalance } from './resources/platform-movements.ts';
import { refundEndpoints } from './resources/refunds.ts';
import { ScheduledChanges } from './resources/scheduled-changes.ts';
import { transferEndpoints } from './resources/transfers.ts';
import { RecordFile } from './storage/record-file.ts';
import { STANDARD_TERMS, Store, type Terms } from './storage/store.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface CardSandboxOptions extends Partial<Terms> {
  /** The TCP port; 0 for any free one. */
  port: number;
  /** The address to listen on. @default '127.0.0.1' */
  host?: string;
  /** The folder of the state, created if missing. Only one process may use it at a time. */
  dataFolder: string;
  /** The URL that events are posted to. Without it, events are stored and stay pending. */
  webhookUrl?: string;
  secretKey: string;
  publishableKey: string;
  /** The secret that signs webhooks. */
  webhookSecret: string;
  /** A top-up at the first start, in cents of the settlement currency. @default 0 */
  openingBalance?: number;
  /** Called with the Fastify instance before any route exists, for example to add a check of the Host header. */
  install?(app: FastifyInstance): void;
}

export interface CardSandbox {
  /** The base URL of the API and the browser library, such as `http://127.0.0.1:12111`. */
  origin: string;
  /** Stops the server. Pending deliveries and scheduled changes continue at the next start. */
  close(): Promise<void>;
}

/**
 * Starts the sandbox: the API, the browser library and the webhooks on one port.
 * @throws if the port is in use or the state cannot be read
 */
export async function startCardSandbox(options: CardSandboxOptions): Promise<CardSandbox> {
  const app = fastify({ routerOptions: { maxParamLength: 5000 } });
  const serving = Promise.withResolvers<'serving' | 'failed'>();
  const server = createServer(async (request, response) => {
    // Requests that arrive during the start wait for it; if it fails, their connections are closed.
    if ((await serving.promise) === 'serving') app.routing(request, response);
    else response.destroy();
  });
  // Bind the port before reading the state: a previous process that is still stopping holds the port until its last write.
  const origin = await listen(server, options.port, options.host ?? '127.0.0.1');
  try {
    const close = await registerRoutes(app, options, origin);
    serving.resolve('serving');
    return {
      origin,
      async close() {
        server.close();
        server.closeAllConnections();
        await close();
      },
    };
  } catch (error) {
    serving.resolve('failed');
    server.close();
    throw error;
  }
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

/** Reads the state and registers all routes. @returns the function that stops the background work */
async function registerRoutes(
  app: FastifyInstance,
  options: CardSandboxOptions,
  origin: string,
): Promise<() => Promise<void>> {
  const file = new RecordFile(options.dataFolder);
  const {
    delay = STANDARD_TERMS.delay,
    payouts = STANDARD_TERMS.payouts,
    settlement = STANDARD_TERMS.settlement,
    openingBalance = 0,
  } = options;
  const store = new Store(file, { delay, payouts, settlement });
  store.run(() => {
    const isNew = createPlatform(store);
    if (isNew && openingBalance > 0) moveBalance(store, { kind: 'topup', amount: openingBalance });
  });
  const faults = new Faults();
  const webhooks = new Webhooks({
    store,
    url: options.webhookUrl,
    secret: options.webhookSecret,
    plan: () => faults.plan.webhooks,
  });
  const scheduledChanges = new ScheduledChanges({ store, onApplied: () => webhooks.deliverDue() });
  options.install?.(app);
  const sendError = (reply: FastifyReply, status: number, message: string, type = 'invalid_request_error') =>
    reply.code(status).send({ error: { message, type } });
  app.setNotFoundHandler(({ method, url }, reply) =>
    sendError(reply, 404, `Unrecognized request URL (${method}: ${url.split('?')[0]}).`),
  );
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 400 && status < 500 && error instanceof Error)
      return sendError(reply, status, error.message);
    console.error(error);
    return sendError(reply, 500, 'The card processor stand-in failed.', 'api_error');
  });
  const afterCall = () => {
    webhooks.deliverDue();
    scheduledChanges.schedule();
  };
  await app.register(serveApi, {
    store,
    endpoints: [
      ...intentEndpoints,
      ...chargeEndpoints,
      ...refundEndpoints(faults),
      ...customerEndpoints,
      ...earlyFraudWarningEndpoints,
      ...disputeEndpoints,
      ...accountEndpoints,
      ...accountLinkEndpoints(origin),
      ...transferEndpoints,
      ...payoutEndpoints,
      ...balanceEndpoints,
      ...balanceSettingsEndpoints,
      ...eventDestinationEndpoints,
    ],
    keys: { secret: options.secretKey, publishable: options.publishableKey },
    faults,
    afterCall,
  });
  await app.register(serveControl, {
    store,
    faults,
    webhooks,
    scheduledChanges,
    afterCall,
    secretKey: options.secretKey,
  });
  await app.register(serveOnboarding, { store, afterCall });
  await app.register(serveBrowserFiles);
  await app.ready();
  webhooks.start();
  scheduledChanges.schedule();
  return async () => {
    faults.close();
    await app.close();
    scheduledChanges.close();
    await webhooks.close();
    file.close();
  };
}
