import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Email, Id, Inserted, Modified, optionalLine, Paging } from '#contract/platform/scalars.ts';
import {
  Brand,
  BrandId,
  ChangedLaptop,
  Laptop,
  LaptopDetails,
  NewLaptop,
  OwnLaptop,
  OwnListing,
  ViewerStatus,
} from './laptop-schemas.ts';

export * from './laptop-schemas.ts';

export const listBrands = endpoint({
  method: 'GET',
  path: '/brands',
  access: 'public',
  summary: 'The brands of the shop',
  response: z.array(Brand),
});

export const readBrand = endpoint({
  method: 'GET',
  path: '/brands/:id',
  access: 'public',
  summary: 'The brand with a name, or with one that it had before it was renamed or merged',
  params: z.object({ id: BrandId }),
  response: z.object({
    /** Its present name. */
    category_Id: z.string(),
    /** A hidden brand is in no list of brands and takes no new laptops. */
    hidden: z.boolean(),
  }),
  refusals: ['not_found'],
});

export const listCategory = endpoint({
  method: 'GET',
  path: '/category/:id',
  access: 'public',
  summary: 'The laptops of a brand that are for sale, newest first; with the seller’s contact when signed in',
  params: z.object({ id: BrandId }),
  query: Paging,
  response: z.array(Laptop),
  refusals: ['not_found'],
});

export const listAdvertisements = endpoint({
  method: 'GET',
  path: '/advertisement',
  access: 'public',
  summary: 'The advertised, unsold laptops, newest first',
  query: Paging,
  response: z.array(Laptop),
});

export const readLaptop = endpoint({
  method: 'GET',
  path: '/laptops/:_id',
  access: 'public',
  summary: 'A laptop that is for sale or was sold recently; with the seller’s contact when signed in',
  params: z.object({ _id: Id }),
  response: LaptopDetails,
  refusals: ['not_found', 'no_longer_for_sale'],
});

export const readViewerStatus = endpoint({
  method: 'GET',
  path: '/laptops/:_id/mine',
  access: 'signed-in',
  summary: 'What the caller may do with a laptop and has done about it, and its seller’s telephone number',
  params: z.object({ _id: Id }),
  response: ViewerStatus,
  refusals: ['not_found', 'no_longer_for_sale'],
});

export const listLaptop = endpoint({
  method: 'POST',
  path: '/laptops',
  access: ['Seller'],
  summary: 'Lists a laptop for sale in the caller’s name',
  body: NewLaptop,
  response: Inserted,
  refusals: ['changed_elsewhere'],
  limit: 'listing',
  idempotencyKey: true,
  changes: ['myProducts'],
});

/** The lists of a seller's own laptops: for sale, blocked or taken down; sold; withdrawn, and can be sold again. */
export const ownLaptopLists = ['unsold', 'sold', 'withdrawn'] as const;

export const listOwnLaptops = endpoint({
  method: 'GET',
  path: '/myProducts',
  access: ['Seller'],
  summary:
    'The caller’s own laptops, newest first: sold and unsold ones, one of both, or the withdrawn ones that can be sold again',
  query: z.extend(Paging, { email: z.optional(Email), list: z.optional(z.enum(ownLaptopLists)) }),
  response: z.array(OwnLaptop),
  refusals: ['not_allowed'],
});

export const readOwnLaptop = endpoint({
  method: 'GET',
  path: '/myProducts/:_id',
  access: ['Seller'],
  summary: 'One of the caller’s own laptops, with its version and its unpaid bookings',
  params: z.object({ _id: Id }),
  response: OwnListing,
  refusals: ['not_found'],
});

export const changeLaptop = endpoint({
  method: 'PUT',
  path: '/myProducts/:_id',
  access: ['Seller'],
  summary:
    'Changes the caller’s laptop that is for sale. Buyers with unpaid bookings are told of a new price, and agree to one above the price that they agreed to before they can pay. Refused with changed_elsewhere when it was changed since the version',
  params: z.object({ _id: Id }),
  body: ChangedLaptop,
  response: Modified,
  refusals: [
    'not_found',
    'already_sold',
    'no_longer_for_sale',
    'changed_elsewhere',
    'somebody_is_paying',
    'card_processor_unavailable',
  ],
  limit: 'editing',
  idempotencyKey: true,
  changes: ['laptops', 'category', 'myBuyers'],
});

export const deleteOwnLaptop = endpoint({
  method: 'DELETE',
  path: '/myProducts/:_id',
  access: ['Seller'],
  summary: 'Withdraws the caller’s unsold laptop; unpaid bookings of it are cancelled',
  params: z.object({ _id: Id }),
  response: Deleted,
  refusals: ['not_found', 'already_sold'],
  changes: ['myBuyers'],
});

export const relistLaptop = endpoint({
  method: 'PUT',
  path: '/myProducts/:_id/listing',
  access: ['Seller'],
  summary:
    'Lists the caller’s withdrawn laptop for sale again, as the newest; its earlier bookings stay cancelled. One that a buyer sent back as not working or not as described is measured first',
  params: z.object({ _id: Id }),
  body: z.object({ posted_time: optionalLine(60) }),
  response: Modified,
  refusals: ['not_found', 'already_sold', 'not_measured'],
  limit: 'listing',
  changes: ['laptops'],
});

export const advertiseLaptop = endpoint({
  method: 'PUT',
  path: '/advertisement/:_id',
  access: ['Seller'],
  summary: 'Puts the caller’s unsold laptop on the home page',
  params: z.object({ _id: Id }),
  response: Modified,
  refusals: ['not_found', 'already_sold'],
  changes: ['myProducts'],
  limit: 'advertising',
});
