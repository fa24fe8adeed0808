import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '#tests/harness/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/postgres.ts';
import { runCommand, type ServerProcess, startServer } from '#tests/harness/server-process.ts';
import { readAllRows, withConnection } from './sample-data.ts';

/** A start, a backup and its verification take long on a busy machine. */
const PATIENT = { timeout: 40_000 };

let folder: string;
let backups: string;
let first: TestDatabase;
let second: TestDatabase;
let port: number;
let shop: ServerProcess | null = null;

const environment = (which: 'first' | 'second') => ({
  PORT: String(port),
  ROLE: 'worker',
  DATABASE_URL: (which === 'first' ? first : second).url,
  COOMERCIO_DATA: join(folder, which),
  DEMO: '0',
  BACKUP_TO: backups,
});
const start = () => startServer({ ...environment('first'), BACKUP_EVERY: '24h' });
const admin = (which: 'first' | 'second', ...args: string[]) =>
  runCommand('server/admin.ts', args, environment(which));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-periodic-'));
  backups = join(folder, 'backups');
  await mkdir(backups);
  [first, second] = [await createTestDatabase(), await createTestDatabase({ template: 'template0' })];
  port = await freePorts(5);
});
afterAll(async () => {
  await shop?.stop();
  await first.drop();
  await second.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a shop that is killed during a backup leaves no half one, catches up at its start, and can be restored by name', async () => {
  await withConnection(first, async (blocker) => {
    await blocker.query(
      `insert into users (email, name, role) values ('kept@seller.example', 'Kept Seller', 'Seller')`,
    );
    await blocker.query('begin');
    // The backup waits for this transaction in the middle of its rows.
    await blocker.query('lock table wishlist_items in access exclusive mode');
    shop = await start();
    const partial = expect.stringMatching(/^coomercio-.*\.partial$/);
    await expect.poll(() => readdir(backups), PATIENT).toEqual([partial]);
    await shop.stop('SIGKILL');
    await blocker.query('rollback');
  });
  shop = await start();
  // The verification is recorded last.
  await expect.poll(() => readdir(backups), PATIENT).toHaveLength(2);
  await expect
    .poll(
      () =>
        withConnection(first, (client) =>
          client.query('select from backup_state where running_since is null'),
        ),
      PATIENT,
    )
    .toMatchObject({ rowCount: 1 });
  await shop.stop();
  const [description = '', content = ''] = (await readdir(backups)).sort();
  const name = content.slice(0, -'.tar'.length);
  expect(description).toBe(`${name}.json`);
  expect((await stat(join(backups, content))).mode & 0o777).toBe(0o600);

  const [listed, unknown] = await Promise.all([
    admin('second', 'backups'),
    admin('second', 'restore', 'coomercio-20000101T000000000Z'),
  ]);
  expect(listed.stdout).toMatch(
    new RegExp(
      `^In the folder .*, newest first:\n  ${name}  less than a minute old, 0\\.\\d MB, verified by a restore\n$`,
    ),
  );
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringMatching(/^There is no backup .* Nothing was changed;/),
  ]);
  const restored = await admin('second', 'restore', name);
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const rows = await readAllRows(second);
  expect(rows['public.users']).toEqual([expect.stringContaining('Kept Seller')]);
  expect((await stat(join(folder, 'second', 'secret'))).mode & 0o777).toBe(0o600);
}, 150_000);
