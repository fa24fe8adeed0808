import { expect, test } from 'vitest';
import { nameObjection, namesTheShop } from './name-rules.ts';

test.each([
  'Paulo Pinto',
  'José-María O’Neill',
  'Łukasz Żółć',
  'Søren Ærø',
  'Comércio de Portáteis, Lda',
  'Commercio Rossi',
  'Laptop Store 24',
  'Anna Staff',
  'Марта Линдквист',
  'Ελένη Παπαδοπούλου',
  '山田 太郎',
  'ヤマダ たろう (Yamada)',
  '김민준 Kim',
  'محمد الأحمد',
  'فاطمه\u200Cزهرا',
  'ศรีสุข',
  'Sam Seller',
  'Ada Admin',
  'Buyer',
])('%s can be a name', (name) => {
  expect(nameObjection(name)).toBeNull();
});

test.each([
  ['Latin with one letter of Cyrillic', 'Mаrta Lindqvist'],
  ['Latin with one letter of Greek', 'Αnna Smith'],
  ['a script with letters like Latin ones', 'ꓚꓳꓳꓟꓰꓣꓚꓲꓳ'],
  ['a letter of Latin in a name of Cyrillic', 'Mарта'],
  ['Japanese with Cyrillic', '山田 Марта'],
])('a name is refused for its scripts: %s', (_, name) => {
  expect(nameObjection(name)).toContain('alphabet');
});

test.each([
  'Coomercio',
  'Coomercio Official Store',
  'COOMERCIO support',
  'Ana of coomercio.example',
  'C o o m e r c i o',
  'C.o.o.m.e.r.c.i.o',
  'C00merc1o',
  'Coomerclo',
  'Coornercio',
  'Coooomerciooo',
  'Coo\u200Bmercio',
  'Côömérçïó',
  'Ｃｏｏｍｅｒｃｉｏ',
  '𝐂𝐨𝐨𝐦𝐞𝐫𝐜𝐢𝐨',
  'Ⓒⓞⓞⓜⓔⓡⓒⓘⓞ',
  '🅲🅾🅾🅼🅴🆁🅲🅸🅾',
  'ᴄᴏᴏᴍᴇʀᴄɪᴏ',
  'СООМЕРСІО',
  'Соомегсио',
  'Admin',
  'Official Support Team',
  'Customer Service',
  'Verified Seller',
  '0fficial $tore',
])('%s is refused, because it could be taken for the shop', (name) => {
  expect(nameObjection(name)).toContain('the shop itself');
});

test('the names of laptops may have words of offices, and not the shop’s name', () => {
  expect(namesTheShop('ThinkPad T14, official refurbished')).toBe(false);
  expect(namesTheShop('ThinkPad T14 (C00mercio certified)')).toBe(true);
});
