import { expect, test } from 'vitest';
import { nameRefusal, namesTheShop } from './name-rules.ts';

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
  'ヤマダ たろう Yamada',
  'ジョン・スミス',
  '김민준 Kim',
  'محمد الأحمد',
  'فاطمه\u200Cزهرا',
  'ศรีสุข',
  'Sam Seller',
  'Ada Admin',
  'Buyer',
  'Comércio Silva',
  'C. Mercio',
  'Müller & Söhne',
  'J. R. Smith',
  'Nguyễn Thị Ánh',
  'Nguyễn Thị Ánh'.normalize('NFD'),
  'Support-Mayer',
  'Trust Moyo',
  'Vera Verified',
  'Maria da Conceição dos Santos Oliveira e Silva',
  'Meritxell Paral·lel',
  'Oʻtkir Hoshimov',
  '李小龍',
  'صَدَّام',
  'צ׳ארלס דרווין',
  'שָׁלוֹם',
  'क्षितिज श्रीवास्तव',
  'អ៊ុំ សុផល',
  'မြိုင်ကျွန်း',
  'བསྟན་འཛིན་རྒྱ་མཚོ'.replaceAll('་', ' '),
  'თამარ',
  'Արամ',
  'Seller 123456',
])('%s can be a name', (name) => {
  expect(nameRefusal(name, 'Coomercio')).toBeNull();
});

test.each([
  ['Latin with one letter of Cyrillic', 'Mаrta Lindqvist'],
  ['Latin with one letter of Greek', 'Αnna Smith'],
  ['a script with letters like Latin ones', 'ꓚꓳꓳꓟꓰꓣꓚꓲꓳ'],
  ['a letter of Latin in a name of Cyrillic', 'Mарта'],
  ['Japanese with Cyrillic', '山田 Марта'],
])('a name is refused for its scripts: %s', (_, name) => {
  expect(nameRefusal(name, 'Coomercio')).toContain('alphabet');
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
  '0fficial Store',
  'Coomercǀo',
  'Coomercɨo',
  'Coomeɍcio',
  'Cooᵯercio',
  'Coomercᶖo',
  'Cⱺⱺmercio',
  'Ↄoomercio Support',
  'C〇〇mercio',
  'Cㅇㅇmercㅣo',
  'C口口mercio',
  'C.口.口.mercio',
  'C○○mercio',
  'C○○○mercio',
  'C°°mercio',
  'C∞mercio',
  'COOMERC∣O',
  'Coomerc¡o',
  '(oomercio',
  'Paulo from C2omercio',
  'Customer Care',
  'Help Desk',
  'Payments Team',
  'Billing Support',
  'Marketplace Support',
  'Refund Department',
  'Trust and Safety',
  'Comercio Support',
  'Admin 1',
  'Admin1',
  'Former account',
  'The shop',
  'Paulo, Verified Seller',
])('%s is refused, because it could be taken for the shop', (name) => {
  expect(nameRefusal(name, 'Coomercio')).toContain('the shop itself');
});

test.each([
  ['Paulo ✔ top', 'signs'],
  ['Paulo ★★★★★ 4.9 (312)', 'signs'],
  ['Paulo <b>', 'signs'],
  ['=1+1', 'signs'],
  [`Z${'\u0301'.repeat(99)}`, 'accents'],
  ['Z\u0335\u0336\u0337', 'accents'],
  ['4.9', 'letters'],
  ['Your payment failed. Call the shop at +1 900 555 0100', 'signs'],
  ['Call 1 900 555 0100', 'telephone number'],
  ['Your payment failed and the shop must hear from you', 'words'],
])('%s is refused, because nobody is called so', (name, why) => {
  expect(nameRefusal(name, 'Coomercio')).toContain(why);
});

test('the names of laptops may have words of offices, and not the shop’s name', () => {
  expect(namesTheShop('ThinkPad T14, official refurbished', 'Coomercio')).toBe(false);
  expect(namesTheShop('ThinkPad T14 (C00mercio certified)', 'Coomercio')).toBe(true);
  expect(namesTheShop('Zorbatron X2 - C○○mercio Support', 'Coomercio')).toBe(true);
  expect(namesTheShop('联想小新 Co-mmerce 14 + Commercio dock', 'Coomercio')).toBe(false);
});
