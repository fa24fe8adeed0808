import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Laptop } from '#contract/catalogue.ts';
import type { RoleCheck } from '../../session/roles.ts';
import { LaptopCard } from './laptop-card.tsx';
import type { Purchase } from './purchase.ts';
import type { Reportable } from './reporting.tsx';

const laptop: Laptop = {
  _id: '00000000-0000-4000-8000-000000000001',
  category_Id: 'HP',
  name: 'HP EliteBook 840 G8',
  location: 'Rotterdam, Netherlands',
  image: 'https://photos.example/a.webp',
  images: ['https://photos.example/a.webp'],
  description: { Processor: 'Core i7-1185G7', Memory: '16 GB', Notes: 'One scratch on the lid' },
  original_price: 1499,
  resale_price: 549.99,
  posted_time: '11/18/2026, 10:24:05 AM',
  sellers_name: 'Nadia Refurb',
  use_time: '2 years 3 months',
  mobile_number: '+31 6 1234 5678',
  condition: 'Excellent',
  paid: false,
  sellerVerified: true,
  advertisement: false,
};

const buyer: RoleCheck = { status: 'known', isBuyer: true, isSeller: false, isAdmin: false };
const purchase: Purchase = {
  isBooked: () => false,
  isWished: () => false,
  wishing: null,
  wish: () => {},
  book: async () => ({ acknowledged: true, message: '' }),
};

const reportable: Reportable = { reported: false, open: () => {} };

interface Shown {
  changes?: Partial<Laptop>;
  roles?: RoleCheck;
  done?: Partial<Purchase>;
  report?: Reportable | null;
}

function card({ changes, roles = buyer, done, report = reportable }: Shown = {}): string {
  return renderToStaticMarkup(
    <LaptopCard
      laptop={{ ...laptop, ...changes }}
      eager
      roles={roles}
      purchase={{ ...purchase, ...done }}
      report={report}
      onBook={() => {}}
    />,
  );
}

function button(html: string, label: string): string {
  return html.split('<button').find((part) => part.includes(`>${label}<`)) ?? 'no such button';
}

test('the card shows every field that the specification names', () => {
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
    'lg:h-[500px]',
  ]) {
    expect(html).toContain(shown);
  }
});

test('a seller whom nobody has checked is not called verified', () => {
  const html = card({ changes: { sellerVerified: false } });
  expect(html).toContain('Not Verified');
  expect(html).not.toContain('Verified Seller');
});

test('the configuration shows only with a Processor, the text always', () => {
  const html = card({ changes: { description: { Memory: '16 GB', Notes: 'One scratch' } } });
  expect(html).not.toContain('Product Configuration');
  expect(html).toContain('One scratch');
  expect(card({ changes: { description: 'Just a text' } })).toContain('Just a text');
});

test('what is booked or wished for already cannot be booked or wished for again', () => {
  const fresh = card();
  expect(button(fresh, 'Book now')).not.toContain('disabled=""');
  expect(button(fresh, 'Add to Wishlist')).not.toContain('disabled=""');
  const done = card({ done: { isBooked: () => true, isWished: () => true } });
  expect(button(done, 'Book now')).toContain('disabled=""');
  expect(button(done, 'Add to Wishlist')).toContain('disabled=""');
});

test('a seller sees why there is nothing to book', () => {
  const html = card({ roles: { status: 'known', isBuyer: false, isSeller: true, isAdmin: false } });
  expect(button(html, 'Book now')).toBe('no such button');
  expect(button(html, 'Add to Wishlist')).toBe('no such button');
  expect(html).toContain('Booking and the wishlist are for buyers. You are signed in as a seller.');
});

test('nothing can be booked before the role is known', () => {
  expect(button(card({ roles: { status: 'pending' } }), 'Book now')).toContain('disabled=""');
});

test('anybody but its owner can report a laptop, once', () => {
  expect(card()).toContain('Report this item');
  expect(card({ report: null })).not.toContain('Report this item');
  const again = card({ report: { ...reportable, reported: true } });
  expect(again).toContain('You reported this item');
  expect(again.split('<button').find((part) => part.includes('You reported'))).toContain('disabled=""');
});
