import { createHash } from 'node:crypto';
import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresQueryResult,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';

const mark = '/* prepared */';

/**
 * For the queries that are asked most (`.modifyFront(prepared)`): the database parses and plans such a text once per
 * connection. The query must name its columns, because a migration that adds one would change what `*` means to a
 * plan already made, and its text must take few forms, because every form is kept.
 */
export const prepared: RawBuilder<unknown> = sql.raw(mark);

const commands = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** A connection that gives marked statements a name, by which the database knows them again. */
class PreparingClient {
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
    if (typeof text !== 'string') throw new TypeError('No cursors are used here.');
    return this.#run(text, [...values]);
  }

  #run<Row>(text: string, values: unknown[]): Promise<PostgresQueryResult<Row>> {
    const query = text.includes(mark) ? { name: this.#nameOf(text), text, values } : { text, values };
    // By callback: a promise of the library's own keeps each result alive until the next full collection, which
    // under load quadruples the heap.
    return new Promise((resolve, reject) => {
      this.#client.query(query, (error: Error | null, result) => {
        if (error) return reject(error);
        const command = commands.find((known) => known === result.command) ?? 'SELECT';
        resolve({ command, rowCount: result.rowCount ?? 0, rows: result.rows });
      });
    });
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    this.#names.set(text, name);
    return name;
  }

  release(): void {
    this.#client.release();
  }
}

/** The pool as the query builder wants it, with marked queries prepared. */
export function preparing(pool: Pool): PostgresPool {
  const names = new Map<string, string>();
  const clients = new WeakMap<PoolClient, PreparingClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client);
      if (known !== undefined) return known;
      const made = new PreparingClient(client, names);
      clients.set(client, made);
      return made;
    },
    end: () => pool.end(),
  };
}
