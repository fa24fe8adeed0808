import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { startGoogle } from '#sandbox/google/start.ts';
import { startMail } from '#sandbox/mail/start.ts';
import { startTestShop, type TestShop } from './shop.ts';

/** A route as Fastify registered it; `:name` stands for a parameter and `*` for the rest. */
export interface Route {
  method: string;
  url: string;
}

export interface WholeShop extends TestShop {
  /** Every route of the app, those of the built files of the pages included. */
  routes: readonly Route[];
}

/** What Fastify publishes of each app that is made. */
const Initialization = z.object({
  fastify: z.custom<FastifyInstance>((value) => typeof value === 'object' && value !== null),
});

/** The API key of the shop's image host. */
export const photoKey = 'the key of the image host';

/**
 * Starts a shop that serves everything that a browser asks a real one for: beside the calls its pages, which must have
 * been built, its image host, and its identity provider with Google's stand-in and a mail catcher.
 * @param options.limited whether the identity provider limits attempts
 */
export async function startWholeShop(options: { limited?: boolean } = {}): Promise<WholeShop> {
  const routes: Route[] = [];
  const standIns: { close(): Promise<void> }[] = [];
  const client = { clientId: 'shop', clientSecret: 'a secret between the shop and Google' };
  const watch = (message: unknown) => {
    Initialization.parse(message).fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  };
  const shop = await startTestShop({
    photoKey,
    parts: async ({ origin, databaseUrl, folder }) => {
      const [google, mail] = await Promise.all([
        startGoogle({ port: 0, dataFolder: join(folder, 'google'), origins: [origin], ...client }),
        startMail({ smtpPort: 0, httpPort: 0, dataFolder: join(folder, 'mail') }),
      ]);
      standIns.push(google, mail);
      // From here on the next app that is made is the shop's.
      subscribe('fastify.initialization', watch);
      return {
        identity: {
          databaseUrl,
          origin,
          trustedOrigins: [],
          secret: 'x'.repeat(32),
          serviceSecret: 'the shop itself',
          google: { ...client, issuer: google.issuer },
          rateLimit: options.limited ?? false,
          mail: { smtpUrl: mail.smtpUrl, from: 'Coomercio <shop@coomercio.example>' },
        },
        pages: {
          mode: 'production',
          contentSecurity: { scriptSources: [], frameSources: [], connectSources: [], imageSources: [] },
        },
      };
    },
  });
  unsubscribe('fastify.initialization', watch);
  return {
    ...shop,
    routes,
    close: async () => {
      await shop.close();
      await Promise.all(standIns.map((standIn) => standIn.close()));
    },
  };
}
