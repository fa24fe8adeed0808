import type { Settings } from '#contract/settings.ts';
import type { GoogleOptions } from '#identity/plugin.ts';
import type { Config } from './config.ts';
import type { PagesOptions } from './pages.ts';

/** Keys and addresses of a card processor, Stripe's or the stand-in's: the same shape, so nothing tells them apart. */
export interface CardsAccess {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Null: Stripe's own. */
  apiUrl: URL | null;
  /** Null: Stripe's own. */
  scriptUrl: string | null;
}

/** The providers that a running shop talks to, after stand-ins have taken the places left open. */
export interface Providers {
  cards: CardsAccess;
  google: GoogleOptions | null;
  smtpUrl: string;
}

/** What pages may load beside the shop's own: the card processor's parts, photos and faces from their hosts. */
export function contentSecurityOf(config: Config, { cards }: Providers): PagesOptions['contentSecurity'] {
  const script = cards.scriptUrl === null ? null : new URL(cards.scriptUrl).origin;
  const api = cards.apiUrl?.origin ?? 'https://api.stripe.com';
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

/** What browsers are told of the providers. */
export function settingsOf(config: Config, { cards, google }: Providers, photoKey: string): Settings {
  const { photos } = config;
  const keyed = (url: string, key: string) =>
    `${url}${url.includes('?') ? '&' : '?'}key=${encodeURIComponent(key)}`;
  return {
    identity: {
      url: config.identity.kind === 'own' ? '/identity' : config.identity.issuer,
      google: google !== null,
    },
    cards: { publishableKey: cards.publishableKey, scriptUrl: cards.scriptUrl },
    photos:
      photos.kind === 'other'
        ? { uploadUrl: keyed(photos.uploadUrl, photos.key), ownHost: false }
        : { uploadUrl: keyed('/photos', photoKey), ownHost: true },
  };
}
