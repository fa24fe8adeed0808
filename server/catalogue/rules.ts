import type { Laptop, OwnLaptop } from '#contract/catalogue.ts';
import { dollarsFromCents } from '#contract/scalars.ts';

/** A laptop's row joined with its seller. */
export interface ListedLaptop {
  id: string;
  number: string;
  brand: string;
  name: string;
  location: string;
  /** At least one; the first is the main photo. */
  images: string[];
  description: string | Record<string, string>;
  original_price_cents: number;
  resale_price_cents: number;
  posted_time: string;
  use_time: string;
  mobile_number: string;
  condition: 'Excellent' | 'Good' | 'Fair';
  /** Withdrawn laptops are in no list. */
  state: 'available' | 'sold' | 'taken_down';
  advertised_at: Date | null;
  taken_down_note: string | null;
  seller_name: string;
  seller_email: string;
  seller_verified: boolean;
}

/** The public URL of a stored photo. */
export function toPhotoUrl(stored: string, origin: string): string {
  return stored.startsWith('/') ? `${origin}${stored}` : stored;
}

/** The response for a laptop. @param withContact whether to include the seller's contact, for signed-in readers */
export function laptopResponse(row: ListedLaptop, origin: string, withContact: boolean): Laptop {
  const images = row.images.map((image) => toPhotoUrl(image, origin));
  return {
    _id: row.id,
    category_Id: row.brand,
    name: row.name,
    location: row.location,
    image: images[0] ?? '',
    images,
    description: row.description,
    original_price: dollarsFromCents(row.original_price_cents),
    resale_price: dollarsFromCents(row.resale_price_cents),
    posted_time: row.posted_time,
    sellers_name: row.seller_name,
    ...(withContact && { seller_email: row.seller_email, mobile_number: row.mobile_number }),
    use_time: row.use_time,
    condition: row.condition,
    paid: row.state === 'sold',
    sellerVerified: row.seller_verified,
    advertisement: row.advertised_at !== null,
  };
}

const ownStates = {
  available: 'Available',
  sold: 'Sold',
  taken_down: 'Taken down',
} as const;

/** The actions that a laptop's owner can take. */
export function ownActions(row: Pick<ListedLaptop, 'state' | 'advertised_at'>): OwnLaptop['actions'] {
  if (row.state === 'available') return row.advertised_at === null ? ['advertise', 'delete'] : ['delete'];
  return row.state === 'taken_down' ? ['delete'] : [];
}

/** The response for one of the caller's own laptops. */
export function ownLaptopResponse(row: ListedLaptop, origin: string): OwnLaptop {
  return {
    ...laptopResponse(row, origin, true),
    state: ownStates[row.state],
    ...(row.taken_down_note !== null && { takenDownNote: row.taken_down_note }),
    actions: ownActions(row),
  };
}
