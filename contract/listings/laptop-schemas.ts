import * as z from 'zod/mini';
import { Rating } from '#contract/people/ratings.ts';
import { SellerChecks } from '#contract/people/seller-checks.ts';
import { amountFromCents, currency } from '#contract/platform/money.ts';
import {
  CountryCode,
  CurrencyName,
  formatAmount,
  Id,
  line,
  listOf,
  MoneyAmount,
  optionalLine,
  optionalText,
  price,
  telephone,
  text,
} from '#contract/platform/scalars.ts';
import { Facts } from './fact-names.ts';
import { levelFields } from './levels.ts';
import { newPhotoCaptions, PhotoCaptions } from './photo-captions.ts';
import { newPhotoKinds, PhotoKinds } from './photo-kinds.ts';

/** The configuration fields of a laptop, in display order. */
export const configurationFields = [
  'Processor',
  'Graphics',
  'Display',
  'Memory',
  'Storage',
  'Battery',
  'Operating',
] as const;
export type ConfigurationField = (typeof configurationFields)[number];

export const conditions = ['Excellent', 'Good', 'Fair'] as const;

/** How a seller gives a laptop to its buyer: both meet, the seller sends it for free, or as the buyer likes. */
export const deliveryOffers = ['meet', 'ship', 'both'] as const;
export type DeliveryOffer = (typeof deliveryOffers)[number];

/** Whether a seller sends a laptop. */
export const isShipped = (offer: DeliveryOffer): boolean => offer !== 'meet';

/** The optional configuration fields, and the seller's text as `Notes`. */
export const Configuration = z.object(
  {
    Processor: optionalLine(120),
    Graphics: optionalLine(120),
    Display: optionalLine(120),
    Memory: optionalLine(120),
    Storage: optionalLine(120),
    Battery: optionalLine(120),
    Operating: optionalLine(120),
    Notes: optionalText(4000),
  },
  { error: 'Product description is required' },
);

/** A laptop's description as plain text. */
export const DescriptionText = text(4000, 'Product description is required');

const NonEmptyConfiguration = Configuration.check(
  z.refine((fields) => Object.values(fields).some((value) => value !== undefined), {
    error: 'Product description is required',
  }),
);

/** A text, or the configuration fields with the text as `Notes`. */
export const Description = z.pipe(
  // The issues of a union do not say which member was meant. An object is reported as a configuration, the rest as a text.
  z.transform((value: unknown, context) => {
    const schema = typeof value === 'object' && value !== null ? NonEmptyConfiguration : DescriptionText;
    const issues = z.safeParse(schema, value).error?.issues ?? [];
    for (const { path, message } of issues) {
      context.issues.push({ code: 'custom', input: value, path, message });
    }
    return issues.length === 0 ? value : z.NEVER;
  }),
  z.union([DescriptionText, NonEmptyConfiguration]),
);

export const BrandId = z
  .string({ error: 'Choose a brand' })
  .check(
    z.minLength(1, { error: 'Unknown brand', abort: true }),
    z.maxLength(60, { error: 'Unknown brand', abort: true }),
    z.regex(/^[\p{L}\p{N} .&+-]+$/u, { error: 'Unknown brand' }),
  );

/** The maximum number of photos per laptop. */
export const MAXIMUM_PHOTOS = 8;

export const Brand = z.object({ _id: Id, category_Id: z.string(), image: z.string() });
export type Brand = z.infer<typeof Brand>;

export const Laptop = z.object({
  _id: Id,
  category_Id: z.string(),
  name: z.string(),
  location: z.string(),
  /** The first of `images`. */
  image: z.string(),
  /** All photos, in the seller's order. */
  images: z.array(z.string()).check(z.minLength(1), z.maxLength(MAXIMUM_PHOTOS)),
  /** What the photos show: the seller’s caption, or the kind of the photo. */
  captions: z.optional(PhotoCaptions),
  description: z.union([z.string(), z.record(z.string(), z.string())]),
  /** What was understood of the description. */
  facts: Facts,
  original_price: MoneyAmount,
  resale_price: MoneyAmount,
  /** The seller's local date and time of listing, formatted by the seller's browser. */
  posted_time: z.string(),
  sellers_name: z.string(),
  /** The id in the URL of the seller's page. */
  seller_id: z.string(),
  /** Missing before the first shown review. */
  seller_rating: z.optional(Rating),
  /** Only in responses to signed-in users. */
  seller_email: z.optional(z.string()),
  use_time: z.string(),
  /** Only in responses to signed-in users. */
  mobile_number: z.optional(z.string()),
  /**
   * When the seller’s contact is shown, ISO 8601 in UTC; only to a signed-in user who has seen the contacts of many sellers within
   * a short time. The response has no contact then.
   */
  contact_hidden_until: z.optional(z.string()),
  condition: z.enum(conditions),
  delivery: z.enum(deliveryOffers),
  /** From which country it is sent, in ISO 3166; only if it is. It is sent within this country. */
  ships_from: z.optional(z.string()),
  ...levelFields,
  paid: z.boolean(),
  sellerVerified: z.boolean(),
  advertisement: z.boolean(),
});
export type Laptop = z.infer<typeof Laptop>;

/** The number of days for which a sold laptop is still shown, as sold. */
export const SOLD_SHOWN_DAYS = 90;

/** A laptop for its own page: for sale, or sold within {@link SOLD_SHOWN_DAYS}. */
export const LaptopDetails = z.extend(Laptop, {
  currency: CurrencyName,
  /** The lowest resale price of the last 30 days, the present one included. */
  lowest_price: MoneyAmount,
  /** ISO 8601 in UTC. */
  listed_at: z.string(),
  /** ISO 8601 in UTC; only of a sold laptop. */
  sold_at: z.optional(z.string()),
  /** When the seller registered: year and month, such as 2026-11. */
  seller_since: z.string(),
  /** What the shop has checked of a verified seller; null of others. */
  seller_checks: z.nullable(SellerChecks),
  /** The seller’s account has ended: the shop says neither a rating nor a check of this person. */
  sellerHasEnded: z.optional(z.literal(true)),
});
export type LaptopDetails = z.infer<typeof LaptopDetails>;

/** A laptop in its seller's own list, with the currently possible actions. */
/** What a signed-in person may do with a laptop, and has done about it. */
export const ViewerStatus = z.object({
  /** `owner`: its seller. `buyer`: anybody else who buys, also one who sells. The others are accounts of that role. */
  role: z.enum(['owner', 'buyer', 'seller', 'admin']),
  /** The buyer's booking of it, unless it was cancelled. `isUnpaid`: it can be paid. */
  booking: z.nullable(z.object({ _id: Id, isUnpaid: z.boolean() })),
  /** Whether it is on the buyer's wishlist. */
  wished: z.boolean(),
  resale_price: MoneyAmount,
  /** Missing while `contact_hidden_until` says so. */
  mobile_number: Laptop.shape.mobile_number,
  contact_hidden_until: Laptop.shape.contact_hidden_until,
});
export type ViewerStatus = z.infer<typeof ViewerStatus>;

export const OwnLaptop = z.extend(Laptop, {
  state: z.enum(['Available', 'Sold', 'Taken down', 'Withdrawn', 'Blocked']),
  /** Which of the guided photos they are; `captions` has the seller's texts only. */
  kinds: z.optional(PhotoKinds),
  /** The admin's reason for the take-down. */
  takenDownNote: z.optional(z.string()),
  /** `measure`: a buyer sent it back as not working or not as described, so it is measured before it can be sold again. */
  actions: z.array(z.enum(['edit', 'advertise', 'delete', 'relist', 'measure'])),
});
export type OwnLaptop = z.infer<typeof OwnLaptop>;

/** The maximum number of different prices in {@link OwnListing}. */
export const MAXIMUM_AGREED_PRICES = 100;

/** One of the caller's own laptops, as the form that changes it needs it. */
export const OwnListing = z.extend(OwnLaptop, {
  /** To be written on a slip of paper in a photo. */
  slipCode: z.string(),
  /** Counts the changes; the change names the version that it was based on. */
  version: z.int(),
  /**
   * The unpaid bookings by price, from the highest. `agreedPrice` is the lowest price that applied since the booking or the last
   * agreement.
   */
  unpaidBookings: z
    .array(z.object({ agreedPrice: MoneyAmount, count: z.int() }))
    .check(z.maxLength(MAXIMUM_AGREED_PRICES)),
  /** Until when a buyer alone can pay for the laptop, ISO 8601 in UTC; the laptop cannot be changed before. */
  paymentWindowEndsAt: z.optional(z.string()),
});
export type OwnListing = z.infer<typeof OwnListing>;

export const PhotoUrl = z
  .string({ error: 'Product photo is required' })
  .check(
    z.minLength(1, { error: 'Product photo is required', abort: true }),
    z.maxLength(2000, { error: 'The address of a photo has at most 2000 characters', abort: true }),
  );

/** What a seller says about a laptop. */
const listing = {
  category_Id: BrandId,
  name: line(120, 'Product Name is required'),
  location: line(120, 'Location is required'),
  /** The photo shown in lists. */
  image: PhotoUrl,
  /** All photos if there are several, starting with `image`. */
  images: z.optional(
    listOf(
      MAXIMUM_PHOTOS,
      PhotoUrl,
      'Photos are a list of URLs',
      `A laptop can have up to ${MAXIMUM_PHOTOS} photos`,
    ).check(
      z.minLength(1, { error: 'Product photo is required', abort: true }),
      z.refine((urls) => new Set(urls).size === urls.length, {
        error: 'Each photo can be listed only once',
      }),
    ),
  ),
  /** What the photos show, by their URLs. */
  captions: z.optional(newPhotoCaptions(MAXIMUM_PHOTOS)),
  /** Which of the guided photos they are, by their URLs. */
  kinds: z.optional(newPhotoKinds(MAXIMUM_PHOTOS)),
  description: Description,
  original_price: price('Original Price is required'),
  resale_price: price('Resale Price is required'),
  use_time: line(60, 'Use time is required'),
  mobile_number: telephone('Mobile Number is required'),
  condition: z.enum(conditions, { error: 'Choose Excellent, Good or Fair' }),
  /** A new laptop without a choice is handed over when both meet; a change without one keeps what was chosen. */
  delivery: z.optional(z.enum(deliveryOffers, { error: 'Choose whether you meet the buyer, or send it' })),
  /** From which country it is sent; the shop's first one when it is missing. */
  ships_from: z.optional(CountryCode),
};

/** The rules that concern several fields of a listing. */
const listingRules = [
  z.refine<{ resale_price: number }>(({ resale_price }) => resale_price >= currency.leastCents, {
    path: ['resale_price'],
    error: () =>
      `The Resale Price must be at least ${formatAmount(amountFromCents(currency.leastCents))}, the least that a card can be charged`,
  }),
  z.refine<{ resale_price: number; original_price: number }>(
    (prices) => prices.resale_price <= prices.original_price,
    { path: ['resale_price'], error: 'The Resale Price cannot be above the Original Price' },
  ),
  z.refine<{ image: string; images?: string[] | undefined }>(
    ({ image, images }) => images === undefined || images[0] === image,
    { path: ['images'], error: 'The first of the photos must be the one in image' },
  ),
  z.refine<{ image: string; images?: string[] | undefined; captions?: PhotoCaptions | undefined }>(
    ({ image, images = [image], captions = {} }) =>
      Object.keys(captions).every((url) => images.includes(url)),
    { path: ['captions'], error: 'A caption names a photo that the laptop does not have' },
  ),
  z.refine<{ image: string; images?: string[] | undefined; kinds?: PhotoKinds | undefined }>(
    ({ image, images = [image], kinds = {} }) => Object.keys(kinds).every((url) => images.includes(url)),
    { path: ['kinds'], error: 'A kind names a photo that the laptop does not have' },
  ),
] as const;

export const NewLaptop = z
  .object({
    ...listing,
    posted_time: optionalLine(60),
    /** The seller's draft of the laptop. It ends, and its slip code and its measurement become the laptop's. */
    draftId: z.optional(Id),
  })
  .check(...listingRules);

/** All that a seller says about a laptop, with the {@link OwnListing} version that the change is based on. */
export const ChangedLaptop = z
  .object({ ...listing, version: z.int({ error: 'The version is missing' }).check(z.positive()) })
  .check(...listingRules);
