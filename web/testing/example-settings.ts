import type { Settings } from '#contract/operations/settings.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';

/** The settings of a fresh shop. */
export const exampleSettings: Settings = {
  identity: { url: '/identity', google: false },
  cards: { publishableKey: 'pk_test', scriptUrl: null },
  photos: { uploadUrl: '/upload', ownHost: true },
  timeZone: 'UTC',
  shop: defaultShopSettings,
  shippingCountries: ['US'],
  selling: { leastPrice: 0.5, commission: { percent: 0, fixed: 0 }, payoutAfter: 'completed' },
};
