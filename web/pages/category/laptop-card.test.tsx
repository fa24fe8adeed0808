import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import type { Laptop } from '#contract/listings/catalogue.ts';
import type { Purchase } from '../../bookings/use-purchase.ts';
import type { RoleCheck } from '../../session/roles.ts';
import { LaptopCard } from './laptop-card.tsx';

const laptop: Laptop = {
  _id: '00000000-0000-4000-8000-000000000001',
  category_Id: 'HP',
  name: 'HP EliteBook 840 G8',
  location: 'Rotterdam, Netherlands',
  image: 'https://photos.example/a.webp',
  images: ['https://photos.example/a.webp'],
  facts: {},
  description: { Processor: 'Core i7-1185G7', Memory: '16 GB', Notes: 'One scratch on the lid' },
  original_price: 1499,
  resale_price: 549.99,
  posted_time: '11/18/2026, 10:24:05 AM',
  sellers_name: 'Nadia Refurb',
  seller_id: '00000000-0000-4000-8000-000000000002',
  use_time: '2 years 3 months',
  mobile_number: '+31 6 1234 5678',
  condition: 'Excellent',
  delivery: 'meet',
  paid: false,
  level: 'word',
  sellerVerified: true,
  advertisement: false,
};

const buyer = {
  status: 'known' as const,
  isBuyer: true,
  isSeller: false,
  isAdmin: false,
} satisfies RoleCheck;
const purchase: Purchase = {
  isOwn: () => false,
  isBooked: () => false,
  isLoading: false,
  isWished: () => false,
  unpaidBookingId: () => null,
  pendingWishId: null,
  wish: () => {},
  addBooked: () => {},
};

interface Shown {
  changes?: Partial<Laptop>;
  roles?: RoleCheck;
  done?: Partial<Purchase>;
}

function card({ changes, roles = buyer, done }: Shown = {}): string {
  const element = (
    <LaptopCard
      laptop={{ ...laptop, ...changes }}
      eager
      roles={roles}
      purchase={{ ...purchase, ...done }}
      onBook={() => {}}
    />
  );
  const router = createMemoryRouter([{ path: '/', element }]);
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

function button(html: string, label: string): string {
  return html.split('<button').find((part) => part.includes(`>${label}<`)) ?? 'no such button';
}

test('shows every field of the specification', () => {
  const html = card();
  for (const shown of [
    'Nadia Refurb',
    'Verified Seller',
    '+31 6 1234 5678',
    'Rotterdam, Netherlands',
    '11/18/2026, 10:24:05 AM',
    'Product Configuration',
    'Core i7-1185G7',
    '16 GB',
    'One scratch on the lid',
    'HP EliteBook 840 G8',
    'Original Price',
    '<s>$1,499.00</s>',
    'Resale Price',
    '$549.99',
    'Use Time',
    '2 years 3 months',
    'Condition',
    'Excellent',
    'h-[500px]',
  ]) {
    expect(html).toContain(shown);
  }
});

test('shows Not Verified for an unverified seller', () => {
  const html = card({ changes: { sellerVerified: false } });
  expect(html).toContain('Not Verified');
  expect(html).not.toContain('Verified Seller');
});

test('shows the configuration only when it has a Processor, and always the description', () => {
  const html = card({ changes: { description: { Memory: '16 GB', Notes: 'One scratch' } } });
  expect(html).not.toContain('Product Configuration');
  expect(html).toContain('One scratch');
  expect(card({ changes: { description: 'Just a text' } })).toContain('Just a text');
});

test('disables booking and the wishlist for a laptop that is booked and on the wishlist', () => {
  const fresh = card();
  expect(button(fresh, 'Book now')).not.toContain('disabled=""');
  expect(button(fresh, 'Add to Wishlist')).not.toContain('disabled=""');
  const done = card({ done: { isBooked: () => true, isWished: () => true } });
  expect(button(done, 'Book now')).toContain('disabled=""');
  expect(button(done, 'Add to Wishlist')).toContain('disabled=""');
});

test('shows an administrator why booking is not available', () => {
  const html = card({ roles: { status: 'known', isBuyer: false, isSeller: false, isAdmin: true } });
  expect(button(html, 'Book now')).toBe('no such button');
  expect(button(html, 'Add to Wishlist')).toBe('no such button');
  expect(html).toContain('Booking and the wishlist are for buyers. You are signed in as an administrator.');
});

test('says to a buyer who also sells that a laptop is the own one', () => {
  const html = card({ roles: { ...buyer, isSeller: true }, done: { isOwn: () => true } });
  expect(button(html, 'Book now')).toBe('no such button');
  expect(html).toContain('This is your laptop.');
});

test('disables booking before the role is known', () => {
  expect(button(card({ roles: { status: 'pending' } }), 'Book now')).toContain('disabled=""');
});

test('leads to the payment of a booked laptop', () => {
  const unpaid = { isBooked: () => true, unpaidBookingId: () => 'b1' };
  expect(card()).not.toContain('Booked');
  expect(card({ done: unpaid })).toContain('href="/dashboard/payment/b1"');
  const paid = card({ done: { ...unpaid, unpaidBookingId: () => null } });
  expect(paid).toContain('>Booked</span>');
  expect(paid).not.toContain('/dashboard/payment/');
});

test('shows the main facts in one line', () => {
  const facts = { processor: 'intel-core-i7', memory: 16, storage: 1024, screen: 13.5 } as const;
  expect(card({ changes: { facts } })).toContain('i7\u00a0· 16 GB\u00a0· 1 TB\u00a0· 13.5″');
});

/** Photos as the built-in host names them. */
const hosted = ['a', 'b', 'c'].map(
  (digit) => `https://shop.example/photos/${digit.repeat(64)}-1280x960-${digit.repeat(36)}/1280.webp`,
);
const images = (html: string) => html.split('<img').slice(1);

test('renders the first of several photos large, with its size, and the others as placeholders and thumbnails', () => {
  const html = card({ changes: { image: hosted[0] ?? '', images: hosted } });
  const large = images(html).filter((image) => image.includes('photographed by its seller'));
  expect(large).toHaveLength(1);
  expect(large[0]).toContain(hosted[0]);
  expect(large[0]).toContain('width="1280" height="960" loading="eager"');
  expect(images(html).filter((image) => image.includes('loading="lazy"'))).toHaveLength(3);
  expect(html.split('data:image/bmp')).toHaveLength(1 + 1 + 2 + 3);
  expect(html).toContain('1 of 3');
});

test('renders no arrows for a single photo', () => {
  const html = card();
  for (const part of ['Next photo', '1 of 1', 'Show photo']) expect(html).not.toContain(part);
  expect(html).toContain('Enlarge the photo of HP EliteBook 840 G8');
});

test('says when a number is shown of which there were too many', () => {
  const html = card({
    changes: { mobile_number: undefined, contact_hidden_until: '2026-11-26T21:40:00.000Z' },
  });
  expect(html).toContain('Hidden until');
  expect(html).toContain('dateTime="2026-11-26T21:40:00.000Z"');
  expect(html).not.toContain('tel:');
});
