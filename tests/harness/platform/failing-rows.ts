import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';

/**
 * Lets the database refuse to write or delete some rows, as a bug does that concerns one item.
 * @param condition in SQL, about `old` or `new`
 * @returns ends it when disposed
 */
export async function failRows(
  pool: Pool,
  [table, event]: readonly [table: string, event: 'insert' | 'update' | 'delete'],
  condition: string,
): Promise<AsyncDisposable> {
  const name = `fail_rows_${randomBytes(6).toString('hex')}`;
  await pool.query(`
    create function ${name}() returns trigger language plpgsql as $$
      begin
        raise exception 'this row fails';
      end
    $$;
    create trigger ${name} before ${event} on ${table} for each row when (${condition}) execute function ${name}()`);
  return {
    [Symbol.asyncDispose]: async () => {
      await pool.query(`drop function ${name} cascade`);
    },
  };
}
