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

/** The ZIP codes of the capitals. */
const capitals =
  'AL 36104 AK 99801 AZ 85007 AR 72201 CA 95814 CO 80203 CT 06106 DE 19901 DC 20500 FL 32399 GA 30334 HI 96813 ID 83702 IL 62701 IN 46225 IA 50319 KS 66612 KY 40601 LA 70802 ME 04330 MD 21401 MA 02133 MI 48933 MN 55155 MS 39201 MO 65101 MT 59601 NE 68509 NV 89701 NH 03301 NJ 08608 NM 87501 NY 12224 NC 27601 ND 58505 OH 43215 OK 73105 OR 97301 PA 17120 RI 02903 SC 29201 SD 57501 TN 37243 TX 78701 UT 84103 VT 05633 VA 23219 WA 98504 WV 25305 WI 53703 WY 82001';

test('a ZIP code belongs to its state only, and another one is asked about at the code', () => {
  const pairs = capitals.match(/[A-Z]{2} \d{5}/g)?.map((pair) => pair.split(' ')) ?? [];
  const states = pairs.map(([state]) => state);
  expect(states).toHaveLength(51);
  for (const [state, postalCode] of pairs) {
    const fitting = states.filter(
      (region) =>
        Object.keys(addressErrors({ ...address, region, postalCode, country: 'US' }, 'US')).length === 0,
    );
    expect(fitting).toEqual([state]);
  }
  expect(addressErrors({ ...address, region: 'ny', postalCode: '90210', country: 'US' }, 'US')).toEqual({
    postalCode: 'The ZIP code 90210 is not in NY: one of them is wrong',
  });
});

test('a laptop is sent in its country only, where the address has to be right', () => {
  expect(addressErrors(address, 'PT')).toEqual({ postalCode: 'This is no postal code of Portugal' });
  expect(addressErrors(address, 'ES')).toEqual({
    country: 'This laptop is sent within Spain only, because of its battery',
  });
});
