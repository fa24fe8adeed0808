import { describe, expect, test } from 'vitest';
import { type LastSale, type MachineListing, sameMachineFindings } from './rules.ts';

const listing = (id: string, overrides: Partial<MachineListing> = {}): MachineListing => ({
  id,
  sellerId: `seller of ${id}`,
  phone: '+351 911 111 111',
  state: 'available',
  firstMeasuredAt: new Date('2026-11-01T10:00:00Z'),
  isStolen: false,
  ...overrides,
});
const sold = (id: string, overrides: Partial<MachineListing> = {}) =>
  listing(id, { state: 'sold', ...overrides });
const saleOf = ({ sellerId }: MachineListing, buyerPhone: string): LastSale => ({
  sellerId,
  buyerId: 'buyer',
  buyerPhone,
});

/** The findings without the sentences that all have. */
const findings = (own: MachineListing, others: MachineListing[], lastSale: LastSale | null = null) =>
  sameMachineFindings(own, others, lastSale).map(({ laptopId, otherLaptopId, note }) => [
    laptopId,
    otherLaptopId,
    note.replace(/^Both laptops report [^.]*\. [^.]* measured with it first[^.]*\. /, ''),
  ]);

describe('the same machine', () => {
  test('in two listings for sale is reported in both', () => {
    expect(findings(listing('a'), [listing('b')])).toEqual([
      ['a', 'b', 'Another seller offers it at the same time.'],
      ['b', 'a', 'Another seller offers it at the same time.'],
    ]);
    expect(findings(listing('a', { sellerId: 's' }), [listing('b', { sellerId: 's' })])).toMatchObject([
      ['a', 'b', 'The same seller offers it in two listings at the same time.'],
      ['b', 'a', expect.anything()],
    ]);
  });

  test('is reported with the listing that was measured with the serial number first', () => {
    const copied = listing('b', { firstMeasuredAt: new Date('2026-11-03T08:30:00Z') });
    const notes = sameMachineFindings(listing('a'), [copied], null).map(({ note }) => note);
    expect(notes).toEqual([
      expect.stringContaining(
        'This listing was measured with it first, on 2026-11-01 10:00 UTC; the other on 2026-11-03 08:30 UTC.',
      ),
      expect.stringContaining(
        'The other listing was measured with it first, on 2026-11-01 10:00 UTC; this one on 2026-11-03 08:30 UTC.',
      ),
    ]);
  });

  test('can be sold again by its buyer, who has the telephone number of the paid order', () => {
    const bought = sold('a');
    const sale = saleOf(bought, '911 222 333');
    expect(findings(listing('b', { phone: '+351 911 222 333' }), [bought], sale)).toEqual([]);
  });

  test('can be sold on and on, by its last buyer only', () => {
    const [first, second] = [sold('a'), sold('b')];
    const sale = saleOf(second, '911 444 555');
    expect(findings(listing('c', { phone: '+351911444555' }), [first, second], sale)).toEqual([]);
    expect(findings(listing('c', { phone: '+351911222333' }), [second, first], sale)).toMatchObject([
      ['c', 'b', expect.stringContaining('another telephone number')],
      ['c', 'a', expect.anything()],
    ]);
  });

  test('can be sold by its last buyer with the account that bought it, whatever the telephone number', () => {
    const before = sold('a');
    const own = listing('b', { sellerId: 'buyer', phone: '911 777 888' });
    expect(findings(own, [before], saleOf(before, '911 444 555'))).toEqual([]);
  });

  test('that was sold is reported when its seller offers it again, also with the buyer’s number', () => {
    const again = listing('b', { sellerId: 's', phone: '911 222 333' });
    const before = sold('a', { sellerId: 's' });
    expect(findings(again, [before], saleOf(before, '911 222 333'))).toEqual([
      ['b', 'a', 'The same seller has already sold it here.'],
    ]);
  });

  test('is not told by numbers that were removed with an account', () => {
    const before = sold('a');
    const own = listing('b', { phone: 'removed' });
    expect(findings(own, [before], saleOf(before, 'removed'))).toHaveLength(1);
  });

  test('that was reported as stolen is reported, also when its buyer sells it', () => {
    const stolen = sold('a', { isStolen: true });
    const own = listing('b', { phone: '911 222 333' });
    expect(findings(own, [stolen], saleOf(stolen, '911 222 333'))).toEqual([
      ['b', 'a', 'The other listing was reported as stolen.'],
    ]);
  });

  test.each([
    ['taken_down', 's', 1],
    ['taken_down', 'other', 1],
    ['withdrawn', 'other', 1],
    ['withdrawn', 's', 0],
    ['blocked', 's', 1],
    ['blocked', 'other', 1],
  ] as const)('beside a %s listing of seller %s gives %i report', (state, sellerId, count) => {
    expect(findings(listing('a', { sellerId: 's' }), [listing('b', { state, sellerId })])).toHaveLength(
      count,
    );
  });
});
