import type { LaptopDetails } from '#contract/listings/laptop-schemas.ts';

/** A laptop for sale, of which nothing was measured. */
export const exampleLaptop: LaptopDetails = {
  _id: '00000000-0000-4000-8000-000000000001',
  category_Id: 'HP',
  name: 'HP EliteBook 840 G8',
  location: 'Rotterdam',
  image: 'https://photos.example/a.webp',
  images: ['https://photos.example/a.webp'],
  facts: { memory: 16, storage: 1024 },
  description: { Memory: '16 GB DDR4' },
  original_price: 1499,
  resale_price: 549.99,
  posted_time: '11/18/2026, 10:24:05 AM',
  sellers_name: 'Nadia',
  seller_id: '00000000-0000-4000-8000-000000000002',
  use_time: '2 years',
  condition: 'Excellent',
  delivery: 'meet',
  paid: false,
  level: 'word',
  sellerVerified: true,
  seller_checks: null,
  advertisement: true,
  lowest_price: 549.99,
  listed_at: '2026-11-18T10:24:05Z',
  seller_since: '2026-10',
};
