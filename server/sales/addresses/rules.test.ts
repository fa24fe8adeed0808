import { expect, test } from 'vitest';
import { testAddressRules } from '#tests/harness/ports/address-rules.ts';
import { libraryAddressRules } from './library-address-rules.ts';
import { addressErrors } from './rules.ts';

testAddressRules(libraryAddressRules);

const address = {
  ...{ name: 'Bea Buyer', line1: 'Rua Nova 1', line2: undefined, city: 'Lisbon' },
  ...{ region: undefined, postalCode: '94107', country: 'PT' },
};

test.each(['PR', 'GU', 'VI', 'AS', 'MP', 'AA', 'AE', 'ap'])(
  'a parcel to %s would fly, and is refused with that reason',
  (region) => {
    const errors = addressErrors({ ...address, region, postalCode: '00901', country: 'US' }, 'US');
    expect(errors).toEqual({
      region: `Parcels to ${region.toUpperCase()} fly, and a laptop’s battery may not`,
    });
  },
);

test('a laptop is sent in its country only, where the address has to be right', () => {
  expect(addressErrors(address, 'PT')).toEqual({ postalCode: 'This is no postal code of Portugal' });
  expect(addressErrors(address, 'ES')).toEqual({
    country: 'This laptop is sent within Spain only, because of its battery',
  });
});
