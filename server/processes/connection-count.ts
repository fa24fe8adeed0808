import { Client } from 'pg';
import { IDENTITY_CONNECTIONS } from '#identity/plugin.ts';
import type { Config } from '../config.ts';
import { QUEUE_CONNECTIONS } from '../jobs/queue.ts';

/** A process's connections that LISTEN: for cached lists, and for the search index. */
const LISTENING_CONNECTIONS = 2;

/** Connections that the search index opens for a moment while it is loaded, and the command line. */
const OTHER_CONNECTIONS = 4;

type Counted = Pick<Config, 'processes' | 'databaseConnections' | 'identity'>;

/** Computes the most connections that one process opens. */
export function connectionsOfProcess({ databaseConnections, identity }: Omit<Counted, 'processes'>): number {
  const ofIdentityProvider = identity.kind === 'own' ? IDENTITY_CONNECTIONS : 0;
  return (
    databaseConnections + ofIdentityProvider + QUEUE_CONNECTIONS + LISTENING_CONNECTIONS + OTHER_CONNECTIONS
  );
}

/** Computes `max_connections` of the embedded PostgreSQL, which serves only this machine's processes and the command line. */
export function embeddedConnections(config: Counted): number {
  return Math.max(100, config.processes * connectionsOfProcess(config) + 20);
}

/**
 * Warns when the processes of this machine may open more connections than the database allows.
 * @param warn gets a sentence for the operator
 */
export async function warnAboutConnections(
  config: Counted,
  connectionString: string,
  warn: (sentence: string) => void,
): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ available: number }>(
      `select current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int as available`,
    );
    const available = rows[0]?.available ?? 0;
    const each = connectionsOfProcess(config);
    const needed = config.processes * each;
    if (needed <= available) return;
    warn(
      `${config.processes} processes with up to ${each} connections each may need ${needed}, and the database allows ${available}: lower DATABASE_CONNECTIONS or PROCESSES, raise the database's max_connections, or put PgBouncer in front of it.`,
    );
  } finally {
    await client.end();
  }
}

/**
 * Warns when a pooler's connections have no limit on the time of a statement: a process cannot set it on a connection that it
 * shares.
 * @param warn gets a sentence for the operator
 */
export async function warnAboutPooler(databaseUrl: string, warn: (sentence: string) => void): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ timeout: string }>(
      `select current_setting('statement_timeout') as timeout`,
    );
    if (rows[0]?.timeout !== '0') return;
    warn(
      "The pooler's connections have no statement_timeout, so a slow statement could keep one for ever: set it in the pooler, for PgBouncer with connect_query = 'set statement_timeout = 15000; set idle_in_transaction_session_timeout = 15000'.",
    );
  } finally {
    await client.end();
  }
}
