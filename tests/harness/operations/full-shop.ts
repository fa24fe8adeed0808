import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { ShopSettings } from '#contract/platform/shop-settings.ts';
import { startGoogle } from '#sandbox/google/start.ts';
import { startMail } from '#sandbox/mail/start.ts';
import { startTestShop, type TestShop } from './shop.ts';

/** A route registered in Fastify, with `:name` for parameters and `*` for wildcards. */
export interface Route {
  method: string;
  url: string;
}

export interface FullShop extends TestShop {
  /** All routes of the app, including those of the built page files. */
  routes: readonly Route[];
}

/** The message that Fastify publishes for each new instance. */
const Initialization = z.object({
  fastify: z.custom<FastifyInstance>((value) => typeof value === 'object' && value !== null),
});

/** The API key of the shop's image host. */
export const photoKey = 'the key of the image host';

/**
 * Starts a shop with its API, its pages (which must be built), its image host, and its identity provider with the
 * stand-ins of Google and the mail server.
 * @param options.limited whether the identity provider limits the rate of attempts
 * @param options.settings replaces those of a fresh shop
 */
export async function startFullShop(
  options: { limited?: boolean; settings?: Partial<ShopSettings> } = {},
): Promise<FullShop> {
  const routes: Route[] = [];
  const standIns: { close(): Promise<void> }[] = [];
  const client = { clientId: 'shop', clientSecret: 'a secret between the shop and Google' };
  const recordRoutes = (message: unknown) => {
    Initialization.parse(message).fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  };
  const shop = await startTestShop({
    photoKey,
    ...(options.settings && { settings: options.settings }),
    dependencies: async ({ origin, databaseUrl, folder }) => {
      const [google, mail] = await Promise.all([
        startGoogle({ port: 0, dataFolder: join(folder, 'google'), origins: [origin], ...client }),
        startMail({ smtpPort: 0, httpPort: 0, dataFolder: join(folder, 'mail') }),
      ]);
      standIns.push(google, mail);
      // The next Fastify instance is the shop's.
      subscribe('fastify.initialization', recordRoutes);
      return {
        identity: {
          databaseUrl,
          origin,
          trustedOrigins: [],
          secret: 'x'.repeat(32),
          serviceSecret: 'the shop itself',
          google: { ...client, issuer: google.issuer },
          rateLimit: options.limited ?? false,
        },
        pages: {
          mode: 'production',
          contentSecurity: { scriptSources: [], frameSources: [], connectSources: [], imageSources: [] },
        },
      };
    },
  });
  unsubscribe('fastify.initialization', recordRoutes);
  return {
    ...shop,
    routes,
    close: async () => {
      await shop.close();
      await Promise.all(standIns.map((standIn) => standIn.close()));
    },
  };
}
