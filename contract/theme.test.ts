import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ThemeColor, theme } from './theme.ts';

/** The relative luminance of a colour, by WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const { background, surface, subtle, foreground, muted, link, accent, success, danger } = theme;
const pages = { background, surface, subtle };

/** The pairs of text and its background. */
const pairs: [name: string, text: ThemeColor, behind: ThemeColor][] = [
  ...Object.entries({ foreground, muted, link, success, danger, warning: theme.warning }).flatMap(
    ([role, text]) =>
      Object.entries(pages).map(([page, behind]): [string, ThemeColor, ThemeColor] => [
        `${role} on ${page}`,
        text,
        behind,
      ]),
  ),
  ['on-primary on primary', theme['on-primary'], theme.primary],
  ['on-primary on primary-hover', theme['on-primary'], theme['primary-hover']],
  ['foreground on primary-soft', foreground, theme['primary-soft']],
  ['accent on accent-soft', accent, theme['accent-soft']],
  ['success on success-soft', success, theme['success-soft']],
  ['danger on danger-soft', danger, theme['danger-soft']],
];

test.each(pairs)('%s has a contrast of 4.5 in both themes', (_, text, behind) => {
  expect(contrast(text.light, behind.light)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(text.dark, behind.dark)).toBeGreaterThanOrEqual(4.5);
});

test('no other file of the pages and the emails names a colour', async () => {
  const root = join(import.meta.dirname, '..');
  const found: string[] = [];
  for await (const file of glob(['web/**/*.{ts,tsx,css}', 'emails/*.ts'], { cwd: root })) {
    // The marks of other companies and the colours on which a dead pixel shows are not of the theme.
    if (file === 'web/ui/tokens.css') continue;
    if (/#[0-9a-f]{6}\b|\brgb\(/i.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  }
  expect(found).toEqual([]);
});
