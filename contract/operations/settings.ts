import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { CountryCode, MoneyAmount } from '#contract/platform/scalars.ts';
import {
  PublicShop,
  payoutTimes,
  ShopPicture,
  ShopSettings,
  shopPictureKinds,
} from '#contract/platform/shop-settings.ts';

/** The public settings: what browsers need to reach the providers of this shop, and how the shop presents itself. */
export const Settings = z.object({
  identity: z.object({ url: z.string(), google: z.boolean() }),
  cards: z.object({
    publishableKey: z.string(),
    /** The script that defines `window.Stripe`; null for Stripe's own. */
    scriptUrl: z.nullable(z.string()),
  }),
  /** `ownHost`: whether it is the built-in image host. Only this one gets the bearer token. */
  photos: z.object({ uploadUrl: z.string(), ownHost: z.boolean() }),
  /** The shop's time zone, by which days and months of the books are counted, such as `Europe/Lisbon`. */
  timeZone: z.string(),
  /** `currency`: that of all amounts of this API, in ISO 4217. */
  shop: PublicShop,
  /** The countries in which laptops are sent by parcel, in ISO 3166. A parcel stays in its country. */
  shippingCountries: z.array(CountryCode),
  /** The least price of a listing, what the shop keeps of a sale, and when it pays the seller. */
  selling: z.object({
    leastPrice: MoneyAmount,
    commission: z.object({
      /** Of the price, such as 5.5. */
      percent: z.number(),
      /** Added to that. */
      fixed: MoneyAmount,
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
    'How the shop presents itself, its time zone, its least price and commission, when it pays sellers, where it sends laptops, and the URLs and public keys of the identity provider, card processor and image host',
  response: Settings,
});

/** The number of changes of the settings until now, by which an admin tells which settings were seen. */
const Version = z.int({ error: 'Say which settings you have seen' }).check(z.nonnegative());

/** The settings with their version: 0 before the first change. */
export const VersionedSettings = z.object({
  version: Version,
  settings: ShopSettings,
  /** What a live shop lacks before it may sell, in words. Empty when it may. */
  missing: z.array(z.string()),
});
export type VersionedSettings = z.infer<typeof VersionedSettings>;

export const readShopSettings = endpoint({
  method: 'GET',
  path: '/shopSettings',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'What the owner decides about the shop',
  response: VersionedSettings,
});

const Saved = z.object({ acknowledged: z.boolean(), version: z.int() });

export const saveShopSettings = endpoint({
  method: 'PUT',
  path: '/shopSettings',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Replaces the settings of the shop, unless somebody has changed them since `version`',
  body: z.object({ version: Version, settings: ShopSettings }),
  response: Saved,
  refusals: ['changed_elsewhere', 'currency_in_use', 'money_on_its_way', 'reauthentication_required'],
  changes: ['settings', 'auditTrail', 'health'],
});

/** The largest picture that is uploaded, in bytes: with base64 it fits into the body of a call. */
export const MAXIMUM_PICTURE_BYTES = 700_000;

/** The largest picture that is stored, in bytes, so that three of them fit into one file of settings. */
export const MAXIMUM_STORED_PICTURE_BYTES = 220_000;

/** The most base64 digits that bytes take. */
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;

const base64 = (bytes: number, tooLarge: string) =>
  z
    .string({ error: 'Please choose a picture' })
    .check(
      z.maxLength(base64Length(bytes), { error: tooLarge, abort: true }),
      z.minLength(1, { error: 'Please choose a picture', abort: true }),
      z.regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: 'A picture is sent in base64' }),
    );

export const uploadShopPicture = endpoint({
  method: 'POST',
  path: '/shopPictures',
  access: ['Admin'],
  rights: ['settings'],
  summary:
    'Stores a picture of the shop, encoded anew. It is removed after a day unless the settings name it',
  limit: 'editing',
  body: z.object({
    kind: z.enum(shopPictureKinds, { error: 'Say what the picture is for' }),
    data: base64(MAXIMUM_PICTURE_BYTES, 'A picture can have at most 700 kB. Please choose a smaller one'),
  }),
  response: ShopPicture,
  refusals: ['unsupported_media_type', 'too_large', 'busy'],
});

const FilePicture = z.optional(base64(MAXIMUM_STORED_PICTURE_BYTES, 'A picture of this file is too large'));

/** All settings with their pictures, as one file. */
export const SettingsFile = z.object({
  format: z.literal('shop-settings-1', { error: 'This is not a file of settings' }),
  settings: ShopSettings,
  /** The bytes of the pictures in base64. */
  pictures: z.object({ logo: FilePicture, icon: FilePicture, socialPicture: FilePicture }),
});
export type SettingsFile = z.infer<typeof SettingsFile>;

export const exportShopSettings = endpoint({
  method: 'GET',
  path: '/shopSettings/file',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'All settings with their pictures, as one file',
  response: SettingsFile,
});

export const importShopSettings = endpoint({
  method: 'PUT',
  path: '/shopSettings/file',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Replaces the settings by those of a file, unless somebody has changed them since `version`',
  limit: 'editing',
  body: z.object({ version: Version, file: SettingsFile }),
  response: Saved,
  refusals: [
    'changed_elsewhere',
    'currency_in_use',
    'money_on_its_way',
    'reauthentication_required',
    'unsupported_media_type',
    'too_large',
    'busy',
  ],
  changes: ['settings', 'auditTrail', 'health'],
});
