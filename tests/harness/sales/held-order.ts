import type { OrderedLaptop } from '#server/sales/orders/rules.ts';

const now = new Date('2026-11-20T12:00:00Z');
const dueAt = new Date('2026-11-27T12:00:00Z');

/** A paid order of a meeting, for tests of rules without a database. */
export const heldOrder: OrderedLaptop = {
  ...{ id: 'order', number: '1', booking_id: 'booking', laptop_id: 'laptop', transaction_id: 'pi_1' },
  ...{ buyer_id: 'buyer', seller_id: 'seller', buyer_name: 'Bea Buyer', seller_name: 'Sam Seller' },
  ...{
    price_cents: 54_999,
    commission_cents: 2_799,
    refunded_cents: 0,
    goodwill_cents: 0,
    released_at: null,
  },
  ...{ placed_at: now, state: 'held', state_since: now, stands: true, due_at: dueAt, disputed_in: null },
  promised_until: dueAt,
  ...{ cancel_reason: null, in_complaint: false, laptop_with_buyer: false },
  ...{ handover_code: '123456', wrong_codes: 0, codes_locked_until: null },
  ...{ laptop_name: 'EliteBook', laptop_images: ['/photos/first', '/photos/second'] },
  ...{ has_certificate: true, is_measured: false, seller_ended_at: null },
  ...{ seller_reviews: null, seller_stars: null, buyer_reviews: null, buyer_stars: null },
  ...{
    delivery: 'meet',
    shipped_at: null,
    delivered_at: null,
    reminded_in: null,
    is_put_off: false,
    ship_name: null,
  },
  ...{ ship_line1: null, ship_line2: null, ship_city: null, ship_region: null, ship_postal_code: null },
  ...{ ship_country: null, news: null },
};
