import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '#server/platform/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';
import { readBackupState } from './store.ts';

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect(database.url, () => undefined);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

test('a new shop expects no backups and has none', async () => {
  expect(await readBackupState(connection.database)).toEqual({
    everyMs: null,
    expectedSince: null,
    runningSince: null,
    last: null,
    verification: null,
    lastPassedAt: null,
    lastUsableAt: null,
    failures: 0,
    failureCount: 0,
    lastFailure: null,
    retryAt: null,
    notifiedAt: null,
  });
});
