import { describe, expect, test } from 'vitest';
import { type MachineListing, sameMachineFindings } from './rules.ts';

const listing = (id: string, overrides: Partial<MachineListing> = {}): MachineListing => ({
  id,
  sellerId: `seller of ${id}`,
  phone: '+351 911 111 111',
  state: 'available',
  stateSince: new Date('2026-11-01'),
  buyerPhone: null,
  firstMeasuredAt: new Date('2026-11-01T10:00:00Z'),
  isStolen: false,
  ...overrides,
});
const sold = (id: string, buyerPhone: string, overrides: Partial<MachineListing> = {}) =>
  listing(id, { state: 'sold', buyerPhone, ...overrides });

/** The findings without the sentences that all have. */
const findings = (...listings: MachineListing[]) =>
  sameMachineFindings(listings).map(({ laptopId, otherLaptopId, note }) => [
    laptopId,
    otherLaptopId,
    note.replace(/^Both laptops report [^.]*\. [^.]* measured with it first[^.]*\. /, ''),
  ]);

describe('the same machine', () => {
  test('in two listings for sale is reported in both', () => {
    expect(findings(listing('a'), listing('b'))).toEqual([
      ['a', 'b', 'Another seller offers it at the same time.'],
      ['b', 'a', 'Another seller offers it at the same time.'],
    ]);
    expect(findings(listing('a', { sellerId: 's' }), listing('b', { sellerId: 's' }))).toMatchObject([
      ['a', 'b', 'The same seller offers it in two listings at the same time.'],
      ['b', 'a', expect.anything()],
    ]);
  });

  test('is reported with the listing that was measured with the serial number first', () => {
    const copied = listing('b', { firstMeasuredAt: new Date('2026-11-03T08:30:00Z') });
    const notes = sameMachineFindings([listing('a'), copied]).map(({ note }) => note);
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
    expect(findings(sold('a', '911 222 333'), listing('b', { phone: '+351 911 222 333' }))).toEqual([]);
  });

  test('can be sold on and on, by its last buyer only', () => {
    const first = sold('a', '911 222 333', { stateSince: new Date('2026-01-01') });
    const second = sold('b', '911 444 555', { stateSince: new Date('2026-06-01') });
    expect(findings(second, first, listing('c', { phone: '+351911444555' }))).toEqual([]);
    expect(findings(second, first, listing('c', { phone: '+351911222333' }))).toMatchObject([
      ['c', 'b', expect.stringContaining('another telephone number')],
      ['c', 'a', expect.anything()],
    ]);
  });

  test('that was sold is reported when its seller offers it again, also with the buyer’s number', () => {
    const again = listing('b', { sellerId: 's', phone: '911 222 333' });
    expect(findings(sold('a', '911 222 333', { sellerId: 's' }), again)).toEqual([
      ['b', 'a', 'The same seller has already sold it here.'],
    ]);
  });

  test('is not told by numbers that were removed with an account', () => {
    expect(findings(sold('a', 'removed'), listing('b', { phone: 'removed' }))).toHaveLength(1);
  });

  test('that was reported as stolen is reported, also when its buyer sells it', () => {
    const stolen = sold('a', '911 222 333', { isStolen: true });
    expect(findings(stolen, listing('b', { phone: '911 222 333' }))).toEqual([
      ['b', 'a', 'The other listing was reported as stolen.'],
    ]);
  });

  test.each([
    ['taken_down', 's', 1],
    ['taken_down', 'other', 1],
    ['withdrawn', 'other', 1],
    ['withdrawn', 's', 0],
  ] as const)('beside a %s listing of seller %s gives %i report', (state, sellerId, count) => {
    expect(findings(listing('a', { sellerId: 's' }), listing('b', { state, sellerId }))).toHaveLength(count);
  });
});
