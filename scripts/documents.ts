import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/platform/durations.ts';
import { root } from './paths.ts';

/** The documents whose references are checked, as paths from the root. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The documents in which each name of the schema and of the code is checked, besides paths and test titles. */
const claims: readonly string[] = ['ARCHITECTURE.md', 'docs/reliability.md', 'docs/security.md'];

/** The top-level folders that a document may name. */
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && entry.name !== 'build')
  .map(({ name }) => name);

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const exists = (path: string) => existsSync(join(root, path));

/** @returns the files and folders of the project that a text names in backticks, each once */
export function pathsIn(text: string): string[] {
  const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path);
  return [...new Set(named.filter((path) => folders.includes(path.split('/')[0] ?? '')))];
}

/** @returns the tests that a text names as `path` ("title") */
export function titlesIn(text: string): [path: string, title: string][] {
  const named = text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`\s+\("([^"]+)"\)/g);
  return [...named].map(([, path = '', title = '']) => [path, title.replace(/\s+/g, ' ')]);
}

/** The text of all source files except tests, and of all SQL files. */
function readSources(): { code: string; schema: string } {
  const files = ['contract', 'emails', 'identity', 'packages', 'server', 'tests', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test|\.spec)\.(ts|tsx|sql)$/.test(path) && !path.includes('node_modules/'))
      .map((path) => `${folder}/${path}`),
  );
  const textOf = (ending: RegExp) =>
    files
      .filter((path) => ending.test(path))
      .map(read)
      .join('\n');
  return { code: textOf(/\.tsx?$/), schema: textOf(/\.sql$/) };
}

let sources: ReturnType<typeof readSources> | undefined;

const durations: Readonly<Record<string, number>> = { MINUTE_MS, HOUR_MS, DAY_MS };

/** @returns the value of a product such as `12 * 1024 * 1024` or `31 * DAY_MS`, or null for anything else */
function productOf(text: string): number | null {
  const factors = text
    .split('*')
    .map((factor) => durations[factor.trim()] ?? Number(factor.replaceAll(/[_,]/g, '')));
  const product = factors.reduce((whole, factor) => whole * factor, 1);
  return Number.isNaN(product) ? null : product;
}

/** @returns the figures with a unit in paragraphs and items that name neither a constant and its value nor a test */
const unprovenFigures = (text: string): string[] =>
  text
    .split(/\n\n|^(?=- )/m)
    .filter((part) => !/`[A-Z][A-Z0-9_]* = |\.(?:test|spec)\.tsx?`/.test(part))
    .flatMap((part) => part.match(/\b[\d,.]+ (?:seconds|minutes|hours|days|megapixels|MB)\b/g) ?? []);

/**
 * Checks the claims of a text: "constraint `name`" (also table, trigger, index, function) is defined in the schema,
 * `NAME = value` is the value of that constant, any other name with an underscore in backticks occurs in the code, and beside a
 * figure stands a constant or a test.
 * @returns one sentence for each false claim
 */
export function falseClaims(text: string): string[] {
  sources ??= readSources();
  const { code, schema } = sources;
  const has = (source: string, pattern: string) => new RegExp(pattern).test(source);
  const kinds = [...text.matchAll(/(constraint|trigger|table|index|function)s?\s+`(\w+)`/g)];
  const values = [...text.matchAll(/`([A-Z][A-Z0-9_]*) = ([^`]+)`/g)];
  const names = new Set([...text.matchAll(/`([A-Za-z][A-Za-z0-9]*_\w+)`/g)].map(([, name = '']) => name));
  return [
    ...kinds
      .filter(([, kind, name]) => !has(schema, `${kind} (if not exists )?${name}\\b`))
      .map(([, kind, name]) => `The schema has no ${kind} ${name}.`),
    ...values.flatMap(([, name = '', value = '']) => {
      const found = [...code.matchAll(new RegExp(`const ${name}(?:: \\w+)? = ([^;]+);`, 'g'))];
      const stated = productOf(value);
      if (stated !== null && found.some(([, actual = '']) => productOf(actual) === stated)) return [];
      const actual = found.map(([, text = '']) => text).join(' or ') || 'no constant';
      return [`${name} is not ${value} in the code, but ${actual}.`];
    }),
    ...[...names]
      .filter((name) => !has(code, `\\b${name}\\b`) && !has(schema, `\\b${name}\\b`))
      .map((name) => `Neither the code nor the schema has ${name}.`),
    ...unprovenFigures(text).map((figure) => `Beside “${figure}” stands neither a constant nor a test.`),
  ];
}

/** @returns one sentence for each path, test title or claim of a document that does not hold */
export function brokenReferences(document: string): string[] {
  const text = read(document);
  return [
    ...pathsIn(text)
      .filter((path) => !exists(path))
      .map((path) => `${document} names ${path}, which does not exist.`),
    ...titlesIn(text)
      .filter(([path, title]) => exists(path) && !read(path).includes(title))
      .map(([path, title]) => `${document} names a test "${title}", which ${path} does not have.`),
    ...(claims.includes(document) ? falseClaims(text) : []).map((sentence) => `${document}: ${sentence}`),
  ];
}
