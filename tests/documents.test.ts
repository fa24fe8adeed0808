import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenReferences, documents, pathsIn, titlesIn } from '../scripts/documents.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.each(documents)('%s', (document) => {
  test('names only paths, test titles and lines of code that exist', () => {
    expect(brokenReferences(document)).toEqual([]);
  });
});

test('each statement in security.md names a test or is marked “Open”, “Not here” or “By its making”', () => {
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
      .filter((line) => !/^(Open|Not here|By its making):/.test(line))
      .filter((line) => !/`(?:[\w./-]+\.(?:test|spec)\.tsx?|tests\/[\w./-]+)`/.test(line))
      .map((line) => `${heading}: ${line.slice(0, 80)}`);
  });
  expect(unproven).toEqual([]);
});

test('finds the paths and test titles in security.md', () => {
  expect(pathsIn(read('docs/security.md')).length).toBeGreaterThan(40);
  expect(titlesIn(read('docs/security.md')).length).toBeGreaterThan(3);
});
