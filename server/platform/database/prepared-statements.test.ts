import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/harness/platform/postgres.ts';
import { connect } from './connect.ts';
import { prepared } from './prepared-statements.ts';

test('prepares a marked query once per connection, and no other query', async () => {
  const testDatabase = await createTestDatabase();
  const { database, close } = connect(testDatabase.url, () => undefined);
  try {
    await database.connection().execute(async (connection) => {
      const brands = connection.selectFrom('brands').select('category_id').orderBy('position');
      for (const position of [1, 2, 3]) {
        const marked = brands.modifyFront(prepared).where('position', '=', position);
        expect(await marked.execute()).toEqual(await brands.where('position', '=', position).execute());
      }
      const { rows } = await sql<{ statement: string; runs: string }>`
        select statement, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(
        connection,
      );
      expect(rows).toEqual([{ statement: expect.stringContaining('"position" = $1'), runs: '3' }]);
    });
  } finally {
    await close();
    await testDatabase.drop();
  }
});

test('returns the number of updated rows', async () => {
  const testDatabase = await createTestDatabase();
  const { database, close } = connect(testDatabase.url, () => undefined);
  try {
    const { numUpdatedRows } = await database
      .updateTable('brands')
      .set({ image: '/brands/new.svg' })
      .where('category_id', 'in', ['HP', 'Dell'])
      .executeTakeFirstOrThrow();
    expect(numUpdatedRows).toBe(2n);
  } finally {
    await close();
    await testDatabase.drop();
  }
});
