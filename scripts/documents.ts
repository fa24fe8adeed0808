import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

/** The documents whose references are checked, as paths from the root. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The top-level folders that a document may name. */
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && entry.name !== 'build')
  .map(({ name }) => name);

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** @returns the files and folders of the project that a text names in backticks, each once, without line numbers */
export function pathsIn(text: string): string[] {
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)(?:#\w+|:\d+)?`/g)].map(([, path = '']) => path);
  return [...new Set(named.filter((path) => folders.includes(path.split('/')[0] ?? '')))];
}

/** @returns the tests that a text names as `path` ("title") */
export function titlesIn(text: string): [path: string, title: string][] {
  const named = text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`\s+\("([^"]+)"\)/g);
  return [...named].map(([, path = '', title = '']) => [path, title.replace(/\s+/g, ' ')]);
}

/** @returns the lines of code that a text names as `path:line` `name`, where the line must contain the name */
function linesIn(text: string): { path: string; line: number; name: string }[] {
  const named = text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+):(\d+)`\s+`([\w$]+)`/g);
  return [...named].map(([, path = '', line = '', name = '']) => ({ path, line: Number(line), name }));
}

const exists = (path: string) => existsSync(join(root, path));

/** @returns one sentence for each path, test title and line of code that a document names and that does not exist */
export function brokenReferences(document: string): string[] {
  const text = read(document);
  return [
    ...pathsIn(text)
      .filter((path) => !exists(path))
      .map((path) => `${document} names ${path}, which does not exist.`),
    ...titlesIn(text)
      .filter(([path, title]) => exists(path) && !read(path).includes(title))
      .map(([path, title]) => `${document} names a test "${title}", which ${path} does not have.`),
    ...linesIn(text).flatMap(({ path, line, name }) => {
      const lines = exists(path) ? read(path).split('\n') : [];
      if (lines.length === 0 || lines[line - 1]?.includes(name)) return [];
      const first = lines.findIndex((content) => content.includes(name)) + 1;
      const hint = first === 0 ? 'The file does not contain it.' : `It first occurs in line ${first}.`;
      return [`${document} names ${name} in line ${line} of ${path}. ${hint}`];
    }),
  ];
}
