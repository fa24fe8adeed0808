import { describe, expect, test } from 'vitest';
import type { Address } from '#contract/sales/addresses.ts';
import type { AddressRules } from '#server/sales/addresses/address-rules.ts';

const lisbon: Address = {
  ...{ name: 'Bea Buyer', line1: 'Rua Nova 1', line2: undefined, city: 'Lisbon' },
  ...{ region: undefined, postalCode: '1100-001', country: 'PT' },
};
const california: Partial<Address> = { city: 'San Francisco', country: 'US', postalCode: '94107' };

/** What the postal rules of countries must do. */
export function testAddressRules(rules: AddressRules): void {
  describe('as the postal rules of countries', () => {
    test.each<[string, Partial<Address>, (keyof Address)[]]>([
      ['of its country', {}, []],
      ['with a code of another country', { postalCode: '94107' }, ['postalCode']],
      ['without a code', { postalCode: undefined }, ['postalCode']],
      ['without its state', california, ['region']],
      ['with its state', { ...california, region: 'CA' }, []],
      ['with its state in small letters', { ...california, region: 'ca' }, []],
      ['with a code of another state', { ...california, region: 'NY', postalCode: '90210' }, ['postalCode']],
      [
        'with a code of another state and its delivery route',
        { ...california, region: 'OR', postalCode: '94107-1234' },
        ['postalCode'],
      ],
      ['with a code that only its state has', { ...california, region: 'NY', postalCode: '06390' }, []],
      ['with a state that does not exist', { ...california, region: 'XX' }, ['region']],
      ['with the name of a state', { ...california, region: 'California' }, ['region']],
      ['with a code in small letters', { country: 'GB', postalCode: 'sw1a 1aa' }, []],
    ])('an address %s: %j has errors at %j', (_, changes, fields) => {
      const errors = rules.errorsOf({ ...lisbon, ...changes }, 'the country');
      expect(Object.keys(errors)).toEqual(fields);
      for (const error of Object.values(errors)) expect(error).toMatch(/^[A-Z].*[^.]$/);
    });

    test('knows countries by their letters, and no others', () => {
      expect(['PT', 'US', 'GB'].filter((country) => !rules.knows(country))).toEqual([]);
      expect(['XX', 'pt', 'any', ''].filter((country) => rules.knows(country))).toEqual([]);
    });

    test('prints an address in the order of its country', () => {
      expect(rules.linesOf({ ...lisbon, line2: '3 E' })).toEqual([
        ...['Bea Buyer', 'Rua Nova 1', '3 E', '1100-001 Lisbon'],
      ]);
      expect(rules.linesOf({ ...lisbon, ...california, region: 'CA' })).toEqual([
        ...['Bea Buyer', 'Rua Nova 1', 'San Francisco, CA 94107'],
      ]);
    });
  });
}
