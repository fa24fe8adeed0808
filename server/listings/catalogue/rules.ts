import {
  type Laptop,
  type LaptopDetails,
  type OwnLaptop,
  SOLD_SHOWN_DAYS,
  type ViewerStatus,
} from '#contract/listings/catalogue.ts';
import type { Level } from '#contract/listings/levels.ts';
import { type PhotoKinds, photoKinds, type Slip } from '#contract/listings/photo-kinds.ts';
import type { FoundLaptop } from '#contract/listings/search.ts';
import type { Rating } from '#contract/people/ratings.ts';
import { currency } from '#contract/platform/money.ts';
import { amountFromCents, type Role } from '#contract/platform/scalars.ts';
import { type SellerCheckColumns, sellerChecks } from '#server/people/accounts/rules.ts';
import { formatPhone } from '#server/people/phone-numbers.ts';
import type { Prefixed, Row } from '#server/platform/database/tables.ts';
import { factsResponse, type ListedFactColumns } from './fact-columns.ts';
import { ratingOf, type SellerRatingColumns } from './ratings.ts';

export {
  FACTS_VERSION,
  factColumns,
  factsResponse,
  type ListedFactColumns,
  listedFactColumns,
} from './fact-columns.ts';
export {
  type RatingColumns,
  ratedPeople,
  ratedSeller,
  ratingOf,
  type SellerRatingColumns,
} from './ratings.ts';

/** The columns of a laptop's level. */
export type LevelColumns = Pick<Row<'laptops'>, 'level' | 'level_at'>;

/** What a list of results shows of a laptop's row joined with its seller. */
export interface FoundRow
  extends ListedFactColumns,
    LevelColumns,
    Pick<
      Row<'laptops'>,
      | 'id'
      | 'number'
      | 'brand'
      | 'name'
      | 'location'
      | 'images'
      | 'original_price_cents'
      | 'resale_price_cents'
      | 'condition'
      | 'delivery'
      | 'ships_from'
      | 'seller_id'
    >,
    Pick<SellerRatingColumns, 'seller_reviews' | 'seller_stars'>,
    Prefixed<'seller', Pick<Row<'users'>, 'name' | 'verified'>> {}

/** A laptop's row joined with its seller. */
export interface LaptopWithSeller
  extends FoundRow,
    Pick<
      Row<'laptops'>,
      | 'photo_captions'
      | 'photo_kinds'
      | 'description'
      | 'posted_time'
      | 'use_time'
      | 'mobile_number'
      | 'state'
      | 'advertised_at'
      | 'taken_down_note'
    > {
  /** Only of one laptop, and in their seller's list of withdrawn laptops. */
  needs_measurement?: boolean;
  seller_email: string;
}

/** The level of a laptop's row. */
export const levelResponse = ({ level, level_at }: LevelColumns): { level: Level; level_at?: string } => ({
  level,
  ...(level_at !== null && { level_at: level_at.toISOString() }),
});

/** How a seller gives a laptop to its buyer. */
export const deliveryResponse = ({
  delivery,
  ships_from,
}: Pick<LaptopWithSeller, 'delivery' | 'ships_from'>): Pick<Laptop, 'delivery' | 'ships_from'> => ({
  delivery,
  ...(ships_from !== null && { ships_from }),
});

function ratingResponse({ seller_reviews, seller_stars }: FoundRow): { seller_rating?: Rating } {
  const rating = ratingOf(seller_reviews, seller_stars);
  return rating === null ? {} : { seller_rating: rating };
}

/** A laptop's row for its page. */
export interface DetailedLaptop
  extends LaptopWithSeller,
    SellerCheckColumns,
    Pick<Row<'laptops'>, 'created_at' | 'state_since'> {
  /** When the seller registered. */
  seller_since: Date;
  seller_ended_at: Date | null;
  /** The lowest resale price of the last 30 days. */
  lowest_price_cents: number;
  /** When the oldest change of the price in the last 30 days will be older; null without a change. */
  lowest_price_until: Date | null;
}

/** The public URL of a stored photo. */
export function toPhotoUrl(stored: string, origin: string): string {
  return stored.startsWith('/') ? `${origin}${stored}` : stored;
}

/** A picture with the first letter of a name, as a data URL, in the colours and the size of the logos in public/brands. */
function initialPicture(name: string): string {
  const initial = [...name.toUpperCase()].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '';
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" width="600" height="400"><rect width="600" height="400" fill="#ece4d6"/><text x="300" y="200" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-size="200" font-weight="700" fill="#2b2520">${initial}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** The URL of a brand's logo. @param image null for a brand without one */
export const brandImage = (
  { category_id: name, image }: Pick<Row<'brands'>, 'category_id' | 'image'>,
  origin: string,
): string => (image === null ? initialPicture(name) : toPhotoUrl(image, origin));

/** What is stored of a laptop's photos, by their public URLs; undefined if there is nothing. */
export function byPhotoUrl<Value>(
  images: readonly string[],
  stored: Readonly<Record<string, Value>>,
  toUrl: (photo: string) => string,
): Record<string, Value> | undefined {
  const entries = images.flatMap((photo) => {
    const value = stored[photo];
    return value === undefined ? [] : [[toUrl(photo), value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The photos in which the seller names something: those of marks, and those with a caption. */
export const describedPhotos = (
  laptop: Pick<LaptopWithSeller, 'images' | 'photo_kinds' | 'photo_captions'>,
): { photo: string; caption: string | null }[] =>
  laptop.images.flatMap((photo) => {
    const caption = laptop.photo_captions[photo] ?? null;
    return caption !== null || laptop.photo_kinds[photo] === 'marks' ? [{ photo, caption }] : [];
  });

/** The response for the slip of paper in a laptop's photos. */
export function slipResponse(
  laptop: { images: readonly string[]; photo_kinds: PhotoKinds; slip_code: string },
  toUrl: (photo: string) => string,
): Slip {
  const photos = laptop.images.filter((photo) => laptop.photo_kinds[photo] === 'slip');
  return { code: laptop.slip_code, photos: photos.map(toUrl) };
}

/** What a laptop's photos show: the seller's caption, or the kind of the photo. */
function shownCaptions({
  photo_kinds: kinds,
  photo_captions: captions,
}: LaptopWithSeller): Record<string, string> {
  const names = Object.entries(kinds).map(([photo, kind]) => [photo, photoKinds[kind]]);
  return { ...Object.fromEntries(names), ...captions };
}

/** The response for a laptop. @param withContact whether to include the seller's contact, for signed-in readers */
export function laptopResponse(row: LaptopWithSeller, origin: string, withContact: boolean): Laptop {
  const images = row.images.map((image) => toPhotoUrl(image, origin));
  const captions = byPhotoUrl(row.images, shownCaptions(row), (photo) => toPhotoUrl(photo, origin));
  return {
    _id: row.id,
    category_Id: row.brand,
    name: row.name,
    location: row.location,
    image: images[0] ?? '',
    images,
    ...(captions !== undefined && { captions }),
    description: row.description,
    facts: factsResponse(row),
    original_price: amountFromCents(row.original_price_cents),
    resale_price: amountFromCents(row.resale_price_cents),
    posted_time: row.posted_time,
    sellers_name: row.seller_name,
    seller_id: row.seller_id,
    ...ratingResponse(row),
    ...(withContact && { seller_email: row.seller_email, mobile_number: formatPhone(row.mobile_number) }),
    use_time: row.use_time,
    condition: row.condition,
    ...deliveryResponse(row),
    ...levelResponse(row),
    paid: row.state === 'sold',
    sellerVerified: row.seller_verified,
    advertisement: row.advertised_at !== null,
  };
}

const viewerRole = (roles: readonly Role[]) =>
  roles.includes('Buyer') ? 'buyer' : roles.includes('Seller') ? 'seller' : 'admin';

/**
 * The response about what a signed-in visitor has to do with a laptop.
 * @param own the person's booking that stands, with its order, and wish
 * @param hiddenUntil when the seller's contact is shown; null: now
 */
export function viewerStatusResponse(
  laptop: LaptopWithSeller,
  { userId, roles }: { userId: string; roles: readonly Role[] },
  own: { booking_id: string | null; order_id: string | null; wish_id: string | null } | undefined,
  hiddenUntil: Date | null,
): ViewerStatus {
  const bookingId = own?.booking_id ?? null;
  return {
    role: laptop.seller_id === userId ? 'owner' : viewerRole(roles),
    booking:
      bookingId === null
        ? null
        : { _id: bookingId, isUnpaid: own?.order_id === null && laptop.state === 'available' },
    wished: own?.wish_id != null,
    resale_price: amountFromCents(laptop.resale_price_cents),
    ...(hiddenUntil === null
      ? { mobile_number: formatPhone(laptop.mobile_number) }
      : { contact_hidden_until: hiddenUntil.toISOString() }),
  };
}

/** Adds to a response without the contact when it is shown. */
export const withHiddenContact = <Response extends Laptop>(response: Response, until: Date): Response => ({
  ...response,
  contact_hidden_until: until.toISOString(),
});

/** The response for a laptop in a list of results. */
export function foundLaptopResponse(row: FoundRow, origin: string): FoundLaptop {
  return {
    _id: row.id,
    category_Id: row.brand,
    name: row.name,
    location: row.location,
    image: toPhotoUrl(row.images[0] ?? '', origin),
    facts: factsResponse(row),
    original_price: amountFromCents(row.original_price_cents),
    resale_price: amountFromCents(row.resale_price_cents),
    condition: row.condition,
    ...deliveryResponse(row),
    ...levelResponse(row),
    sellers_name: row.seller_name,
    seller_id: row.seller_id,
    ...ratingResponse(row),
    sellerVerified: row.seller_verified,
  };
}

/** The time until which a sold laptop's page is shown, in milliseconds since 1970. */
const shownUntil = ({ state_since }: DetailedLaptop): number =>
  state_since.getTime() + SOLD_SHOWN_DAYS * 86_400_000;

/** Whether a laptop's page is shown: for sale, or sold recently. */
export function isShown(laptop: DetailedLaptop, now: Date): boolean {
  return laptop.state === 'available' || now.getTime() < shownUntil(laptop);
}

/** The time at which a laptop's page becomes stale without a change, in milliseconds since 1970; null for never. */
export function staleFrom(laptop: DetailedLaptop): number | null {
  if (laptop.state === 'sold') return shownUntil(laptop);
  return laptop.lowest_price_until?.getTime() ?? null;
}

/** The response for a laptop's page. */
export function laptopDetailsResponse(
  laptop: DetailedLaptop,
  origin: string,
  withContact: boolean,
): LaptopDetails {
  const sellerHasEnded = laptop.seller_ended_at !== null;
  // The shop vouches for nobody who has left it, perhaps because it ended the account.
  const row = sellerHasEnded ? { ...laptop, seller_verified: false, seller_reviews: null } : laptop;
  return {
    ...laptopResponse(row, origin, withContact),
    currency: currency.code,
    lowest_price: amountFromCents(row.lowest_price_cents),
    listed_at: row.created_at.toISOString(),
    ...(row.state === 'sold' && { sold_at: row.state_since.toISOString() }),
    seller_since: row.seller_since.toISOString().slice(0, 7),
    seller_checks: row.seller_verified ? sellerChecks(row) : null,
    ...(sellerHasEnded && { sellerHasEnded }),
  };
}

const ownStates = {
  available: 'Available',
  sold: 'Sold',
  taken_down: 'Taken down',
  withdrawn: 'Withdrawn',
  blocked: 'Blocked',
} as const;

/** The actions that a laptop's owner can take. */
export function ownActions(
  row: Pick<LaptopWithSeller, 'state' | 'advertised_at' | 'needs_measurement'>,
): OwnLaptop['actions'] {
  if (row.state === 'available') {
    return row.advertised_at === null ? ['edit', 'advertise', 'delete'] : ['edit', 'delete'];
  }
  if (row.state === 'withdrawn') return [row.needs_measurement === true ? 'measure' : 'relist'];
  return row.state === 'sold' ? [] : ['delete'];
}

/** The response for one of the caller's own laptops. */
export function ownLaptopResponse(row: LaptopWithSeller, origin: string): OwnLaptop {
  const toUrl = (photo: string) => toPhotoUrl(photo, origin);
  const { captions: _, ...laptop } = laptopResponse(row, origin, true);
  const captions = byPhotoUrl(row.images, row.photo_captions, toUrl);
  const kinds = byPhotoUrl(row.images, row.photo_kinds, toUrl);
  return {
    ...laptop,
    ...(captions !== undefined && { captions }),
    ...(kinds !== undefined && { kinds }),
    state: ownStates[row.state],
    ...(row.taken_down_note !== null && { takenDownNote: row.taken_down_note }),
    actions: ownActions(row),
  };
}
