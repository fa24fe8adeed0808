import { join } from 'node:path';
import type { GoogleOptions } from '#identity/plugin.ts';
import { openDiskStorage, type PhotoStorage } from '#server/listings/photos/storage.ts';
import type { PagesOptions } from '#server/platform/pages/plugin.ts';
import type { SettingsOptions } from '../settings/plugin.ts';
import type { Config } from './config.ts';

/** The providers of a running shop: configured ones and stand-ins. */
export interface Providers {
  /** The stand-in's keys and URLs have the same shape as Stripe's. */
  cards: Omit<Extract<Config['cards'], { kind: 'stripe' }>, 'kind'>;
  google: GoogleOptions | null;
  smtpUrl: string;
  /** The aggregator of carriers; null when the shop buys no labels. */
  carriers: { apiKey: string; webhookSecret: string; apiUrl: string | null } | null;
  /** The hook that sends text messages; null when there is none. `key` signs them and is base64. */
  sms: { url: string; key: string } | null;
}

/** What runs before a process can serve requests: a migrated database and the providers, stand-ins included. Plain data. */
export interface Foundation {
  /** The database, perhaps through a pooler in transaction mode. */
  databaseUrl: string;
  /** PostgreSQL itself. */
  directUrl: string;
  providers: Providers;
}

/** The origins besides the shop's that pages may use: the card processor, the image host and profile pictures. */
export function contentSecuritySources(
  config: Config,
  { cards }: Providers,
): PagesOptions['contentSecurity'] {
  const script = cards.scriptUrl === null ? null : new URL(cards.scriptUrl).origin;
  const api = new URL(cards.apiUrl ?? 'https://api.stripe.com').origin;
  const photoHost = config.photos.kind === 'other' ? config.photos : null;
  return {
    scriptSources: script === null ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : [script],
    frameSources:
      script === null
        ? ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com']
        : [script],
    connectSources: [
      api,
      ...(config.identity.kind === 'other' ? [new URL(config.identity.issuer).origin] : []),
      ...(script === null ? [] : [script]),
      ...(photoHost === null ? [] : [new URL(photoHost.uploadUrl).origin]),
      ...config.otherOrigins,
      config.origin,
    ],
    imageSources: [
      config.origin,
      ...(photoHost === null ? [] : [new URL(photoHost.publicUrl).origin]),
      'https://*.stripe.com',
      'https://*.googleusercontent.com',
    ],
  };
}

/** Converts the configuration to what browsers need to reach the providers. */
export function toSettings(
  config: Config,
  { cards, google }: Providers,
  photoKey: string,
): SettingsOptions['providerSettings'] {
  const { photos } = config;
  const withKey = (url: string, key: string) =>
    `${url}${url.includes('?') ? '&' : '?'}key=${encodeURIComponent(key)}`;
  return {
    identity: {
      url: config.identity.kind === 'own' ? '/identity' : config.identity.issuer,
      google: google !== null,
    },
    cards: { publishableKey: cards.publishableKey, scriptUrl: cards.scriptUrl },
    photos:
      photos.kind === 'other'
        ? { uploadUrl: withKey(photos.uploadUrl, photos.key), ownHost: false }
        : { uploadUrl: withKey('/photos', photoKey), ownHost: true },
  };
}

/** The folder of photos that are stored on disk. */
export const photoFolder = (dataFolder: string): string => join(dataFolder, 'photos');

/** Opens the storage of the built-in image host. @returns null when an external image host is configured */
export async function openPhotoStorage({
  photos,
  dataFolder,
}: Pick<Config, 'photos' | 'dataFolder'>): Promise<PhotoStorage | null> {
  if (photos.kind === 'other') return null;
  if (photos.kind === 'disk') return openDiskStorage(photoFolder(dataFolder));
  // The SDK uses much memory, so it is imported only when it is needed.
  const { createObjectStorage } = await import('#server/providers/object-storage.ts');
  return createObjectStorage({
    bucket: photos.bucket,
    region: photos.region,
    ...(photos.endpoint !== null && { endpoint: photos.endpoint, forcePathStyle: true }),
    ...(photos.credentials !== null && { credentials: photos.credentials }),
  });
}
