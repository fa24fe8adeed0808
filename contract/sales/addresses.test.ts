import { expect, test } from 'vitest';
import { Address } from './addresses.ts';
import { Sender } from './labels.ts';

const portland = {
  ...{ name: 'Bea Buyer', line1: '1 Burnside St', line2: '', city: 'Portland' },
  ...{ region: 'OR', postalCode: '97205', country: 'US' },
};

/** The errors of an address by their fields. */
const errorsOf = (changes: Partial<typeof portland>) =>
  Object.fromEntries(
    (Address.safeParse({ ...portland, ...changes }).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  );

test.each([
  ['or', 'OR'],
  ['Oregon', 'OR'],
  ['new  york', 'NY'],
  ['Puerto Rico', 'PR'],
])('the state %s is understood as %s, of recipients and of senders', (region, letters) => {
  expect(Address.parse({ ...portland, region }).region).toBe(letters);
  expect(Sender.parse({ ...portland, region, phone: '+1 503 555 0100' }).region).toBe(letters);
});

test('all that is wrong with an address in the United States is said at once, by its case', () => {
  const stateError = 'Enter a state, such as OR or Oregon';
  expect(errorsOf({ name: '', line1: '', city: '', region: '', postalCode: '' })).toEqual({
    name: 'Name the person who receives the parcel',
    line1: 'Street and house number are required',
    city: 'The city is required',
    region: stateError,
    postalCode: 'Enter the ZIP code',
  });
  expect(errorsOf({ region: 'Orgeon', postalCode: '9720' })).toEqual({
    region: stateError,
    postalCode: 'A ZIP code has five digits, such as 97205',
  });
  expect(errorsOf({})).toEqual({});
});

test('addresses of other countries have no state of the United States, and keep their region', () => {
  const address = { ...portland, region: 'Oregon', postalCode: '1100-001', country: 'PT' };
  expect(Address.parse(address).region).toBe('Oregon');
  expect(errorsOf({ ...address, region: '', postalCode: '' })).toEqual({});
});
