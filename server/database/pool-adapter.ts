import { createHash } from 'node:crypto';
import type { PostgresCursor, PostgresPool, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isDatabaseUnavailable } from './failures.ts';
import { PREPARED, WithCommit } from './prepared.ts';

const commands = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'] as const;

/** Begins to trace a query. @returns a function that ends it, with the query's error or null */
export type TraceQuery = (text: string) => (error: Error | null) => void;

/** What Kysely sends to begin a transaction. */
const isBegin = (text: string) => text === 'begin' || text.startsWith('start transaction');

/** The result of a statement that is sent later or never. */
const noResult: PostgresQueryResult<never> = { command: 'SELECT', rowCount: 0, rows: [] };

interface Statement {
  text: string;
  values: unknown[];
}

/**
 * A connection that sends marked queries with a statement name, which is how PostgreSQL reuses them. It sends the beginning of
 * a transaction in one packet with the first query, and statements with the parameter {@link WithCommit} with the commit
 * (decision 44).
 */
class PooledConnection {
  readonly #client: PoolClient;
  readonly #names: Map<string, string> | null;
  readonly #trace: TraceQuery | null;
  #isInTransaction = false;
  /** What has not been sent of the present transaction: its beginning, and what goes with the commit. */
  readonly #begin: Statement[] = [];
  readonly #forCommit: (Statement & Pick<WithCommit, 'onCommitted'>)[] = [];
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
    const statement = { text, values: [...values] };
    if (isBegin(text)) {
      this.#isInTransaction = true;
      this.#begin.push(statement);
      return Promise.resolve(noResult);
    }
    const mark = values.at(-1);
    if (mark instanceof WithCommit) {
      if (!this.#isInTransaction) throw new Error('A statement for a commit needs a transaction.');
      this.#forCommit.push({ text, values: values.slice(0, -1), onCommitted: mark.onCommitted });
      return Promise.resolve(noResult);
    }
    if (text === 'commit' || text === 'rollback') return this.#end(statement);
    return this.#runTogether(this.#begin.splice(0), statement);
  }

  /** Ends the transaction. Nothing is sent for one without statements. */
  async #end<Row>(end: Statement): Promise<PostgresQueryResult<Row>> {
    this.#isInTransaction = false;
    const begin = this.#begin.splice(0);
    const marked = this.#forCommit.splice(0);
    const last = end.text === 'commit' ? marked : [];
    if (begin.length > 0 && last.length === 0) return noResult;
    const result = await this.#runTogether<Row>([...begin, ...last], end);
    for (const { onCommitted } of last) onCommitted();
    return result;
  }

  /**
   * Runs statements without waiting for the results of earlier ones. After it has rejected a statement of a transaction,
   * PostgreSQL rejects those that follow, and answers a commit with a rollback.
   * @returns the last one's result @throws the first failure
   */
  async #runTogether<Row>(earlier: Statement[], last: Statement): Promise<PostgresQueryResult<Row>> {
    if (earlier.length === 0) return this.#run(last);
    const { stream } = this.#client.connection;
    stream.cork();
    const running = earlier.map((statement) => this.#run(statement));
    const result = this.#run<Row>(last);
    stream.uncork();
    const outcomes = await Promise.allSettled([...running, result]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    return result;
  }

  #run<Row>({ text, values }: Statement): Promise<PostgresQueryResult<Row>> {
    const names = text.includes(PREPARED) ? this.#names : null;
    const query = names === null ? { text, values } : { name: statementName(text, names), text, values };
    // With a callback: pg's own promise keeps each result alive until the next full garbage collection, which under
    // load quadruples the heap.
    const endTrace = this.#trace?.(text);
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

  /** Returns the connection to the pool, which closes one that has become unusable, or whose transaction has not ended. */
  release(): void {
    this.#client.release(!this.#isUsable || this.#isInTransaction);
  }
}

function statementName(text: string, names: Map<string, string>): string {
  const existing = names.get(text);
  if (existing !== undefined) return existing;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}

/**
 * Adapts a pool for Kysely so that queries marked with `prepared` become prepared statements, and a transaction is sent in few
 * packets.
 * @param pool has the option `pipeline`, so that a statement need not wait for the response to the one before
 * @param options.keepsStatements whether the next transaction on a connection finds the statements of the previous one
 * @param options.trace traces each query
 */
export function adaptPool(
  pool: Pool,
  { keepsStatements = true, trace = null }: { keepsStatements?: boolean; trace?: TraceQuery | null } = {},
): PostgresPool {
  const names = keepsStatements ? new Map<string, string>() : null;
  const clients = new WeakMap<PoolClient, PooledConnection>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const existing = clients.get(client);
      if (existing !== undefined) return existing;
      const created = new PooledConnection(client, names, trace);
      clients.set(client, created);
      return created;
    },
    end: () => pool.end(),
  };
}
