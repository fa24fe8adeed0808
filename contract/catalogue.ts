import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  Deleted,
  Dollars,
  Email,
  formatDollars,
  Id,
  Inserted,
  line,
  listOf,
  Modified,
  optionalLine,
  optionalText,
  Paging,
  price,
  telephone,
  text,
} from './scalars.ts';

/** The configuration fields of a laptop, in the order in which a card shows them. */
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

/** A seller's text beside the seven configuration fields, each of them optional. */
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

/** What a seller writes about a laptop. */
export const DescriptionText = text(4000, 'Product description is required');

const SomeConfiguration = Configuration.check(
  z.refine((fields) => Object.values(fields).some((value) => value !== undefined), {
    error: 'Product description is required',
  }),
);

/** A text, or the configuration fields with the text as `Notes`. */
export const Description = z.pipe(
  // A union alone does not say which of its parts was meant: an object is wrong as a configuration, the rest as a text.
  z.transform((value: unknown, context) => {
    const meant = typeof value === 'object' && value !== null ? SomeConfiguration : DescriptionText;
    const issues = z.safeParse(meant, value).error?.issues ?? [];
    for (const { path, message } of issues) {
      context.issues.push({ code: 'custom', input: value, path, message });
    }
    return issues.length === 0 ? value : z.NEVER;
  }),
  z.union([DescriptionText, SomeConfiguration]),
);

export const BrandId = z
  .string({ error: 'Choose a brand' })
  .check(
    z.minLength(1, { error: 'Unknown brand', abort: true }),
    z.maxLength(60, { error: 'Unknown brand', abort: true }),
    z.regex(/^[\p{L}\p{N} .&+-]+$/u, { error: 'Unknown brand' }),
  );

/** The lowest resale price, in cents: card processors charge no less than $0.50. */
export const MINIMUM_RESALE_PRICE_CENTS = 50;

/** The most photos that a laptop can have. */
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
  /** All photos, in the order in which the seller put them. */
  images: z.array(z.string()).check(z.minLength(1), z.maxLength(MAXIMUM_PHOTOS)),
  description: z.union([z.string(), z.record(z.string(), z.string())]),
  original_price: Dollars,
  resale_price: Dollars,
  /** The seller's local date and time of listing, as the seller's browser wrote it. */
  posted_time: z.string(),
  sellers_name: z.string(),
  /** Only for those who are signed in. */
  seller_email: z.optional(z.string()),
  use_time: z.string(),
  /** Only for those who are signed in. */
  mobile_number: z.optional(z.string()),
  condition: z.enum(conditions),
  paid: z.boolean(),
  sellerVerified: z.boolean(),
  advertisement: z.boolean(),
});
export type Laptop = z.infer<typeof Laptop>;

/** One of the seller's own laptops, with what its owner may do with it now. */
export const OwnLaptop = z.extend(Laptop, {
  state: z.enum(['Available', 'Sold', 'Taken down']),
  /** Why an admin took it down. */
  takenDownNote: z.optional(z.string()),
  actions: z.array(z.enum(['advertise', 'delete'])),
});
export type OwnLaptop = z.infer<typeof OwnLaptop>;

const PhotoUrl = z
  .string({ error: 'Product photo is required' })
  .check(
    z.minLength(1, { error: 'Product photo is required', abort: true }),
    z.maxLength(2000, { error: 'The address of a photo has at most 2000 characters', abort: true }),
  );

export const NewLaptop = z
  .object({
    category_Id: BrandId,
    name: line(120, 'Product Name is required'),
    location: line(120, 'Location is required'),
    /** The photo that lists show. */
    image: PhotoUrl,
    /** All photos when there are several, `image` first. */
    images: z.optional(
      listOf(
        MAXIMUM_PHOTOS,
        PhotoUrl,
        'Photos are a list of URLs',
        `A laptop can have up to ${MAXIMUM_PHOTOS} photos`,
      ).check(
        z.minLength(1, { error: 'Product photo is required', abort: true }),
        z.refine((urls) => new Set(urls).size === urls.length, { error: 'Each photo can be there once' }),
      ),
    ),
    description: Description,
    original_price: price('Original Price is required'),
    resale_price: price('Resale Price is required'),
    posted_time: optionalLine(60),
    use_time: line(60, 'Use time is required'),
    mobile_number: telephone('Mobile Number is required'),
    condition: z.enum(conditions, { error: 'Choose Excellent, Good or Fair' }),
  })
  .check(
    z.refine((laptop) => laptop.resale_price >= MINIMUM_RESALE_PRICE_CENTS, {
      path: ['resale_price'],
      error: `The Resale Price must be at least ${formatDollars(MINIMUM_RESALE_PRICE_CENTS / 100)}, the least that a card can be charged`,
    }),
    z.refine((laptop) => laptop.resale_price <= laptop.original_price, {
      path: ['resale_price'],
      error: 'The Resale Price cannot be above the Original Price',
    }),
    z.refine((laptop) => laptop.images === undefined || laptop.images[0] === laptop.image, {
      path: ['images'],
      error: 'The first of the photos must be the one in image',
    }),
  );

export const listBrands = endpoint({
  method: 'GET',
  path: '/brands',
  access: 'public',
  summary: 'The brands the shop deals in',
  answer: z.array(Brand),
});

export const listCategory = endpoint({
  method: 'GET',
  path: '/category/:id',
  access: 'public',
  summary:
    'The laptops of a brand that are for sale, the newest first; with the seller’s contact when signed in',
  params: z.object({ id: BrandId }),
  query: Paging,
  answer: z.array(Laptop),
  refusals: ['not_found'],
});

export const listAdvertisements = endpoint({
  method: 'GET',
  path: '/advertisement',
  access: 'public',
  summary: 'The laptops that are advertised and unsold, the newest first',
  query: Paging,
  answer: z.array(Laptop),
});

export const readLaptop = endpoint({
  method: 'GET',
  path: '/laptops/:_id',
  access: 'public',
  summary: 'A laptop that is for sale; with the seller’s contact when signed in',
  params: z.object({ _id: Id }),
  answer: Laptop,
  refusals: ['not_found', 'no_longer_for_sale'],
});

export const listLaptop = endpoint({
  method: 'POST',
  path: '/laptops',
  access: ['Seller'],
  summary: 'Lists a laptop for sale in the caller’s name',
  body: NewLaptop,
  answer: Inserted,
  limit: 'listing',
  idempotencyKey: true,
});

export const listOwnLaptops = endpoint({
  method: 'GET',
  path: '/myProducts',
  access: ['Seller'],
  summary: 'The caller’s own laptops, sold and unsold, the newest first',
  query: z.extend(Paging, { email: z.optional(Email) }),
  answer: z.array(OwnLaptop),
  refusals: ['not_allowed'],
});

export const deleteOwnLaptop = endpoint({
  method: 'DELETE',
  path: '/myProducts/:_id',
  access: ['Seller'],
  summary: 'Takes the caller’s unsold laptop out of the shop; unpaid bookings of it are cancelled',
  params: z.object({ _id: Id }),
  answer: Deleted,
  refusals: ['not_found', 'already_sold'],
});

export const advertiseLaptop = endpoint({
  method: 'PUT',
  path: '/advertisement/:_id',
  access: ['Seller'],
  summary: 'Puts the caller’s unsold laptop on the home page',
  params: z.object({ _id: Id }),
  answer: Modified,
  refusals: ['not_found', 'already_sold'],
  limit: 'advertising',
});
