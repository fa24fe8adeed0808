import * as z from 'zod/mini';
import { payoutTimes } from '#contract/money/payouts.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { CountryCode, Dollars } from '#contract/platform/scalars.ts';

/** The public settings that browsers need to reach the providers of this shop. */
export const Settings = z.object({
  identity: z.object({ url: z.string(), google: z.boolean() }),
  cards: z.object({
    publishableKey: z.string(),
    /** The script that defines `window.Stripe`; null for Stripe's own. */
    scriptUrl: z.nullable(z.string()),
  }),
  /** `ownHost`: whether it is the built-in image host. Only this one gets the bearer token. */
  photos: z.object({ uploadUrl: z.string(), ownHost: z.boolean() }),
  /** Who runs the shop, as its operator has configured it; null for what is not configured. */
  operator: z.object({
    legalName: z.nullable(z.string()),
    address: z.nullable(z.string()),
    taxId: z.nullable(z.string()),
  }),
  /** The shop's time zone, by which days and months of the books are counted, such as `Europe/Lisbon`. */
  timeZone: z.string(),
  /** The countries in which laptops are sent by parcel, in ISO 3166. A parcel stays in its country. */
  shippingCountries: z.array(CountryCode),
  /** What the shop keeps of a sale, and when it pays the seller. */
  selling: z.object({
    commission: z.object({
      /** Of the price, such as 5.5. */
      percent: z.number(),
      /** In dollars, added to that. */
      fixed: Dollars,
    }),
    payoutAfter: z.enum(payoutTimes),
  }),
});
export type Settings = z.infer<typeof Settings>;

export const readSettings = endpoint({
  method: 'GET',
  path: '/settings',
  access: 'public',
  summary:
    'The URLs and public keys of the identity provider, card processor and image host, the shop’s time zone, its commission and when it pays sellers, and where it sends laptops',
  answer: Settings,
});
