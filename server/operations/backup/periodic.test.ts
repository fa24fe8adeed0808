import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { type ObjectStore, startObjectStore } from '#tests/harness/listings/object-storage.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { openBucket } from './bucket.ts';
import { type BackupDestination, nameOf, shopIdOf } from './destination.ts';
import { openFolder } from './folder.ts';
import { readBackupState } from './store.ts';

// Each shop looks every second whether a backup is due. A test makes one due by changing the state's times.

// A verification creates and migrates a database, which takes long on a busy machine.

const FINGERPRINT = 'f'.repeat(32);
const VERIFIED = { timeout: 60_000 };

let shop: TestShop;
let admin: Person;
let destination: BackupDestination;

async function startShop(opened: BackupDestination, keep: number): Promise<void> {
  destination = opened;
  shop = await startTestShop({
    settings: { backups: { everyHours: 1, keep } },
    // All periodic tasks run so often, which takes processor time.
    tasksEveryMs: 1_000,
    dependencies: async () => ({
      periodicBackups: {
        destination,
        source: { photos: null, secretFile: null, secretFingerprint: FINGERPRINT },
        shopIds: [shopIdOf(FINGERPRINT)],
      },
    }),
  });
  admin = await shop.admin();
}

const state = () => readBackupState(shop.connection.database);
const change = (assignments: string) => shop.connection.pool.query(`update backup_state set ${assignments}`);
/** Makes the next backup due. */
const anHourLater = () =>
  change(`last_at = last_at - interval '1 hour', attempted_at = attempted_at - interval '1 hour'`);
const names = async () => (await destination.list()).map(({ name }) => name);
const subjects = () => shop.mails.filter(({ to }) => to === admin.email).map(({ subject }) => subject);

/** Waits for a usable backup that began after `since`. @returns the newest one's name */
async function nextUsable(since: Date): Promise<string> {
  await expect
    .poll(async () => {
      const { last_at, failures } = await state();
      return failures === 0 && last_at !== null && last_at >= since;
    }, VERIFIED)
    .toBe(true);
  const [newest = ''] = await names();
  return newest;
}

/** Makes a backup due and waits until it is usable. @returns its name */
async function makeNext(): Promise<string> {
  const since = new Date();
  await anHourLater();
  return nextUsable(since);
}

/** Makes a backup due and waits until it has failed. @returns the message of the failure */
async function nextFailure(): Promise<string> {
  await change('failure = null, failures = 0');
  await anHourLater();
  await expect.poll(async () => (await state()).failure, VERIFIED).not.toBeNull();
  return (await state()).failure ?? '';
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
    const opened: BackupDestination = {
      ...real,
      write: async (name, content) => {
        await real.write(name, content);
        await afterWrite(join(folder, `${name}.tar`));
      },
      remove: async (name) => {
        beforeRemove(name);
        await real.remove(name);
      },
    };
    afterWrite = async () => undefined;
    await startShop(opened, 1);
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
    const first = await nextUsable(new Date(0));
    expect(await state()).toMatchObject({
      every_ms: String(HOUR_MS),
      last_bytes: expect.any(String),
      last_duration_ms: expect.any(String),
      verified_at: expect.any(Date),
      unverified: null,
      unfinished_name: null,
    });
    expect(await readdir(folder)).toEqual([`${first}.tar`]);
    const metrics = await (await fetch(`${shop.origin}/metrics`)).text();
    expect(metrics).toMatch(/^coomercio_backup_verified_age_seconds \d/m);
    expect(metrics).toMatch(/^coomercio_backup_usable_age_seconds \d/m);
    expect(metrics).toMatch(/^coomercio_backup_size_bytes \d{4}/m);
    expect(subjects()).toEqual([]);
  });

  test('the settings say at once whether backups are made, and how many stay', { tags: 'long' }, async () => {
    const [first] = await names();
    await shop.changeSettings({ backups: { everyHours: null, keep: 2 } });
    await expect.poll(state).toMatchObject({ every_ms: null, expected_since: null });
    await anHourLater();
    await shop.runTasks();
    expect(await names()).toEqual([first]);

    const since = new Date();
    await shop.changeSettings({ backups: { everyHours: 1, keep: 2 } });
    const second = await nextUsable(since);
    expect(await names()).toEqual([second, first]);
    expect(await state()).toMatchObject({ every_ms: String(HOUR_MS), expected_since: expect.any(Date) });
    await shop.changeSettings({ backups: { everyHours: 1, keep: 1 } });
    const third = await makeNext();
    await expect.poll(names).toEqual([third]);
  });

  test('a damaged backup fails its verification and is told; the older one stays until there is a good one', {
    tags: 'long',
  }, async () => {
    const [good] = await names();
    afterWrite = async (path) => {
      // In a row: the archive also has padding, in which another byte changes nothing.
      const content = await readFile(path);
      content.write('X', content.indexOf('Ada Admin'));
      await writeFile(path, content);
    };
    const before = await state();
    expect(await nextFailure()).toMatch(
      /^The backup .* failed its verification\. .* is damaged: tables\/public\/users\/.* is not as it was written\.$/,
    );
    expect(await names()).toEqual([(await state()).unfinished_name, good]);
    expect((await state()).verified_at).toEqual(before.verified_at);
    await expect.poll(subjects).toEqual(['A backup of the shop failed its verification']);

    afterWrite = async () => undefined;
    const next = await makeNext();
    await expect.poll(names).toEqual([next]);
    expect(await state()).toMatchObject({ failure: null, notified_at: null });
  });

  test('a lost folder keeps the older backups, is attempted again later, and told once it lasts', {
    tags: 'long',
  }, async () => {
    const before = await names();
    await rename(folder, `${folder}-away`);
    expect(await nextFailure()).toBe(`The folder ${folder} does not exist: create it, or mount its disk.`);
    const sent = subjects().length;
    await change(`expected_since = now() - interval '9 hours', last_at = now() - interval '3 hours'`);
    await expect.poll(() => subjects().slice(sent)).toEqual(['The shop’s last backup is too old']);
    const mail = shop.mails.at(-1)?.text;
    expect(mail).toContain(`The folder ${folder} does not exist`);
    expect(mail).toContain(`${shop.origin}/dashboard/health`);

    await rename(`${folder}-away`, folder);
    expect(await names()).toEqual(before);
    await makeNext();
  });

  test('an old backup that cannot be removed stops the removal of no other', { tags: 'long' }, async () => {
    const [before] = await names();
    for (const day of ['2020-01-01', '2020-01-02']) {
      const name = nameOf(new Date(day), shopIdOf(FINGERPRINT));
      await copyFile(join(folder, `${before}.tar`), join(folder, `${name}.tar`));
    }
    let failing: string | undefined;
    beforeRemove = (name) => {
      failing ??= name;
      if (name === failing) throw new Error('This backup cannot be removed.');
    };
    const next = await makeNext();
    await expect.poll(names).toEqual([next, failing]);

    beforeRemove = () => undefined;
    const last = await makeNext();
    await expect.poll(names).toEqual([last]);
  });

  test('what a killed run has left is removed, and its backup is made again', { tags: 'long' }, async () => {
    const left = nameOf(new Date(), shopIdOf(FINGERPRINT));
    await writeFile(join(folder, `${left}.tar.7.partial`), 'rows');
    await change(`unfinished_name = '${left}', failures = 1, failure = null`);
    const next = await makeNext();
    await expect.poll(() => readdir(folder)).toEqual([`${next}.tar`]);
  });

  test('backups of another shop in the same folder are left alone, complete or being written', {
    tags: 'long',
  }, async () => {
    const others = [
      `${nameOf(new Date('2020-01-01'), '00000000')}.tar`,
      `${nameOf(new Date(), '00000000')}.tar.7.partial`,
    ];
    for (const file of others) await writeFile(join(folder, file), 'rows');
    const next = await makeNext();
    await expect.poll(async () => (await readdir(folder)).sort()).toEqual([...others, `${next}.tar`].sort());
    for (const file of others) await rm(join(folder, file));
  });
});

describe('in a bucket', () => {
  let store: ObjectStore;

  beforeAll(async () => {
    store = await startObjectStore();
    const { bucket, region, endpoint, credentials } = await store.bucket('backups');
    const settings = { kind: 'bucket' as const, bucket, region, endpoint, credentials, prefix: 'main/' };
    await startShop(openBucket(settings), 1);
  });
  beforeEach(() => {
    store.onCall = () => 'pass';
  });
  afterAll(async () => {
    await shop.close();
    await store[Symbol.asyncDispose]();
  });

  test('a failing bucket keeps the older backup until there is a new one', { tags: 'long' }, async () => {
    const first = await nextUsable(new Date(0));
    expect((await state()).unverified).toBeNull();
    store.onCall = ({ method }) => (method === 'PUT' ? 500 : 'pass');
    expect(await nextFailure()).toMatch(/^The bucket backups at .* answered 500 \(InternalError\)\./);
    expect(await names()).toEqual([first]);
    store.onCall = ({ method }) => (method === 'PUT' ? 'discard' : 'pass');
    expect(await nextFailure()).toMatch(/ was written to the bucket backups and is not there\.$/);
    store.onCall = () => 'pass';
    const next = await makeNext();
    await expect.poll(names).toEqual([next]);
  });

  test('a bucket that cannot be read leaves a backup that is not verified, and no failed one', {
    tags: 'long',
  }, async () => {
    const { verified_at } = await state();
    store.onCall = ({ method, key }) => (method === 'GET' && key.endsWith('.tar') ? 403 : 'pass');
    await makeNext();
    expect(await state()).toMatchObject({
      verified_at,
      unverified: expect.stringMatching(/^The bucket backups at .* refuses the shop's credentials/),
    });
  });

  test('backups of another shop below the same prefix are left alone', { tags: 'long' }, async () => {
    const other = nameOf(new Date('2020-01-01'), '00000000');
    await destination.write(other, Readable.from([Buffer.from('rows')], { objectMode: false }));
    // The shop's first one begins by itself. Ending later, it would undo that the next one is due.
    await nextUsable(new Date(0));
    const next = await makeNext();
    await expect.poll(names).toEqual([next, other]);
  });
});
