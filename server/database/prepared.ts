import { createHash } from 'node:crypto';
import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresQueryResult,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';

const MARKER = '/* prepared */';

/**
 * Marks a frequent query as a prepared statement (`.modifyFront(prepared)`), which the database parses and plans once per
 * connection. The query must name its columns: a migration that adds one would change what `*` means to an existing plan.
 * Its text must have few variants, because each is stored per connection.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARKER);

/** Marks the text of a frequent query like {@link prepared}. */
export const markAsPrepared = (text: string): string => `${MARKER} ${text}`;

const commands = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** A connection that sends marked queries with a statement name, which is how PostgreSQL reuses them. */
class PreparedStatementClient {
  readonly #client: PoolClient;
  readonly #names: Map<string, string>;

  constructor(client: PoolClient, names: Map<string, string>) {
    this.#client = client;
    this.#names = names;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== 'string') throw new TypeError('Cursors are not supported.');
    return this.#run(text, [...values]);
  }

  #run<Row>(text: string, values: unknown[]): Promise<PostgresQueryResult<Row>> {
    const query = text.includes(MARKER)
      ? { name: this.#statementName(text), text, values }
      : { text, values };
    // With a callback: pg's own promise keeps each result alive until the next full garbage collection, which under
    // load quadruples the heap.
    return new Promise((resolve, reject) => {
      this.#client.query(query, (error: Error | null, result) => {
        if (error) return reject(error);
        const command = commands.find((known) => known === result.command) ?? 'SELECT';
        resolve({ command, rowCount: result.rowCount ?? 0, rows: result.rows });
      });
    });
  }

  #statementName(text: string): string {
    const existing = this.#names.get(text);
    if (existing !== undefined) return existing;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }

  release(): void {
    this.#client.release();
  }
}

/** Adapts a pool for Kysely so that queries marked with {@link prepared} become prepared statements. */
export function withPreparedStatements(pool: Pool): PostgresPool {
  const names = new Map<string, string>();
  const clients = new WeakMap<PoolClient, PreparedStatementClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const existing = clients.get(client);
      if (existing !== undefined) return existing;
      const created = new PreparedStatementClient(client, names);
      clients.set(client, created);
      return created;
    },
    end: () => pool.end(),
  };
}
