import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import { fingerprintOf } from '#server/platform/secrets.ts';
import { readConfig } from '../configuration/config.ts';
import { listStoredBackups } from './commands.ts';
import { nameOf, shopIdOf } from './destination.ts';
import { openFolder } from './folder.ts';

const now = new Date('2026-11-23T15:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);

test('lists backups with age and size, newest first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-stored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const destination = openFolder(folder);
  const environment = { BACKUP_TO: folder, COOMERCIO_DATA: join(folder, '../no-data') };
  const config = readConfig(environment);
  expect(await listStoredBackups(config, now)).toBe(`There are no backups in the folder ${folder}.`);

  for (const age of [30_000, MINUTE_MS, 3 * 60 * MINUTE_MS, 49 * 60 * MINUTE_MS]) {
    const content = Readable.from([Buffer.alloc(1_260_000)], { objectMode: false });
    await destination.write(nameOf(ago(age), '0123abcd'), content);
  }
  expect((await listStoredBackups(config, now)).split('\n')).toEqual([
    `In the folder ${folder}, newest first:`,
    '  coomercio-20261123T145930000Z-0123abcd  less than a minute old, 1.3 MB',
    '  coomercio-20261123T145900000Z-0123abcd  1 minute old, 1.3 MB',
    '  coomercio-20261123T120000000Z-0123abcd  3 hours old, 1.3 MB',
    '  coomercio-20261121T140000000Z-0123abcd  2 days old, 1.3 MB',
  ]);
});

test('says which backups another shop has made, when the own secret is known', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-stored-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const destination = openFolder(folder);
  const [current, previous, other] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [
    string,
    string,
    string,
  ];
  for (const [index, secret] of [current, previous, other].entries()) {
    const name = nameOf(ago(index * MINUTE_MS), shopIdOf(fingerprintOf(secret)));
    await destination.write(name, Readable.from([Buffer.alloc(1000)], { objectMode: false }));
  }
  const environment = { BACKUP_TO: folder, COOMERCIO_DATA: join(folder, '../no-data') };
  const labelled = async (more: Record<string, string>) => {
    const list = await listStoredBackups(readConfig({ ...environment, ...more }), now);
    return list
      .split('\n')
      .slice(1)
      .map((line) => line.includes('of another shop, '));
  };
  expect(await labelled({})).toEqual([false, false, false]);
  const secrets = { COOMERCIO_SECRET: current, COOMERCIO_SECRET_PREVIOUS: previous };
  expect(await labelled(secrets)).toEqual([false, false, true]);
  expect(await labelled({ COOMERCIO_SECRET: current })).toEqual([false, true, true]);
});

test('says which setting names the destination', async () => {
  await expect(listStoredBackups(readConfig({}), now)).rejects.toThrow(
    'BACKUP_TO is not set: set it to the folder or the bucket of the backups.',
  );
});
