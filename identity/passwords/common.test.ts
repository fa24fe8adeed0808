import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { isCommon } from './common.ts';
import { isInBreach } from './range.ts';

it.each([
  'Password1!',
  'P@ssw0rd',
  'Passw0rd!',
  'Summer2026!',
  'Qwerty123!',
  'Welcome@123',
  '!QAZ2wsx',
  'Zaq1@wsx',
  '1qaz!QAZ',
  'Letmein#1',
  'Dragon!23',
  'Michael#1985',
  '123Iloveyou!',
  'ＰａｓｓＷｏｒｄ１!',
])('%s is a word that everybody tries, however it is dressed', (password) => {
  expect(isCommon(password)).toBe(true);
});

it.each(['Orchid#7Lantern', 'Blue#Kettle42', 'Zebra!Quill9', 'Xk4#vLq9', 'Coomercio#2018', 'Ünbekannt#42'])(
  '%s is not',
  (password) => {
    expect(isCommon(password)).toBe(false);
  },
);

it('knows the words of an account itself', () => {
  expect(isCommon('Zwetschgenkuchen#1')).toBe(false);
  expect(isCommon('Zwetschgenkuchen#1', ['zwetschgenkuchen'])).toBe(true);
  expect(isCommon('Xk4#vLq9', ['xk'])).toBe(false);
});

it('asks the range service with five digits of the hash and nothing else, and believes no padding', async () => {
  const asked: (string | undefined)[] = [];
  // The SHA-1 of Orchid#7Lantern is 2167A 0CB2C608BED9A7361DDD193E7179C1529C9.
  const rest = '0CB2C608BED9A7361DDD193E7179C1529C9';
  let count = 3;
  const service = createServer((request, response) => {
    asked.push(request.url);
    response.end(`0000000000000000000000000000000000A:9\r\n${rest}:${count}\r\n`);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/range`;
  try {
    expect(await isInBreach('Orchid#7Lantern', url)).toBe(true);
    count = 0;
    expect(await isInBreach('Orchid#7Lantern', url)).toBe(false);
    expect(asked).toEqual(['/range/2167A', '/range/2167A']);
  } finally {
    service.close();
  }
});
