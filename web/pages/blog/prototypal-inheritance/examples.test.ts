import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';

test.each(['chain.js', 'class.js', 'traps.js'])('%s does what its comments say', async (name) => {
  const source = await readFile(join(import.meta.dirname, name), 'utf8');
  let claims = 0;
  const checked = source.replace(/^(.+); \/\/ → (.+)$/gm, (_, expression: string, value: string) => {
    claims += 1;
    return `check(() => (${expression}), ${value}, ${JSON.stringify(expression)});`;
  });
  expect(claims).toBeGreaterThan(3);
  runInThisContext(`(check) => {\n${checked}\n}`, { filename: name })(
    (read: () => unknown, value: unknown, expression: string) => expect(read(), expression).toEqual(value),
  );
});
