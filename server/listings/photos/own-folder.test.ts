import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { runCommand } from '#tests/harness/operations/server-process.ts';
import { freePorts, portOf } from '#tests/harness/platform/ports.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { adoptFolder, findFolderProblem, recordFolder } from './own-folder.ts';
import { openDiskStorage } from './storage.ts';

let folder: string;
let database: TestDatabase;
let connection: Connection;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-folder-'));
  database = await createTestDatabase();
  connection = connect(database.url, () => undefined);
});
afterEach(async () => {
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const problemOf = (name: string) => findFolderProblem(connection.database, join(folder, name));
const record = (name: string) => recordFolder(connection.database, join(folder, name));

test('the first folder becomes that of the shop, also for further processes; another one is refused', async () => {
  expect(await Promise.all([record('photos'), record('photos'), record('photos')])).toEqual([
    null,
    null,
    null,
  ]);
  const problem = await problemOf('others');
  expect(problem).toContain(`another folder than ${join(folder, 'others')}`);
  expect(problem).toMatch(/S3_BUCKET.*shared folder/);
  expect(await problemOf('photos')).toBeNull();
});

test('of two folders that start at the same time, one is refused', async () => {
  const problems = await Promise.all([record('one'), record('other')]);
  expect(problems.filter((problem) => problem === null)).toHaveLength(1);
});

test('a copy of the folder is accepted, and the id is no photo', async () => {
  const storage = await openDiskStorage(join(folder, 'photos'));
  await storage.put('photo/320.webp', Buffer.from('bytes'), 'image/webp');
  await record('photos');
  await cp(join(folder, 'photos'), join(folder, 'moved'), { recursive: true });
  expect(await problemOf('moved')).toBeNull();
  const keys: string[] = [];
  for await (const key of (await openDiskStorage(join(folder, 'moved'))).keys()) keys.push(key);
  expect(keys).toEqual(['photo/320.webp']);
});

test('a start that fails records no folder', { tags: 'long' }, async () => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const environment = {
    PORT: String(portOf(occupied)),
    DATABASE_URL: database.url,
    COOMERCIO_DATA: folder,
    ROLE: 'worker',
    SANDBOX_PORT: String(await freePorts(5)),
    DEMO: '0',
  };
  const failed = await runCommand('server/main.ts', [], environment);
  occupied.close();
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('EADDRINUSE') });
  expect(await record('others')).toBeNull();
});

test('a damaged id is not replaced', async () => {
  await record('photos');
  await writeFile(join(folder, 'photos/.folder-id'), '');
  await expect(problemOf('photos')).rejects.toThrow('.folder-id does not contain an id');
});

test('a shop with another folder does not start until an admin has said that its photos are there', {
  tags: 'long',
}, async () => {
  await adoptFolder(connection.database, join(folder, 'elsewhere'));
  const environment = { PORT: '1', DATABASE_URL: database.url, COOMERCIO_DATA: folder, DEMO: '0' };
  const refused = await runCommand('server/main.ts', [], environment);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^The photos of this shop are in another folder than .*\n$/);
  const adopted = await runCommand(
    'server/operations/commands/admin.ts',
    ['adopt-photo-folder'],
    environment,
  );
  expect([adopted.code, adopted.stdout]).toEqual([0, expect.stringContaining(join(folder, 'photos'))]);
  expect(await problemOf('photos')).toBeNull();
  expect(await problemOf('elsewhere')).not.toBeNull();
});
