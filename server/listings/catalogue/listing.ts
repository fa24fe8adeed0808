// Stores what a seller's form says about a laptop.

import type { Insertable } from 'kysely';
import type * as z from 'zod/mini';
import { type ChangedLaptop, isShipped, type NewLaptop } from '#contract/listings/catalogue.ts';
import { readFacts } from '#contract/listings/facts.ts';
import { formatCents } from '#contract/platform/money.ts';
import { type ShopSettings, shippingCountriesOf } from '#contract/platform/shop-settings.ts';
import { lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Tables, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type PublishDependencies, publish } from '../events.ts';
import { isPrivatePhoto } from '../photo-links.ts';
import {
  claimPhotos,
  exchangePhotos,
  isPhotoStored,
  type PhotoStorage,
  StorageError,
} from '../photos/steps.ts';
import { factColumns } from './rules.ts';
import { requireNoShopName } from './shop-name.ts';
import * as store from './store.ts';

/** The part of both forms that says something about the laptop. */
type Listing = Omit<z.output<typeof ChangedLaptop>, 'version'>;

export interface PhotoDependencies {
  /** Storage of the built-in image host; null when another host is configured. */
  photoStorage: PhotoStorage | null;
  /**
   * Converts a photo's URL to the stored form: a path for the shop's own photos, so that the origin can change.
   * @returns null for a URL that the configured image host cannot have returned
   */
  toStoredPhoto(url: string): string | null;
}

/** The field of a listing's photo. @param index from 0 */
const listingField = (index: number) => (index === 0 ? 'image' : `images.${index}`);

/**
 * Creates the refusal for invalid photos, with an error at each field.
 * @param indexes of the photos, from 0
 * @param fieldOf the field of a photo
 */
function invalidPhotos(
  indexes: readonly number[],
  sentence: string,
  fieldOf: (index: number) => string,
): Refusal {
  return new Refusal('invalid_input', `${sentence}.`, {
    errors: Object.fromEntries(indexes.map((index) => [fieldOf(index), sentence])),
  });
}

const notUploaded = 'This photo was not uploaded to this shop, or was removed since; please choose it again';

/**
 * Converts photo URLs to their stored form and checks that each photo exists. It reads the photo storage,
 * so it runs before the transaction that stores them. Any seller's photo is accepted: its URL contains the hash of
 * its bytes, so only a person who has or sees the photo knows it. Photos of messages are refused: the person who was sent one
 * could show it to others, and keep it after the sender's account has ended. Photos of another image host are not looked up.
 * @param fieldOf the field in which the photo at an index was sent
 * @throws Refusal
 */
export async function requireHostedPhotos(
  { photoStorage, toStoredPhoto }: PhotoDependencies,
  urls: readonly string[],
  fieldOf: (index: number) => string,
): Promise<string[]> {
  const stored = urls.map((url) => {
    const photo = toStoredPhoto(url);
    return photo !== null && isPrivatePhoto(photo) ? null : photo;
  });
  const foreignIndexes = stored.flatMap((photo, index) => (photo === null ? [index] : []));
  if (foreignIndexes.length > 0) {
    throw invalidPhotos(
      foreignIndexes,
      'Please upload the photo to this shop first; photos from elsewhere are not taken',
      fieldOf,
    );
  }
  const photos = stored.filter((photo) => photo !== null);
  if (photoStorage === null) return photos;
  try {
    const present = await Promise.all(photos.map((photo) => isPhotoStored(photoStorage, photo)));
    const missingIndexes = present.flatMap((isPresent, index) => (isPresent ? [] : [index]));
    if (missingIndexes.length > 0) throw invalidPhotos(missingIndexes, notUploaded, fieldOf);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const refusal = new Refusal(
      'busy',
      'The photos cannot be reached right now. Nothing was saved; please try again in a moment.',
    );
    refusal.cause = error;
    throw refusal;
  }
  return photos;
}

/** Creates the refusal for photos that were deleted after {@link requireHostedPhotos} found them. */
const removedPhotos = (
  photos: readonly string[],
  deleted: readonly string[],
  fieldOf: (index: number) => string,
) =>
  invalidPhotos(
    deleted.map((photo) => photos.indexOf(photo)),
    notUploaded,
    fieldOf,
  );

/** Converts and checks the photos of a listing, see {@link requireHostedPhotos}. @throws Refusal */
export const requireStoredPhotos = (
  dependencies: PhotoDependencies,
  { image, images = [image] }: { image: string; images?: string[] | undefined },
): Promise<string[]> => requireHostedPhotos(dependencies, images, listingField);

/**
 * Protects photos from deletion.
 * @param photos from {@link requireHostedPhotos}
 * @param fieldOf the field in which the photo at an index was sent
 * @throws Refusal for a photo that was deleted meanwhile
 */
export async function keepHostedPhotos(
  transaction: Transaction,
  photos: readonly string[],
  fieldOf: (index: number) => string,
): Promise<void> {
  const deleted = await claimPhotos(transaction, photos);
  if (deleted.length > 0) throw removedPhotos(photos, deleted, fieldOf);
}

/**
 * Finds and locks the brand of a listing, also by a name that it had.
 * @param present the laptop's brand, which it can keep when the brand is hidden; null for a laptop that is listed now
 * @returns its present name
 * @throws Refusal when the brand is unknown or hidden
 */
async function requireListedBrand(
  transaction: Transaction,
  chosen: string,
  present: string | null,
): Promise<string> {
  // Its row refers to the brand. Locking that after the laptop would be against the order of a merge.
  if (chosen === present) return chosen;
  const brand = await store.lockBrandByName(transaction, chosen);
  const refuse = (sentence: string) =>
    new Refusal('invalid_input', sentence, { errors: { category_Id: 'Choose one of the brands' } });
  if (brand === null) throw refuse(`The shop has no brand called ${chosen}.`);
  if (brand.isHidden && brand.name !== present) throw refuse(`The shop takes no new ${brand.name} laptops.`);
  return brand.name;
}

/** Why a price, in cents, is below the least one of this shop; null when it is not. */
export const priceRefusal = (cents: number, { leastPriceCents }: ShopSettings): string | null =>
  cents >= leastPriceCents
    ? null
    : `The Resale Price must be at least ${formatCents(leastPriceCents)} in this shop`;

/** @throws Refusal for a price below the least one of this shop */
function requireLeastPrice({ resale_price }: Listing, settings: ShopSettings): void {
  const refusal = priceRefusal(resale_price, settings);
  if (refusal === null) return;
  throw new Refusal('invalid_input', `${refusal}. Nothing was saved.`, {
    errors: { resale_price: refusal },
  });
}

/** Why laptops are not sent from a country; null when they are, or when there is none. */
export const countryRefusal = (country: string | null, settings: ShopSettings): string | null =>
  country === null || shippingCountriesOf(settings).includes(country)
    ? null
    : 'Laptops are not sent from this country here';

/** What a listing says of its photos, by the photos in their stored form, as JSON. */
function byStoredPhoto(
  { image, images: urls = [image] }: Listing,
  images: readonly string[],
  said: Readonly<Record<string, string>>,
): string {
  const entries = images.flatMap((photo, index) => {
    const value = said[urls[index] ?? ''];
    return value === undefined ? [] : [[photo, value]];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 * How a seller gives a laptop to its buyer; nothing for a change that keeps it.
 * @param present the country from which the laptop is sent now, which it can keep
 * @throws Refusal
 */
function deliveryColumns(
  { delivery, ships_from: chosen }: Pick<Listing, 'delivery' | 'ships_from'>,
  settings: ShopSettings,
  present: string | null,
): Pick<Insertable<Tables['laptops']>, 'delivery' | 'ships_from'> {
  if (delivery === undefined) return {};
  if (!isShipped(delivery)) return { delivery, ships_from: null };
  const shipsFrom = chosen ?? shippingCountriesOf(settings)[0] ?? null;
  const refusal = shipsFrom === present ? null : countryRefusal(shipsFrom, settings);
  if (refusal !== null) {
    throw new Refusal('invalid_input', `${refusal}. Nothing was saved.`, {
      errors: { ships_from: refusal },
    });
  }
  return { delivery, ships_from: shipsFrom };
}

/**
 * The columns that hold what a seller says about a laptop.
 * @param images its photos in their stored form
 * @param brand from {@link requireListedBrand}
 */
function listingColumns(
  listing: Listing,
  images: readonly string[],
  brand: string,
  { settings, shipsFrom }: { settings: ShopSettings; shipsFrom: string | null },
) {
  return {
    ...deliveryColumns(listing, settings, shipsFrom),
    brand,
    name: listing.name,
    location: listing.location,
    images: [...images],
    // A change that names no captions or kinds keeps them.
    ...(listing.captions !== undefined && {
      photo_captions: byStoredPhoto(listing, images, listing.captions),
    }),
    ...(listing.kinds !== undefined && { photo_kinds: byStoredPhoto(listing, images, listing.kinds) }),
    description: JSON.stringify(listing.description),
    ...factColumns(readFacts(listing.description)),
    original_price_cents: listing.original_price,
    resale_price_cents: listing.resale_price,
    use_time: listing.use_time,
    mobile_number: listing.mobile_number,
    condition: listing.condition,
  };
}

/**
 * Lists a laptop for a seller.
 * @param images its photos, from {@link requireStoredPhotos}
 * @returns its id
 * @throws Refusal for an unknown or hidden brand, the shop's name, a price below the least one, a photo that was deleted, or an account
 *   that has ended; and those of reactions
 */
export async function listForSale(
  transaction: Transaction,
  { enqueue, laptopEvents, shop }: PublishDependencies,
  seller: Caller,
  laptop: z.output<typeof NewLaptop>,
  images: readonly string[],
): Promise<string> {
  const brand = await requireListedBrand(transaction, laptop.category_Id, null);
  requireNoShopName(laptop, shop().name);
  requireLeastPrice(laptop, shop());
  if (!(await lockActiveAccountForShare(transaction, seller.userId))) throw accountEnded();
  await keepHostedPhotos(transaction, images, listingField);
  const laptopId = await store.insert(transaction, {
    ...listingColumns(laptop, images, brand, { settings: shop(), shipsFrom: null }),
    seller_id: seller.userId,
    posted_time: laptop.posted_time ?? new Date().toLocaleString('en-US', { timeZoneName: 'short' }),
  });
  const listed = { laptopId, sellerId: seller.userId, draftId: laptop.draftId };
  await publish(transaction, laptopEvents.listed, listed, enqueue);
  return laptopId;
}

/** Replaces the code for the slip of a laptop that is listed in the same transaction. */
export function giveSlipCode(transaction: Transaction, laptopId: string, slipCode: string): Promise<void> {
  return store.update(transaction, laptopId, { slip_code: slipCode });
}

/**
 * Replaces what the seller says about a locked, available laptop, as its next version.
 * @param images its photos, from {@link requireStoredPhotos}
 * @throws Refusal for an unknown or hidden brand, the shop's name, a new price below the least one, or a photo that was deleted
 */
export async function replaceListing(
  transaction: Transaction,
  laptop: store.LaptopRow,
  listing: Listing,
  images: readonly string[],
  { shop }: Pick<PublishDependencies, 'shop'>,
): Promise<void> {
  const brand = await requireListedBrand(transaction, listing.category_Id, laptop.brand);
  requireNoShopName(listing, shop().name, { ...laptop, captions: laptop.photo_captions });
  // A laptop that was listed before the least price keeps its price.
  if (listing.resale_price !== laptop.resale_price_cents) requireLeastPrice(listing, shop());
  const deleted = await exchangePhotos(transaction, laptop.images, images);
  if (deleted.length > 0) throw removedPhotos(images, deleted, listingField);
  const version = laptop.version + 1;
  await store.update(transaction, laptop.id, {
    ...listingColumns(listing, images, brand, { settings: shop(), shipsFrom: laptop.ships_from }),
    version,
    ...(listing.resale_price !== laptop.resale_price_cents && { price_version: version }),
    edited_at: new Date(),
  });
}
