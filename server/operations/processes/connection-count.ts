import { IDENTITY_CONNECTIONS } from '#identity/plugin.ts';
import { withClient } from '#server/platform/database/connect.ts';
import { QUEUE_CONNECTIONS } from '#server/platform/jobs/queue.ts';
import type { Config } from '../configuration/config.ts';

/** A process's connections for notifications. */
const LISTENING_CONNECTIONS = 1;

/** Short-lived connections: those of heartbeats, of advisory locks, and of the command line. */
const TEMPORARY_CONNECTIONS = 4;

/** A periodic backup's connections: the advisory lock, the backup or its restore, and the queue whose tables that creates. */
const BACKUP_CONNECTIONS = 2 + QUEUE_CONNECTIONS;

/** The settings that decide how many connections are opened. */
type ConnectionSettings = Pick<Config, 'processes' | 'databaseConnections' | 'identity' | 'role'> & {
  backupDestination: object | null;
};

/** Computes the maximum number of connections of one process, without those of a backup. */
function connectionsPerProcess({
  databaseConnections,
  identity,
}: Pick<ConnectionSettings, 'databaseConnections' | 'identity'>): number {
  const ofIdentityProvider = identity.kind === 'own' ? IDENTITY_CONNECTIONS : 0;
  return (
    databaseConnections +
    ofIdentityProvider +
    QUEUE_CONNECTIONS +
    LISTENING_CONNECTIONS +
    TEMPORARY_CONNECTIONS
  );
}

/** Of several processes with background work, one at a time makes a backup; web processes make none. */
const connectionsOfBackup = ({ backupDestination, role }: ConnectionSettings): number =>
  backupDestination === null || role === 'web' ? 0 : BACKUP_CONNECTIONS;

/** Computes the maximum number of connections of all processes of this machine. */
const maximumConnections = (settings: ConnectionSettings): number =>
  settings.processes * connectionsPerProcess(settings) + connectionsOfBackup(settings);

/** Computes `max_connections` of the embedded PostgreSQL, which serves only this machine's processes and the command line. */
export function embeddedConnections(settings: ConnectionSettings): number {
  return Math.max(100, maximumConnections(settings) + 20);
}

/** Reads a value of the server's settings. */
const readSetting = (connectionString: string, value: string): Promise<string> =>
  withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ value: string }>(`select (${value})::text as value`);
    return rows[0]?.value ?? '';
  });

/**
 * Warns when the processes of this machine may open more connections than the database allows.
 * @param warn called with a message for the operator
 */
export async function warnAboutConnections(
  settings: ConnectionSettings,
  connectionString: string,
  warn: (sentence: string) => void,
): Promise<void> {
  const available = Number(
    await readSetting(
      connectionString,
      `current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int`,
    ),
  );
  const needed = maximumConnections(settings);
  if (needed <= available) return;
  const ofBackup = connectionsOfBackup(settings);
  const processes = settings.processes === 1 ? '1 process' : `${settings.processes} processes`;
  warn(
    `${processes} with up to ${connectionsPerProcess(settings)} connections each${ofBackup === 0 ? '' : `, and ${ofBackup} for a backup,`} may need ${needed}, and the database allows ${available}: lower DATABASE_CONNECTIONS or PROCESSES, raise the database's max_connections, or put PgBouncer in front of it.`,
  );
}

/**
 * Warns when a pooler's connections have no `statement_timeout`: a process cannot set it on a connection that it shares with
 * other clients.
 * @param warn called with a message for the operator
 */
export async function warnAboutPooler(databaseUrl: string, warn: (sentence: string) => void): Promise<void> {
  if ((await readSetting(databaseUrl, `current_setting('statement_timeout')`)) !== '0') return;
  warn(
    "The pooler's connections have no statement_timeout, so a slow statement could keep one for ever: set it in the pooler, for PgBouncer with connect_query = 'set statement_timeout = 15000; set idle_in_transaction_session_timeout = 15000'.",
  );
}
