import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { subsetFonts } from './subset-fonts.ts';

test('the fonts of every page have at most 60 kB together, the blog’s 25 kB, and are subset once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-fonts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const aliases = await subsetFonts(folder);
  const fonts = await Promise.all(aliases.map(({ replacement }) => readFile(replacement)));
  expect(fonts.map((font) => font.toString('latin1', 0, 4))).toEqual(['wOF2', 'wOF2', 'wOF2']);
  const [display, text, code] = fonts.map((font) => font.length);
  expect((display ?? 0) + (text ?? 0)).toBeLessThanOrEqual(60_000);
  expect(code).toBeLessThanOrEqual(25_000);

  const before = await Promise.all(aliases.map(({ replacement }) => stat(replacement)));
  expect(await subsetFonts(folder)).toEqual(aliases);
  const after = await Promise.all(aliases.map(({ replacement }) => stat(replacement)));
  expect(after.map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino));
  expect(await readdir(folder)).toHaveLength(aliases.length);
});

test('replaces the packages’ files, also in imports with a query', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-fonts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [face] = await subsetFonts(folder);
  const file = '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2';
  expect(`${file}?url`.replace(face?.find ?? '', 'cut')).toBe('cut?url');
  expect(file.replace('latin', 'latin-ext')).not.toMatch(face?.find ?? /$^/);
});
