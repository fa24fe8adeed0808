import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/harness/platform/postgres.ts';
import { generateTableTypes } from '../../../scripts/table-types.ts';

test('the types of the tables are those of the schema (npm run tables)', async () => {
  const database = await createTestDatabase();
  try {
    expect(await readFile(join(import.meta.dirname, 'tables.generated.ts'), 'utf8')).toBe(
      await generateTableTypes(database.url),
    );
  } finally {
    await database.drop();
  }
});
