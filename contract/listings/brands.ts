import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, Inserted, line, listOf, Modified } from '#contract/platform/scalars.ts';
import { BrandId, PhotoUrl } from './laptop-schemas.ts';

/** The maximum number of brands, hidden ones included. */
export const MAXIMUM_BRANDS = 100;

/** The maximum number of laptops, and of saved searches, that renaming or merging a brand changes. */
export const MAXIMUM_MOVED = 20_000;

const signs = 'A name has letters, digits, spaces and the signs . & + - only';

/** The name of a brand, which addresses contain. */
const BrandName = line(60, 'Brand Name is required').check(
  z.overwrite((name) => name.normalize('NFC').replace(/\s+/g, ' ')),
  z.refine((name) => BrandId.safeParse(name).success, { error: signs, abort: true }),
  z.refine((name) => /[\p{L}\p{N}]/u.test(name), { error: 'A name has letters or digits' }),
);

/** More laptops for sale of a brand are not counted. */
export const MAXIMUM_COUNTED = 100;

/** A brand for the admins who edit it. */
export const ShopBrand = z.object({
  _id: Id,
  /** Its name. */
  category_Id: z.string(),
  /** The URL of its logo, or of a picture of its initial. */
  image: z.string(),
  hasLogo: z.boolean(),
  /** Whether it is in no list of brands and takes no new laptops. */
  hidden: z.boolean(),
  /** The number of its laptops for sale, {@link MAXIMUM_COUNTED} at most. */
  forSale: z.int(),
  /** Names whose addresses lead to it. */
  formerNames: z.array(z.string()),
});
export type ShopBrand = z.infer<typeof ShopBrand>;

export const listShopBrands = endpoint({
  method: 'GET',
  path: '/shopBrands',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'All brands, hidden ones included, in the order in which the shop shows them',
  response: z.array(ShopBrand),
});

/** What changes in the browser: lists of brands, and all that names a laptop’s brand. */
const changes = ['everything'];

export const addBrand = endpoint({
  method: 'POST',
  path: '/shopBrands',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Adds a brand, as the last one. Without a logo, its initial is shown',
  body: z.object({ name: BrandName, image: z.optional(PhotoUrl) }),
  response: Inserted,
  changes,
});

export const orderBrands = endpoint({
  method: 'PUT',
  path: '/shopBrands',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Gives the brands another order. Refused with changed_elsewhere unless it names each of them once',
  body: z.object({
    ids: listOf(
      MAXIMUM_BRANDS,
      Id,
      'The order is a list of ids',
      `A shop has up to ${MAXIMUM_BRANDS} brands`,
    ),
  }),
  response: Modified,
  refusals: ['changed_elsewhere'],
  changes,
});

export const changeBrand = endpoint({
  method: 'PUT',
  path: '/shopBrands/:_id',
  access: ['Admin'],
  rights: ['settings'],
  summary:
    'Renames a brand, whose old addresses then lead to the new one; replaces its logo; hides it or shows it again. The laptops of a hidden brand stay for sale',
  params: z.object({ _id: Id }),
  body: z.object({
    name: BrandName,
    /** Left out: it keeps its logo. Null: it has none, and its initial is shown. */
    image: z.optional(z.nullable(PhotoUrl)),
    hidden: z.boolean({ error: 'Say whether the brand is hidden' }),
  }),
  response: Modified,
  refusals: ['not_found'],
  changes,
});

export const mergeBrand = endpoint({
  method: 'POST',
  path: '/shopBrands/:_id/merging',
  access: ['Admin'],
  rights: ['settings'],
  summary:
    'Merges a brand into another one: its laptops and the saved searches for it are the other’s, its addresses lead there, and it is gone',
  params: z.object({ _id: Id }),
  body: z.object({ into: Id }),
  response: Modified,
  refusals: ['not_found'],
  changes,
});
