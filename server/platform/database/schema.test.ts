// The files of the schema follow the floors of the code: a wing knows nothing of a later one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wings } from './migrations/0001-baseline.ts';

/** The text of a wing's file without comments and quoted texts. */
const read = (wing: string): string =>
  readFileSync(join(import.meta.dirname, 'schema', `${wing}.sql`), 'utf8').replace(/--.*|'[^']*'/g, '');

/** Returns the tables and functions that a wing's file creates. */
const createdBy = (wing: string): string[] =>
  [...read(wing).matchAll(/create (?:table|function) (\w+)/g)].map(([, name = '']) => name);

test('each file is run', () => {
  expect(readdirSync(join(import.meta.dirname, 'schema')).sort()).toEqual(
    wings.map((wing) => `${wing}.sql`).sort(),
  );
});

// PostgreSQL reads the bodies of most functions only when they are called.
test('a file uses nothing of a later one, also in the bodies of functions', () => {
  const upward = wings.flatMap((wing, index) => {
    const words = new Set(read(wing).match(/\w+/g));
    return wings.slice(index + 1).flatMap((later) =>
      createdBy(later)
        .filter((name) => words.has(name))
        .map((name) => `${wing} uses ${name} of ${later}`),
    );
  });
  expect(upward).toEqual([]);
});
