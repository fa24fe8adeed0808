import { createServer, type Server } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import { refuseOtherHosts } from '../hosts.ts';
import { serveApi } from './api.ts';
import { serveBrowserFiles } from './browser-files.ts';
import { chargeEndpoints } from './charges.ts';
import { serveControl } from './control.ts';
import { disputeEndpoints } from './disputes.ts';
import { Faults } from './faults.ts';
import { intentEndpoints } from './intents.ts';
import { openJournal } from './journal.ts';
import { Later } from './later.ts';
import { Ledger } from './ledger.ts';
import { paymentMethodEndpoints } from './payment-methods.ts';
import { refundEndpoints } from './refunds.ts';
import { Webhooks } from './webhooks.ts';

type CardsOptions = {
  /** 0 for any free one. */
  port: number;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** Host names under which it may be asked for, beside those of this machine. */
  hostNames?: readonly string[];
  /** Where the state is kept; made when it is missing. One process at a time. */
  dataFolder: string;
  /** Where events go; without it they are kept until a start that names one. */
  webhookUrl?: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Milliseconds until a refund that is going to fail does, or a charge is disputed; 5 s when left out. */
  delay?: number;
};

/** Long enough to see a refund before it fails, in milliseconds. */
const usualDelay = 5_000;

/**
 * Starts the card processor's stand-in: the part of Stripe's API, browser library and webhooks that a
 * shop uses.
 * @returns its origin, and how to end it; what was pending goes on at the next start
 * @throws when the port is taken or the kept state cannot be read
 */
export async function startCards(options: CardsOptions): Promise<{ origin: string; close(): Promise<void> }> {
  const app = fastify({ routerOptions: { maxParamLength: 5000 } });
  const serving = Promise.withResolvers<'serving' | 'failed'>();
  const server = createServer(async (request, response) => {
    // Who calls during the start is answered after it; when it fails, the connection is closed.
    if ((await serving.promise) === 'serving') app.routing(request, response);
    else response.destroy();
  });
  // The port comes before the state: a process that is still ending has both until its last write.
  const origin = await listen(server, options.port, options.host ?? '127.0.0.1');
  try {
    const close = await build(app, options);
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

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

/** Opens the state and puts all parts onto `app`; answers with how to end them. */
async function build(app: FastifyInstance, options: CardsOptions): Promise<() => Promise<void>> {
  const journal = await openJournal(options.dataFolder);
  const ledger = new Ledger(journal);
  const faults = new Faults();
  const webhooks = new Webhooks({
    ledger,
    url: options.webhookUrl,
    secret: options.webhookSecret,
    plan: () => faults.plan.webhooks,
  });
  const later = new Later({ ledger, delay: options.delay ?? usualDelay, happened: () => webhooks.wake() });
  refuseOtherHosts(app, options.hostNames);
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: {
        message: `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}).`,
        type: 'invalid_request_error',
      },
    }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 400 && status < 500 && error instanceof Error) {
      return reply.code(status).send({ error: { message: error.message, type: 'invalid_request_error' } });
    }
    console.error(error);
    return reply
      .code(500)
      .send({ error: { message: 'The card processor stand-in failed.', type: 'api_error' } });
  });
  const endpoints = [
    ...intentEndpoints(ledger),
    ...chargeEndpoints(ledger),
    ...refundEndpoints(ledger, faults),
    ...disputeEndpoints(ledger),
    ...paymentMethodEndpoints(ledger),
  ];
  await app.register((scope) =>
    serveApi(scope, {
      ledger,
      endpoints,
      keys: { secret: options.secretKey, publishable: options.publishableKey },
      faults,
      afterCall: () => {
        webhooks.wake();
        later.wake();
      },
    }),
  );
  await app.register((scope) =>
    serveControl(scope, { ledger, faults, webhooks, later, secretKey: options.secretKey }),
  );
  await app.register((scope) => serveBrowserFiles(scope, ledger));
  await app.ready();
  webhooks.start();
  later.wake();
  return async () => {
    faults.close();
    await app.close();
    await later.close();
    await webhooks.close();
    await journal.close();
  };
}
