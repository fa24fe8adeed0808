import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { theme, unreadablePairs } from './theme.ts';

test('the colours of a fresh shop can be read', () => {
  expect(unreadablePairs(theme)).toEqual([]);
});

test('a pair that cannot be read is named with its theme', () => {
  const pale = { ...theme, link: { light: '#ffd9a0', dark: '#cba8ec' } };
  expect(unreadablePairs(pale).map(({ front, behind, mode }) => [front, behind, mode])).toEqual([
    ['link', 'background', 'light'],
    ['link', 'surface', 'light'],
    ['link', 'subtle', 'light'],
    ['link', 'accent-soft', 'light'],
  ]);
});

test('no other file of the pages and the emails names a colour', async () => {
  const root = join(import.meta.dirname, '../..');
  const found: string[] = [];
  for await (const file of glob(['web/**/*.{ts,tsx,css}', 'emails/*.ts'], { cwd: root })) {
    // The marks of other companies and the colours on which a dead pixel shows are not of the theme.
    if (file === 'web/ui/tokens.css') continue;
    if (/#[0-9a-f]{6}\b|\brgb\(/i.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  }
  expect(found).toEqual([]);
});
