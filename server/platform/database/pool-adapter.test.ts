import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/harness/platform/postgres.ts';
import { connect } from './connect.ts';

test('a transaction does not pass as committed when a caught failure has rolled it back', async () => {
  const testDatabase = await createTestDatabase();
  const { database, close } = connect(testDatabase.url, () => undefined);
  try {
    const failing = database.transaction().execute(async (transaction) => {
      await sql`update brands set image = '/brands/lost.svg'`.execute(transaction);
      await expect(sql`select 1 / 0`.execute(transaction)).rejects.toThrow('division by zero');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const { rows } = await sql`select from brands where image = '/brands/lost.svg'`.execute(database);
    expect(rows).toEqual([]);
  } finally {
    await close();
    await testDatabase.drop();
  }
});
