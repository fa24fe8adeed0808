import { expect, test } from 'vitest';
import { codeOf, isCode, isServedNumber, messageText, nextDay, numberSubject } from './rules.ts';

const key = new Uint8Array(32).fill(1);
const ids = Array.from({ length: 2_000 }, () => crypto.randomUUID());

test('a code has six digits, is the same for the same id, and depends on the key', () => {
  const other = new Uint8Array(32).fill(2);
  for (const id of ids) expect(codeOf(key, id)).toMatch(/^\d{6}$/);
  const [id = ''] = ids;
  expect(codeOf(key, id)).toBe(codeOf(key, id));
  expect(ids.filter((each) => codeOf(key, each) === codeOf(other, each)).length).toBeLessThan(5);
  // Codes with a leading zero are a tenth of all.
  const zeros = ids.filter((each) => codeOf(key, each).startsWith('0')).length;
  expect(zeros).toBeGreaterThan(100);
  expect(zeros).toBeLessThan(320);
});

test('a typed code is compared without spaces', () => {
  const [id = ''] = ids;
  const code = codeOf(key, id);
  expect(isCode(key, id, code)).toBe(true);
  expect(isCode(key, id, `${code.slice(0, 3)} ${code.slice(3)}`)).toBe(true);
  expect(isCode(key, id, String((Number(code) + 1) % 1_000_000).padStart(6, '0'))).toBe(false);
  expect(isCode(key, id, code.slice(1))).toBe(false);
});

test('a number is counted under a name that does not contain it', () => {
  const subject = numberSubject(key, '+351912345678');
  expect(subject).toMatch(/^[\w-]{43}$/);
  expect(numberSubject(new Uint8Array(32), '+351912345678')).not.toBe(subject);
});

test.each([
  ['+351912345678', [], true],
  ['+351912345678', ['+351'], true],
  ['+34612345678', ['+351'], false],
  ['+34612345678', ['+351', '+34'], true],
] as const)('%s with the prefixes %j: %s', (phone, prefixes, isServed) =>
  expect(isServedNumber(phone, prefixes)).toBe(isServed),
);

test('a message fits one SMS of 160 characters for hosts of up to 41', () => {
  const host = `${'s'.repeat(33)}.example`;
  expect(host).toHaveLength(41);
  const text = messageText('012345', host);
  expect(text.length).toBeLessThanOrEqual(160);
  // ASCII without the characters that the alphabet of SMS lacks.
  expect(text).toMatch(/^[A-Za-z0-9 .@#\n]+$/);
  expect(text.split('\n').at(-1)).toBe(`@${host} #012345`);
});

test('the next day begins at midnight in UTC', () => {
  expect(nextDay(new Date('2026-12-31T23:59:59.999Z')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});
