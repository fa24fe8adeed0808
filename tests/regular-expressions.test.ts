import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

/**
 * Every regular expression literal of the product is run over texts that make a backtracking matcher slow, made from
 * the expression's own characters: a prefix, a part that repeats, and an end that does not fit. Its time is compared
 * with that of a plain pass over the same text.
 */
const root = join(import.meta.dirname, '..');

const sources = globSync(
  '{contract,emails,rate-limits,server,identity,web,sandbox,packages,demo}/**/*.{ts,tsx}',
  {
    cwd: root,
  },
)
  .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
  .sort();

/** Sources whose expressions read only files of this repository. */
const trustedInputSources = new Set(['packages/card-sandbox/browser-files.ts']);

interface Literal {
  places: string[];
  pattern: string;
  flags: string;
}

function findLiterals(): Literal[] {
  const found = new Map<string, Literal>();
  for (const file of sources) {
    if (trustedInputSources.has(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const { pattern, flags } = node.regex;
        const literal = found.get(`/${pattern}/${flags}`) ?? { places: [], pattern, flags };
        literal.places.push(`${file}:${text.slice(0, node.start).split('\n').length}`);
        found.set(`/${pattern}/${flags}`, literal);
      },
    }).visit(parseSync(file, text).program);
  }
  return [...found.values()];
}

/** Characters of frequently used character classes. */
const commonCharacters = ['a', 'A', '0', ' ', '\n', '-', '_', '.', '@', '/', ':', '"', '<', '\u0000'];

/** Returns the parts from which texts for a pattern are built: its words, its characters, and common characters. */
function partsOf(pattern: string): string[] {
  const plain = pattern
    .replace(/\\[dDwWsSbBn]|\\[pP]\{[^}]*\}|\\u[0-9A-F]{4}|\{\d+(?:,\d*)?\}|\(\?[:=!]/g, '|')
    .replaceAll('\\', '');
  const words = plain.match(/[\w<>/="&?;:@-]{2,}/g) ?? [];
  return [...new Set([...words.slice(0, 6), ...commonCharacters, ...[...plain].slice(0, 24)])];
}

/** No character class matches all of these, so an expression anchored at the end fails there. */
const END = '\u0000 @<"\n';

/** The shortest of three runs, in milliseconds. */
function timeOf(work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run += 1) {
    const started = performance.now();
    work();
    shortest = Math.min(shortest, performance.now() - started);
  }
  return shortest;
}

/** Quadratic time exceeds a plain pass more than a thousandfold; linear expressions stay within a few tens. */
const MAXIMUM_RATIO = 250;

/** Whether an expression takes far longer than a plain pass over the same text. */
function isSlow(expression: RegExp, text: string): boolean {
  const started = performance.now();
  text.replace(expression, '');
  const once = performance.now() - started;
  const pass = () => /^[^\u{10FFFF}]*$/u.test(text);
  // Most are far below the limit. The others are measured again, because the machine may have been busy.
  if (once < MAXIMUM_RATIO * 0.001) return false;
  return timeOf(() => text.replace(expression, '')) > MAXIMUM_RATIO * Math.max(timeOf(pass), 0.001);
}

/** Returns a text that makes the expression slow, or null. Short texts come first, for exponential patterns. */
function findSlowText({ pattern, flags }: Literal): string | null {
  const expression = new RegExp(pattern, flags.replace('y', ''));
  const parts = partsOf(pattern);
  const repeated = [...parts, ...parts.flatMap((one) => parts.map((other) => one + other))];
  for (const length of [22, 2_000]) {
    for (const part of repeated) {
      const text = part.repeat(Math.ceil(length / part.length));
      // Pairs have no prefixes, which would multiply the number of texts.
      const prefixes = part.length > 1 ? [''] : ['', ...parts, ...parts.map((other) => `a${other}`)];
      for (const prefix of prefixes) {
        if (isSlow(expression, prefix + text + END)) return `${prefix}${part}…`;
      }
    }
  }
  return null;
}

test('finds slow texts for patterns with catastrophic backtracking', () => {
  const slow = [
    '^(a+)+$',
    '^[^@]+@[^@]+\\.[^@]+$',
    '\\beyJ[\\w-]+\\.x',
    '<([^>]+)>;',
    '^:[0-9a-f]*(?:\\d+\\.)$',
  ];
  const found = slow.map((pattern) => findSlowText({ places: [], pattern, flags: '' }) !== null);
  expect(found).toEqual(slow.map(() => true));
});

test('every regular expression runs in linear time', () => {
  const all = findLiterals();
  expect(all.length).toBeGreaterThan(80);
  const slow = all.flatMap((literal) => {
    const text = findSlowText(literal);
    return text === null
      ? []
      : [`${literal.places.join(', ')} /${literal.pattern}/ at ${JSON.stringify(text)}`];
  });
  expect(slow).toEqual([]);
});
