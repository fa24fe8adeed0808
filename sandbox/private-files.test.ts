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

test('concurrent first calls all get the same content and leave no other file', async () => {
  const path = join(folder, 'deep/key.json');
  let calls = 0;
  const allCalled = Promise.withResolvers<void>();
  const all = await Promise.all(
    Array.from({ length: 20 }, () =>
      readOrCreate(path, z.object({ number: z.number() }), async () => {
        calls += 1;
        const number = calls;
        if (calls === 20) allCalled.resolve();
        await allCalled.promise;
        return { number };
      }),
    ),
  );
  expect(new Set(all.map(({ number }) => number)).size).toBe(1);
  expect(await readOrCreate(path, z.object({ number: z.number() }), () => ({ number: 0 }))).toEqual(all[0]);
  expect(await readdir(join(folder, 'deep'))).toEqual(['key.json']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
