import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The tops of paths that a document may name. */
const rooms = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && entry.name !== 'build')
  .map(({ name }) => name);

/** Files and folders of the project that a text names, each once. */
function pathsIn(text: string): string[] {
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)(?:#\w+)?`/g)].map(([, path = '']) => path);
  return [...new Set(named.filter((path) => rooms.includes(path.split('/')[0] ?? '')))];
}

/** Tests that a text names by file and title. */
function titlesIn(text: string): [path: string, title: string][] {
  const named = text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`\s+\("([^"]+)"\)/g);
  return [...named].map(([, path = '', title = '']) => [path, title.replace(/\s+/g, ' ')]);
}

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe.each(documents)('%s', (document) => {
  test('names only what is there', () => {
    expect(pathsIn(read(document)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names only tests with titles that are there', () => {
    const missing = titlesIn(read(document)).filter(([path, title]) => !read(path).includes(title));
    expect(missing).toEqual([]);
  });
});

test('what security.md says of each chapter is shown by a test, or said to be open, not here, or by its making', () => {
  const chapters = read('docs/security.md')
    .split(/^## (?=V\d+ )/m)
    .slice(1);
  expect(chapters).toHaveLength(17);
  const unshown = chapters.flatMap((chapter) => {
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
  expect(unshown).toEqual([]);
});

test('the documents name many tests, or this one reads them wrongly', () => {
  expect(pathsIn(read('docs/security.md')).length).toBeGreaterThan(40);
  expect(titlesIn(read('docs/security.md')).length).toBeGreaterThan(3);
});
