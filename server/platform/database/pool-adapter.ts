import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { PREPARED } from './prepared-statements.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const commands = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** Begins to trace a query. @returns a function that ends it, with the query's error or null */
export type TraceQuery = (text: string) => (error: Error | null) => void;

/** A connection that sends marked queries with a statement name, by which PostgreSQL reuses them. */
class PooledConnection {
  readonly #client: PoolClient;
  readonly #names: Map<string, string> | null;
  readonly #trace: TraceQuery | null;
  #isUsable = true;

  /** @param names of the texts; null when the connection keeps no statements */
  constructor(client: PoolClient, names: Map<string, string> | null, trace: TraceQuery | null) {
    this.#client = client;
    this.#names = names;
    this.#trace = trace;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== 'string') throw new TypeError('Cursors are not supported.');
    const names = text.includes(PREPARED) ? this.#names : null;
    const query = {
      text,
      values: [...values],
      ...(names !== null && { name: statementName(text, names) }),
    };
    const endTrace = this.#trace?.(text);
    // With a callback: pg's own promise keeps each result alive until the next full garbage collection, which under
    // load quadruples the heap.
    return new Promise((resolve, reject) => {
      this.#client.query(query, (error: Error | null, result) => {
        endTrace?.(error);
        if (error) {
          // For instance a former primary, which a failover has left behind, or a network that answers no more.
          if (isDatabaseUnavailable(error)) this.#isUsable = false;
          return reject(error);
        }
        if (text === 'commit' && result.command === 'ROLLBACK') {
          return reject(new Error('The transaction was rolled back, because a statement of it had failed.'));
        }
        const command = commands.find((known) => known === result.command) ?? 'SELECT';
        resolve({ command, rowCount: result.rowCount ?? 0, rows: result.rows });
      });
    });
  }

  /** Returns the connection to the pool, which closes one that has become unusable. */
  release(): void {
    this.#client.release(!this.#isUsable);
  }
}

/** The name of a prepared statement. @param names those of the texts so far */
export function statementName(text: string, names: Map<string, string>): string {
  const existing = names.get(text);
  if (existing !== undefined) return existing;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}

/**
 * Adapts a pool for Kysely so that queries marked with `prepared` become prepared statements.
 * @param options.keepsStatements whether the next transaction on a connection finds the statements of the previous one
 * @param options.trace traces each query
 */
export function adaptPool(
  pool: Pool,
  { keepsStatements = true, trace = null }: { keepsStatements?: boolean; trace?: TraceQuery | null } = {},
): PostgresPool {
  const names = keepsStatements ? new Map<string, string>() : null;
  return {
    connect: async () => new PooledConnection(await pool.connect(), names, trace),
    end: () => pool.end(),
  };
}
