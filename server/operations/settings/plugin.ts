import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import * as contract from '#contract/operations/settings.ts';
import { amountFromCents } from '#contract/platform/money.ts';
import { shopPicturePath } from '#contract/platform/shop-picture-path.ts';
import {
  missingIdentity,
  ShopPictureName,
  type ShopSettings,
  shippingCountriesOf,
  themeOf,
} from '#contract/platform/shop-settings.ts';
import { createPictureEncoder } from '#server/listings/photos/actions.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { declareCacheDependencies, unchanging } from '#server/platform/http/cache-dependencies.ts';
import { parseParams } from '#server/platform/http/input.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { exportSettings, importSettings, saveSettings, storePicture } from './actions.ts';
import type { CurrentSettings } from './current.ts';
import { picturesOf, publicShop } from './rules.ts';
import { findPictures, readSettings, removeUnusedPictures } from './store.ts';

export interface SettingsOptions extends Context {
  current: CurrentSettings;
  /** What browsers need to reach the providers. */
  providerSettings: Omit<contract.Settings, 'shop' | 'timeZone' | 'shippingCountries' | 'selling'>;
  /** Whether the shop takes real money, so that it must say who it is. */
  isLive: boolean;
}

/** The web app manifest (https://www.w3.org/TR/appmanifest/). */
function manifestOf(settings: ShopSettings) {
  const { background, primary } = themeOf(settings);
  const { name, icon } = settings;
  const own = icon && { src: shopPicturePath(icon), sizes: `${icon.width}x${icon.height}` };
  const sources = own
    ? [own]
    : [192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}` }));
  return {
    id: '/',
    name,
    start_url: '/',
    display: 'standalone',
    background_color: background.light,
    theme_color: primary.light,
    icons: sources.map((source) => ({ ...source, type: 'image/png', purpose: 'any maskable' })),
  };
}

/** The icons that browsers ask for by name. */
const namedIcons: ReadonlySet<string> = new Set([
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/icon-192.png',
  '/icon-512.png',
]);

/** The settings: calls, pictures, the manifest. */
export async function settingsPlugin(app: FastifyInstance, options: SettingsOptions): Promise<void> {
  const { api, database, current, providerSettings, isLive } = options;
  const encoder = createPictureEncoder();
  app.addHook('onClose', () => encoder.close());

  await registerCalls(app, api, (serve) => {
    serve(contract.readSettings, async () => {
      // A change of the settings drops everything that is cached.
      declareCacheDependencies(unchanging);
      const settings = current.settings();
      const { basisPoints, fixedCents } = settings.commission;
      return {
        ...providerSettings,
        timeZone: settings.timeZone,
        shop: publicShop(settings),
        shippingCountries: shippingCountriesOf(settings),
        selling: {
          leastPrice: amountFromCents(settings.leastPriceCents),
          commission: { percent: basisPoints / 100, fixed: amountFromCents(fixedCents) },
          payoutAfter: settings.payoutAfter,
        },
      };
    });
    serve(contract.readShopSettings, async () => {
      const stored = await readSettings(database);
      return { ...stored, missing: isLive ? missingIdentity(stored.settings) : [] };
    });
    serve(contract.saveShopSettings, async ({ caller, body }) => {
      const version = await saveSettings(database, caller, body);
      await current.refresh();
      return { acknowledged: true, version };
    });
    serve(contract.uploadShopPicture, async ({ body }) => {
      const picture = await storePicture(database, encoder, body.kind, body.data);
      await removeUnusedPictures(database, picturesOf((await readSettings(database)).settings));
      return picture;
    });
    serve(contract.exportShopSettings, () => exportSettings(database));
    serve(contract.importShopSettings, async ({ caller, body }) => {
      const version = await importSettings(database, encoder, caller, body);
      await current.refresh();
      return { acknowledged: true, version };
    });
  });

  /** The pictures that pages show at the moment. */
  const kept = new Map<string, Buffer>();
  const Params = z.object({ name: ShopPictureName });
  app.get('/shop-pictures/:name', async (request, reply) => {
    const { name } = parseParams(Params, request.params);
    const bytes = kept.get(name) ?? (await findPictures(database, [name])).get(name);
    if (bytes === undefined) throw new Refusal('not_found', 'There is no such picture.');
    const shown = picturesOf(current.settings());
    for (const known of kept.keys()) if (!shown.includes(known)) kept.delete(known);
    if (shown.includes(name)) kept.set(name, bytes);
    return reply
      .type(`image/${name.split('.')[1]}`)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(bytes);
  });

  app.get('/manifest.webmanifest', (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(Buffer.from(JSON.stringify(manifestOf(current.settings())))),
  );
}

/** Leads requests for the icons of a fresh shop to the shop's own icon, if it has one. */
export function serveOwnIcon(app: FastifyInstance, current: CurrentSettings): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { icon } = current.settings();
    if (icon === null || !namedIcons.has(request.url)) return done();
    reply.header('cache-control', 'no-cache').redirect(shopPicturePath(icon), 302);
  });
}
