import { expect, test } from 'vitest';
import type { Address } from '#contract/sales/addresses.ts';
import { addressErrors } from './rules.ts';

const address = (changes: Partial<Address>): Address => ({
  ...{ name: 'Bea Buyer', line1: 'Rua Nova 1', line2: undefined, city: 'Lisbon' },
  ...{ region: undefined, postalCode: '1100-001', country: 'PT' },
  ...changes,
});

test.each<[string, Partial<Address>, string, Record<string, string>]>([
  ['of its country', {}, 'PT', {}],
  [
    'with a code of another country',
    { postalCode: '94107' },
    'PT',
    { postalCode: 'This is no postal code of Portugal' },
  ],
  ['without a code', { postalCode: undefined }, 'PT', { postalCode: 'This is no postal code of Portugal' }],
  [
    'without its state',
    { country: 'US', postalCode: '94107' },
    'US',
    { region: 'The state, province or county is required' },
  ],
  ['with its state', { country: 'US', postalCode: '94107', region: 'CA' }, 'US', {}],
  ['with a code in small letters', { country: 'GB', postalCode: 'sw1a 1aa' }, 'GB', {}],
  [
    'in another country',
    { country: 'ES' },
    'PT',
    { country: 'This laptop is sent within Portugal only, because of its battery' },
  ],
])('an address %s has the errors %j', (_, changes, shipsFrom, errors) => {
  expect(addressErrors(address(changes), shipsFrom)).toEqual(errors);
});
