import { afterAll, beforeAll, expect, test } from 'vitest';
import { askPhoneCode, readOwnPhone } from '#contract/people/phone-checks.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { changeListing, readForm } from '#tests/harness/listings/change-listing.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { formatPhone, readPhone, requirePhone } from './phone-numbers.ts';

test.each([
  ['+351 912 345 678', null, '+351912345678', '+351 912 345 678'],
  ['912 345 678', 'PT', '+351912345678', '+351 912 345 678'],
  ['351912345678', 'PT', '+351912345678', '+351 912 345 678'],
  ['(555) 010-1234', 'US', '+15550101234', '+1 555 010 1234'],
  ['+44 (0)20 7946 0018', 'PT', '+442079460018', '+44 20 7946 0018'],
  ['+351(0)912345678', 'PT', '+351912345678', '+351 912 345 678'],
  ['00351 (0) 912 345 678', null, '+351912345678', '+351 912 345 678'],
  ['+39 (0)6 6982 1234', 'PT', '+390669821234', '+39 06 6982 1234'],
  ['+1 503 555 0199 ext. 12', null, '+15035550199;ext=12', '+1 503 555 0199 ext. 12'],
] as const)('stores %s in a shop of %s as %s', (text, country, stored, shown) => {
  expect(readPhone(text, country)).toEqual({ stored });
  expect(formatPhone(stored)).toBe(shown);
  expect(readPhone(shown, null)).toEqual({ stored });
});

test.each([
  [
    '912 345 67',
    'PT',
    'This number has too few digits for Portugal (+351). A number of another country begins with + and its code',
  ],
  [
    '0912 345 678',
    'PT',
    'This number has too many digits for Portugal (+351). A number of another country begins with + and its code',
  ],
  ['+351 912 345 67', null, 'This number has too few digits for Portugal (+351)'],
  ['+351 (0)912 345 67', 'PT', 'This number has too few digits for Portugal (+351)'],
  ['+1 555 0100', null, 'This number has too few digits for +1'],
  ['+999 123 4567', 'PT', 'No country has the code with which +999 123 4567 begins'],
  ['912 345 678', null, 'Begin with + and the country code, such as +351 912 345 678'],
] as const)('says what is wrong with %s in a shop of %s', (text, country, refusal) => {
  expect(readPhone(text, country)).toEqual({ refusal });
});

test('a shop without a country keeps what it cannot read, and shows it unchanged', () => {
  for (const phone of ['911 222 333', '(555) 010-1234', '+1 555 0100', '555 0100 ext. 12']) {
    expect(requirePhone({ phone }, 'phone', { shop: () => defaultShopSettings })).toBe(phone);
    expect(formatPhone(phone)).toBe(phone);
  }
  expect(formatPhone('removed')).toBe('removed');
});

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop({ settings: { country: 'PT' } });
});
afterAll(() => shop.close());

const pasted = '\u202A912\u00A0345\u00A0678\u202C';
const shown = '+351 912 345 678';
const tooFewDigits = expect.stringContaining('too few digits for Portugal');

test('the numbers of a booking and of a laptop are stored as E.164, and shown as their country writes them', async () => {
  const [seller, buyer] = await Promise.all([shop.seller(), shop.buyer()]);
  const laptopId = await shop.laptop(seller, { mobile_number: 912345678 });
  const stored = async () =>
    (
      await shop.connection.pool.query(
        'select phone, mobile_number from bookings join laptops on laptops.id = laptop_id',
      )
    ).rows;

  await expect(shop.booking(buyer, laptopId, { phone: '912 345' })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: { phone: tooFewDigits },
  });
  await shop.booking(buyer, laptopId, { phone: pasted });
  expect(await stored()).toEqual([{ phone: '+351912345678', mobile_number: '+351912345678' }]);
  expect(await buyer.client.call(listBookings, { query: {} })).toMatchObject([
    { phone: shown, sellerPhone: shown },
  ]);
  expect(await readForm(seller, laptopId)).toMatchObject({ mobile_number: shown });

  await expect(changeListing(seller, laptopId, { mobile_number: '912 345' })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: { mobile_number: tooFewDigits },
  });
  await expect(shop.laptop(seller, { mobile_number: '912 345' })).rejects.toMatchObject({
    errors: { mobile_number: tooFewDigits },
  });
  await changeListing(seller, laptopId, { mobile_number: '+1 (503) 555-0199' });
  expect(await stored()).toEqual([{ phone: '+351912345678', mobile_number: '+15035550199' }]);
});

test('a code is sent to a national number of the shop’s country, and not to an extension', async () => {
  const seller = await shop.seller();
  const ask = (phone: string) => seller.client.call(askPhoneCode, { body: { phone } });
  await expect(ask('912 345 67')).rejects.toMatchObject({
    errors: { phone: expect.stringContaining('too few digits') },
  });
  await expect(ask('912 345 678 ext. 5')).rejects.toMatchObject({
    errors: { phone: 'A text message cannot be sent to an extension' },
  });
  await ask(pasted);
  expect((await seller.client.call(readOwnPhone, {})).code?.phone).toBe(shown);
});
