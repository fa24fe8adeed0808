import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ObjectStore, startObjectStore } from '#tests/harness/listings/object-storage.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import type { BackupSchedule } from './actions.ts';
import { openBucket } from './bucket-place.ts';
import { openFolder } from './folder-place.ts';
import type { BackupPlace, Verification } from './place.ts';
import { nameOf, shopIdOf } from './rules.ts';
import { readBackupState } from './store.ts';

// Each shop looks every 50 ms whether a backup is due. A test makes one due by changing the state's times.

// A verification creates and migrates a database, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const HOUR_MS = 60 * 60_000;
const FINGERPRINT = 'f'.repeat(32);
const VERIFIED = { timeout: 60_000 };

let shop: TestShop;
let admin: Person;
let place: BackupPlace;
let schedule: BackupSchedule;

async function startShop(opened: BackupPlace): Promise<void> {
  place = opened;
  schedule = { everyMs: HOUR_MS, keep: { hours: 0, days: 1, weeks: 0, months: 0 }, verifyUrl: null, place };
  shop = await startTestShop({
    dependencies: async () => ({
      periodicBackups: {
        schedule,
        source: { photos: null, secretFile: null, secretFingerprint: FINGERPRINT },
        shopIds: [shopIdOf(FINGERPRINT)],
        checkIntervalMs: 50,
      },
    }),
  });
  admin = await shop.admin();
}

const state = () => readBackupState(shop.connection.database);
const change = (assignments: string) => shop.connection.pool.query(`update backup_state set ${assignments}`);
/** Makes the next backup due. */
const anHourLater = () => change(`last_at = last_at - interval '1 hour', retry_at = null`);
const names = async () => (await place.list()).map(({ name }) => name);
const subjects = () => shop.mails.filter(({ to }) => to === admin.email).map(({ subject }) => subject);

/** Waits for the verification of a backup other than `before`. @returns its name */
async function nextVerified(outcome: Verification['outcome'], before?: string): Promise<string> {
  await expect
    .poll(async () => {
      const { last, verification, runningSince } = await state();
      return last?.name !== before && runningSince === null ? verification?.outcome : null;
    }, VERIFIED)
    .toBe(outcome);
  return (await state()).last?.name ?? '';
}

/** Makes a backup due and waits until it has failed. @returns the message of the failure */
async function nextFailure(): Promise<string> {
  const { failureCount } = await state();
  await anHourLater();
  await expect.poll(async () => (await state()).failureCount, VERIFIED).toBe(failureCount + 1);
  return (await state()).lastFailure?.message ?? '';
}

/** Scratch databases of this shop. */
async function scratchDatabases(): Promise<number> {
  const { rows } = await shop.connection.pool.query(
    `select from pg_database where datname = 'coomercio_backup_check_'
      || (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

describe('in a folder', () => {
  let folder: string;
  /** Called after each backup was written, with the path of its file. */
  let afterWrite: (path: string) => Promise<void>;
  /** Called before a backup is removed. */
  let beforeRemove: (name: string) => void;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coomercio-periodic-'));
    const real = openFolder(folder);
    await startShop({
      ...real,
      write: async (name, content) => {
        const bytes = await real.write(name, content);
        await afterWrite(join(folder, `${name}.tar`));
        return bytes;
      },
      remove: async (name) => {
        beforeRemove(name);
        await real.remove(name);
      },
    });
  });
  beforeEach(() => {
    afterWrite = async () => undefined;
    beforeRemove = () => undefined;
  });
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a shop makes a backup at once and verifies it by a restore', async () => {
    const first = await nextVerified('passed');
    expect(await state()).toMatchObject({
      everyMs: HOUR_MS,
      failures: 0,
      last: { name: first, bytes: expect.any(Number), durationMs: expect.any(Number) },
      lastPassedAt: expect.any(Date),
    });
    expect(await readdir(folder)).toEqual([`${first}.json`, `${first}.tar`]);
    expect(await scratchDatabases()).toBe(0);
    const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
    expect(metrics).toMatch(/^coomercio_backup_verified_age_seconds \d/m);
    expect(metrics).toMatch(/^coomercio_backup_size_bytes \d{4}/m);
    expect(subjects()).toEqual([]);
  });

  test('a damaged backup fails its verification, is told, and the older one stays until there is a good one', async () => {
    const good = (await state()).last?.name;
    afterWrite = async (path) => {
      // In a row: the archive also has padding, in which another byte changes nothing.
      const content = await readFile(path);
      content.write('X', content.indexOf('Ada Admin'));
      await writeFile(path, content);
    };
    await anHourLater();
    const bad = await nextVerified('failed', good);
    expect(await state()).toMatchObject({
      failures: 1,
      verification: {
        detail: expect.stringMatching(/ is damaged: tables\/public\/users\/.* is not as it was written\.$/),
      },
      lastFailure: { message: expect.stringContaining(`The backup ${bad} failed its verification.`) },
    });
    expect(await names()).toEqual([bad, good]);
    await expect.poll(subjects).toEqual(['A backup of the shop failed its verification']);
    expect(await scratchDatabases()).toBe(0);

    afterWrite = async () => undefined;
    await change('retry_at = null');
    const next = await nextVerified('passed', bad);
    expect(await names()).toEqual([next]);
    expect((await state()).failures).toBe(0);
  });

  test('a lost folder keeps the older backups, is attempted again later, and told once it lasts', async () => {
    const before = await names();
    await rename(folder, `${folder}-away`);
    expect(await nextFailure()).toBe(`The folder ${folder} does not exist: create it, or mount its disk.`);
    const { retryAt } = await state();
    expect(retryAt?.getTime()).toBeGreaterThan(Date.now());
    const sent = subjects().length;
    await change(`expected_since = now() - interval '9 hours', last_usable_at = now() - interval '3 hours'`);
    await expect.poll(() => subjects().slice(sent)).toEqual(['The shop’s last backup is too old']);
    const mail = shop.mails.at(-1)?.text;
    expect(mail).toContain(`The folder ${folder} does not exist`);
    expect(mail).toContain(`${shop.origin}/dashboard/health`);

    await rename(`${folder}-away`, folder);
    expect(await names()).toEqual(before);
  });

  test('an old backup that cannot be removed stops the removal of no other', async () => {
    const before = (await state()).last?.name;
    for (const day of ['2020-01-01', '2020-01-02']) {
      const name = nameOf(new Date(day), shopIdOf(FINGERPRINT));
      await copyFile(join(folder, `${before}.tar`), join(folder, `${name}.tar`));
    }
    let failing: string | undefined;
    beforeRemove = (name) => {
      failing ??= name;
      if (name === failing) throw new Error('This backup cannot be removed.');
    };
    await anHourLater();
    const next = await nextVerified('passed', before);
    expect(await names()).toEqual([next, failing]);

    beforeRemove = () => undefined;
    await anHourLater();
    const last = await nextVerified('passed', next);
    expect(await names()).toEqual([last]);
  });

  test('a run that was killed counts as a failure and is done again at once', async () => {
    const { failureCount, last } = await state();
    await change(
      'running_since = now(), verification = null, verified_at = null, last_at = now(), failures = 0, retry_at = null',
    );
    // Between the failure and the beginning of the next run, nothing is running either.
    await expect
      .poll(state, VERIFIED)
      .toMatchObject({ runningSince: null, verification: { outcome: 'passed' }, failures: 0 });
    expect(await state()).toMatchObject({
      failureCount: failureCount + 1,
      last: { name: last?.name },
      notifiedAt: null,
      lastFailure: { message: expect.stringMatching(/^The run that began at .* was killed\.$/) },
    });
  });

  test('backups of another shop in the same folder are left alone, complete or being written', async () => {
    const others = [
      `${nameOf(new Date('2020-01-01'), '00000000')}.tar`,
      `${nameOf(new Date(), '00000000')}.tar.7.partial`,
    ];
    for (const file of others) await writeFile(join(folder, file), 'rows');
    const before = (await state()).last?.name;
    await anHourLater();
    const next = await nextVerified('passed', before);
    expect((await readdir(folder)).sort()).toEqual([...others, `${next}.json`, `${next}.tar`].sort());
    for (const file of others) await rm(join(folder, file));
  });

  test('a backup that cannot be verified is reported as not verified, and never as passed', async () => {
    const { last, lastPassedAt } = await state();
    // A database with tables of its own: that of the shop.
    schedule.verifyUrl = shop.database.url;
    await anHourLater();
    const name = await nextVerified('not_done', last?.name);
    const detail = expect.stringContaining('create an empty one');
    const { failures, verification, ...after } = await state();
    expect([failures, verification?.detail, after.lastPassedAt]).toEqual([0, detail, lastPassedAt]);
    expect(await place.list()).toMatchObject([{ name, verification: { outcome: 'not_done', detail } }]);
  });
});

describe('in a bucket', () => {
  let store: ObjectStore;

  beforeAll(async () => {
    store = await startObjectStore();
    const { bucket, region, endpoint, credentials } = await store.bucket('backups');
    const options = { kind: 'bucket' as const, bucket, region, endpoint, credentials, prefix: 'main/' };
    await startShop(openBucket(options, { partBytes: 10_000 }));
  });
  beforeEach(() => {
    store.onCall = () => 'pass';
  });
  afterAll(async () => {
    await shop.close();
    await store[Symbol.asyncDispose]();
  });

  /** The keys in the bucket. */
  async function keys(): Promise<string[]> {
    const before = store.onCall;
    store.onCall = () => 'pass';
    const text = await (await fetch(`${store.endpoint}/backups?list-type=2`)).text();
    store.onCall = before;
    return [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = '']) => key);
  }

  test('a shop makes and verifies a backup there, whose description is written last', async () => {
    const first = await nextVerified('passed');
    const puts = store.calls.filter(({ method }) => method === 'PUT').map(({ key }) => key);
    const parts = puts.filter((key) => key.startsWith(`main/parts/${first}/`));
    expect(parts.length).toBeGreaterThan(2);
    expect(puts.indexOf(`main/${first}.json`)).toBeGreaterThan(puts.indexOf(parts.at(-1) ?? ''));
  });

  test('a failing bucket keeps the older backup until there is a new one, and what failed runs have left is removed', async () => {
    const before = await names();
    // The second part fails, and nothing can be removed.
    store.onCall = ({ method, key }) =>
      method === 'DELETE' || (method === 'PUT' && key.endsWith('/000002')) ? 500 : 'pass';
    expect(await nextFailure()).toMatch(/^The bucket backups at .* answered 500 \(InternalError\)\./);
    expect(await names()).toEqual(before);
    const leftover = (await keys()).filter(
      (key) => key.endsWith('/000001') && !key.includes(before[0] ?? ''),
    );
    expect(leftover).toHaveLength(1);
    store.onCall = () => 'pass';
    await change('retry_at = null');
    const next = await nextVerified('passed', before[0]);
    expect(await names()).toEqual([next]);
    const others = (await keys()).filter((key) => !key.startsWith(`main/parts/${next}/`));
    expect(others).toEqual([`main/${next}.json`]);
  });

  test('a part that the bucket has lost fails the verification', async () => {
    const before = (await state()).last?.name;
    store.onCall = ({ method, key }) => (method === 'PUT' && key.endsWith('/000002') ? 'discard' : 'pass');
    await anHourLater();
    const bad = await nextVerified('failed', before);
    expect((await state()).verification?.detail).toBe(
      `main/parts/${bad}/000002 is missing in the bucket backups.`,
    );
    expect(await names()).toEqual([bad, before]);
  });

  test('backups of another shop below the same prefix are left alone, complete or being written', async () => {
    const other = nameOf(new Date('2020-01-01'), '00000000');
    await place.write(other, Readable.from([Buffer.from('rows')], { objectMode: false }));
    const uploading = `main/parts/${nameOf(new Date(), '00000000')}/000001`;
    await fetch(`${store.endpoint}/backups/${uploading}`, { method: 'PUT', body: 'rows' });
    const before = (await state()).last?.name;
    await anHourLater();
    const next = await nextVerified('passed', before);
    expect(await names()).toEqual([next, other]);
    expect(await keys()).toContain(uploading);
  });
});
