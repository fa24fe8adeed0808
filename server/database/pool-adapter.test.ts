import { CompiledQuery, sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#tests/harness/postgres.ts';
import { connect } from './connect.ts';
import { WithCommit } from './prepared.ts';

describe('a transaction', () => {
  /** Runs a test with a connection to a database of its own. @param sent the texts that were sent, in order */
  async function withDatabase(
    run: (context: { database: ReturnType<typeof connect>['database']; sent: string[] }) => Promise<void>,
  ): Promise<void> {
    const testDatabase = await createTestDatabase();
    const sent: string[] = [];
    const { database, close } = connect(testDatabase.url, () => undefined, {
      connections: 1,
      traceQuery: (text) => {
        sent.push(text);
        return () => undefined;
      },
    });
    try {
      await run({ database, sent });
    } finally {
      await close();
      await testDatabase.drop();
    }
  }

  const imageOfHp = sql<{ image: string }>`select image from brands where category_id = 'HP'`;
  const setImageAtCommit = (image: string | null, onCommitted: () => void = () => undefined) =>
    CompiledQuery.raw("update brands set image = $1 where category_id = 'HP'", [
      image,
      new WithCommit(onCommitted),
    ]);

  test('begins with its first query, and is not sent without one', () =>
    withDatabase(async ({ database, sent }) => {
      expect(await database.transaction().execute(async () => 'nothing')).toBe('nothing');
      expect(sent).toEqual([]);
      await database
        .transaction()
        .setIsolationLevel('serializable')
        .execute((transaction) => imageOfHp.execute(transaction));
      expect(sent).toEqual([
        'start transaction isolation level serializable',
        expect.stringContaining('select image'),
        'commit',
      ]);
    }));

  test('is rolled back when its first query fails', () =>
    withDatabase(async ({ database, sent }) => {
      const failing = database.transaction().execute(async (transaction) => {
        await sql`update brands set image = null`.execute(transaction);
      });
      await expect(failing).rejects.toMatchObject({ code: '23502' });
      expect(sent.at(-1)).toBe('rollback');
      expect((await imageOfHp.execute(database)).rows).toHaveLength(1);
    }));

  test('runs what is marked for its commit, and is rolled back when that fails', () =>
    withDatabase(async ({ database, sent }) => {
      const onCommitted = vi.fn();
      await database.transaction().execute(async (transaction) => {
        await transaction.executeQuery(setImageAtCommit('/brands/at-commit.svg', onCommitted));
        expect(sent).toEqual([]);
        expect(onCommitted).not.toHaveBeenCalled();
      });
      expect(onCommitted).toHaveBeenCalledOnce();
      const image = [{ image: '/brands/at-commit.svg' }];
      expect((await imageOfHp.execute(database)).rows).toEqual(image);
      const failing = database.transaction().execute(async (transaction) => {
        await sql`update brands set image = '/brands/other.svg'`.execute(transaction);
        await transaction.executeQuery(setImageAtCommit(null, onCommitted));
      });
      await expect(failing).rejects.toMatchObject({ code: '23502' });
      expect(onCommitted).toHaveBeenCalledOnce();
      expect((await imageOfHp.execute(database)).rows).toEqual(image);
    }));

  test('that is rolled back drops what is marked for its commit', () =>
    withDatabase(async ({ database, sent }) => {
      const onCommitted = vi.fn();
      const failing = database.transaction().execute(async (transaction) => {
        await imageOfHp.execute(transaction);
        await transaction.executeQuery(setImageAtCommit('/brands/dropped.svg', onCommitted));
        throw new Error('a rule failed');
      });
      await expect(failing).rejects.toThrow('a rule failed');
      await database.transaction().execute((transaction) => imageOfHp.execute(transaction));
      expect(sent.filter((text) => text.includes('update'))).toEqual([]);
      expect(onCommitted).not.toHaveBeenCalled();
    }));

  test('does not pass as committed when a caught failure has rolled it back', () =>
    withDatabase(async ({ database }) => {
      const failing = database.transaction().execute(async (transaction) => {
        await sql`update brands set image = '/brands/lost.svg'`.execute(transaction);
        await expect(sql`select 1 / 0`.execute(transaction)).rejects.toThrow('division by zero');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect((await imageOfHp.execute(database)).rows).not.toEqual([{ image: '/brands/lost.svg' }]);
    }));

  test('is needed for a statement that is marked for a commit', () =>
    withDatabase(async ({ database }) => {
      await expect(database.executeQuery(setImageAtCommit('/brands/alone.svg'))).rejects.toThrow(
        'needs a transaction',
      );
    }));
});
