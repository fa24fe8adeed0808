import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startObjectStore } from '#tests/harness/listings/object-storage.ts';
import { runCommand, type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { readAllRows, withConnection } from './sample-data.ts';

/** A start, a backup and its verification take long on a busy machine. */
const PATIENT = { timeout: 60_000 };

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
const start = () => startServer(environment('first'));
const admin = (which: 'first' | 'second', ...args: string[]) =>
  runCommand('server/operations/commands/admin.ts', args, environment(which));

/** Waits until a backup is verified. @param since before it began */
const nextVerified = (since: Date) =>
  expect
    .poll(
      () =>
        withConnection(first, (client) =>
          client.query('select from backup_state where verified_at >= $1 and failures = 0', [since]),
        ),
      PATIENT,
    )
    .toMatchObject({ rowCount: 1 });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-periodic-'));
  backups = join(folder, 'backups');
  await mkdir(backups);
  [first, second] = [await createTestDatabase(), await createTestDatabase({ template: 'template0' })];
  port = await freeShopPort();
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
      `insert into users (email, name, is_seller) values ('kept@seller.example', 'Kept Seller', true)`,
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
  // A killed run is one that failed: it is attempted again a minute after its beginning.
  await withConnection(first, (client) =>
    client.query(`update backup_state set attempted_at = attempted_at - interval '1 minute'`),
  );
  shop = await start();
  await nextVerified(new Date(0));
  await shop.stop();
  const [content = '', ...rest] = await readdir(backups);
  const name = content.slice(0, -'.tar'.length);
  expect(rest).toEqual([]);
  expect((await stat(join(backups, content))).mode & 0o777).toBe(0o600);

  const [listed, unknown] = await Promise.all([
    admin('second', 'backups'),
    admin('second', 'restore', 'coomercio-20000101T000000000Z-00000000'),
  ]);
  expect(listed.stdout).toMatch(
    new RegExp(`^In the folder .*, newest first:\n  ${name}  less than a minute old, 0\\.\\d MB\n$`),
  );
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringMatching(/^There is no backup .* Nothing was changed;/),
  ]);
  const verified = await admin('first', 'restore', '--verify', name);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  expect(verified.stdout).toMatch(/by a restore into another database\. The shop was not changed\.\n/);
  const restored = await admin('second', 'restore', name);
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const rows = await readAllRows(second);
  expect(rows['public.users']).toEqual([expect.stringContaining('Kept Seller')]);
  expect((await stat(join(folder, 'second', 'secret'))).mode & 0o777).toBe(0o600);
}, 150_000);

test('a backup in a bucket is listed, and restored by its name', async () => {
  await using store = await startObjectStore();
  await store.bucket('backups');
  const other = await createTestDatabase({ template: 'template0' });
  onTestFinished(() => other.drop());
  const bucket = Object.fromEntries(
    Object.entries(store.environment('backups'))
      .filter(([name]) => name !== 'S3_BUCKET')
      .map(([name, value]) => [`BACKUP_${name}`, value]),
  );
  const settings = { BACKUP_TO: 's3://backups/main', ...bucket };
  const restored = {
    ...environment('first'),
    ...settings,
    DATABASE_URL: other.url,
    COOMERCIO_DATA: join(folder, 'other'),
  };
  const run = (...args: string[]) => runCommand('server/operations/commands/admin.ts', args, restored);

  const before = new Date();
  await withConnection(first, (client) =>
    client.query(`update backup_state set last_at = last_at - interval '24 hours'`),
  );
  shop = await startServer({ ...environment('first'), ...settings });
  await nextVerified(before);
  await shop.stop();

  const listed = await run('backups');
  const [, name = ''] = /^ {2}(\S+) /m.exec(listed.stdout) ?? [];
  expect(listed.stdout).toMatch(/^In the bucket backups, newest first:\n.* MB\n$/);
  const unknown = await run('restore', 'coomercio-mistyped.tar');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^There is no backup coomercio-mistyped in the bucket backups\. Nothing was changed;/,
    ),
  ]);
  const { code, stdout, stderr } = await run('restore', name);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`from ${name} in the bucket backups.`);
  expect((await readAllRows(other))['public.users']).toEqual([expect.stringContaining('Kept Seller')]);
}, 150_000);
