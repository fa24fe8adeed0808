import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readOrCreate } from './private-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-read-or-create-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a file is made once, readable only by its owner, and leaves no other file', async () => {
  const path = join(folder, 'deep/key.json');
  const read = (number: number) => readOrCreate(path, z.object({ number: z.number() }), () => ({ number }));
  expect([await read(1), await read(2)]).toEqual([{ number: 1 }, { number: 1 }]);
  expect(await readdir(join(folder, 'deep'))).toEqual(['key.json']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
