import fastify from 'fastify';
import { serveApi } from './api.ts';
import { serveBrowserFiles } from './browser-files.ts';
import { chargeEndpoints } from './charges.ts';
import { serveControl } from './control.ts';
import { Faults } from './faults.ts';
import { intentEndpoints } from './intents.ts';
import { openJournal } from './journal.ts';
import { Ledger } from './ledger.ts';
import { paymentMethodEndpoints } from './payment-methods.ts';
import { refundEndpoints } from './refunds.ts';
import { Webhooks } from './webhooks.ts';

export type CardsOptions = {
  /** 0 for any free one. */
  port: number;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** Where the state is kept; made when it is missing. One process at a time. */
  dataFolder: string;
  /** Where events go; without it they are kept until a start that names one. */
  webhookUrl?: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
};

/**
 * Starts the card processor's stand-in: the part of Stripe's API, browser library and webhooks that a
 * shop uses.
 * @returns its origin, and how to end it; what was pending goes on at the next start
 * @throws when the port is taken or the kept state cannot be read
 */
export async function startCards(options: CardsOptions): Promise<{ origin: string; close(): Promise<void> }> {
  const host = options.host ?? '127.0.0.1';
  const journal = await openJournal(options.dataFolder);
  const ledger = new Ledger(journal);
  const faults = new Faults();
  const webhooks = new Webhooks({
    ledger,
    url: options.webhookUrl,
    secret: options.webhookSecret,
    plan: () => faults.plan.webhooks,
  });
  const app = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 300 } });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: {
        message: `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}).`,
        type: 'invalid_request_error',
      },
    }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const tooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
    const message = tooLarge ? 'The request is too large.' : 'The card processor stand-in failed.';
    if (!tooLarge) console.error(error);
    return reply.code(tooLarge ? 413 : 500).send({ error: { message, type: 'api_error' } });
  });
  const endpoints = [
    ...intentEndpoints(ledger),
    ...chargeEndpoints(ledger),
    ...refundEndpoints(ledger),
    ...paymentMethodEndpoints(ledger),
  ];
  await app.register((scope) =>
    serveApi(scope, {
      ledger,
      endpoints,
      keys: { secret: options.secretKey, publishable: options.publishableKey },
      faults,
      afterCall: () => webhooks.wake(),
    }),
  );
  await app.register((scope) =>
    serveControl(scope, { ledger, faults, webhooks, secretKey: options.secretKey }),
  );
  await app.register((scope) => serveBrowserFiles(scope, ledger));
  try {
    const origin = await app.listen({ port: options.port, host });
    webhooks.start();
    return {
      origin,
      async close() {
        faults.close();
        await app.close();
        await webhooks.close();
        await journal.close();
      },
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}
