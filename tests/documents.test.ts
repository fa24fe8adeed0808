import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenReferences, documents, falseClaims, pathsIn, titlesIn } from '../scripts/documents.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.each(documents)('%s', (document) => {
  test('names only paths, test titles and claims that hold', () => {
    expect(brokenReferences(document)).toEqual([]);
  });
});

test('each statement in security.md names a test or is marked “Open”, “Not here” or “By construction”', () => {
  const chapters = read('docs/security.md')
    .split(/^## (?=V\d+ )/m)
    .slice(1);
  expect(chapters).toHaveLength(17);
  const unproven = chapters.flatMap((chapter) => {
    const [heading = '', ...rest] = chapter.split('\n');
    const lines = rest
      .join('\n')
      .split(/^- /m)
      .slice(1)
      .map((line) => line.replace(/\s+/g, ' '));
    if (lines.length === 0 && !rest.join('\n').includes('Does not apply')) return [heading];
    return lines
      .filter((line) => !/^(Open|Not here|By construction):/.test(line))
      .filter((line) => !/`(?:[\w./-]+\.(?:test|spec)\.tsx?|tests\/[\w./-]+)`/.test(line))
      .map((line) => `${heading}: ${line.slice(0, 80)}`);
  });
  expect(unproven).toEqual([]);
});

test('finds the paths and test titles in security.md', () => {
  expect(pathsIn(read('docs/security.md')).length).toBeGreaterThan(40);
  expect(titlesIn(read('docs/security.md')).length).toBeGreaterThan(3);
});

test('finds names and numbers that the schema and the code do not have', () => {
  const text =
    'The constraint `one_cow_per_order` (`NO_SUCH_LIMIT`), `MAXIMUM_PHOTOS = 9`, the table `order_events`, `no_such_code`.\n\nCows rest for 12 hours.';
  expect(falseClaims(text)).toEqual([
    'The schema has no constraint one_cow_per_order.',
    expect.stringContaining('MAXIMUM_PHOTOS is not 9'),
    'Neither the code nor the schema has one_cow_per_order.',
    'Neither the code nor the schema has NO_SUCH_LIMIT.',
    'Neither the code nor the schema has no_such_code.',
    'Beside “12 hours” stands neither a constant nor a test.',
  ]);
});

test('accepts names and numbers that the schema and the code have', () => {
  expect(falseClaims('`MAXIMUM_PHOTOS = 8`, the table `laptop_photos`, `database_unavailable`')).toEqual([]);
});

test('the documents have at most 20,000 words', () => {
  const words = documents.flatMap((document) => read(document).split(/\s+/).filter(Boolean));
  expect(words.length).toBeLessThanOrEqual(20_000);
});
