import { Socket } from 'node:net';
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import { DatabaseError, Pool } from 'pg';
import { isDatabaseUnavailable } from './failures.ts';
import { adaptPool } from './pool-adapter.ts';
import type { Database, Reader, Tables } from './tables.ts';

/** Where a query was answered. */
export type ReadSource = 'replica' | 'primary';

/** Reads what every visitor may see, from a replica where there is one. */
export interface PublicReader {
  /**
   * Runs a query on the replica if it has every change of which this process was notified, otherwise on the primary.
   * @param query only reads; it may run twice
   */
  read<Result>(query: (reader: Reader) => Promise<Result>): Promise<Result>;
  /** Called for each notification of a change, and when notifications begin: the replica must have caught up with them. */
  noteChange(): void;
  /** Called when notifications may be missed. The replica is not used until the next `noteChange`. */
  suspend(): void;
  close(): Promise<void>;
}

/** Creates the reader of a shop without a replica. */
export function readFromPrimary(primary: Database): PublicReader {
  return {
    read: (query) => query(primary),
    noteChange: () => undefined,
    suspend: () => undefined,
    close: async () => undefined,
  };
}

export interface ReplicaOptions {
  primary: Database;
  /** Leads to one replica or to several, as through HAProxy, and not to a pooler: replay is known by connection. */
  replicaUrl: string;
  /** The most connections to the replica. */
  connections: number;
  onRead(source: ReadSource): void;
  /** Called when the replica fails. It is left out until it answers again. */
  onAway(error: unknown): void;
  /** Called when the replica answers again. */
  onReturn(): void;
  /** Called when the primary does not say how far its log is. It is asked again. */
  onError(error: unknown): void;
}

/** How long a read waits for a connection to the replica or for its rows, in milliseconds. The primary then answers. */
const TIMEOUT_MS = 1_000;

const RETRY_MS = 1_000;

/** The replica lacks changes of which this process was notified. */
class ReplicaBehindError extends Error {}

class NotAReplicaError extends Error {
  constructor() {
    super('DATABASE_REPLICA_URL leads to a server that is not a replica.');
  }
}

/** A position in the write-ahead log, in bytes. */
type LogPosition = bigint;

const toPosition = (text: string): LogPosition => BigInt(text);

async function readPrimaryPosition(primary: Database): Promise<LogPosition> {
  // Not the flushed position: with `synchronous_commit = off`, notifications are sent before the flush.
  const { rows } = await sql<{ position: string }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as position
  `.execute(primary);
  return toPosition(rows[0]?.position ?? '');
}

/** @throws NotAReplicaError, and the error of the connection */
async function readReplayedPosition(client: PostgresPoolClient): Promise<LogPosition> {
  const { rows } = await client.query<{ position: string | null }>(
    `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text end as position`,
    [],
  );
  const position = rows[0]?.position;
  if (typeof position !== 'string') throw new NotAReplicaError();
  return toPosition(position);
}

/** Connections to the replica, which are discarded together when one of them fails. */
function openConnections(
  { replicaUrl, connections }: ReplicaOptions,
  requiredPosition: () => LogPosition | null,
) {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    connectionString: replicaUrl,
    max: connections,
    connectionTimeoutMillis: TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    query_timeout: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    idle_in_transaction_session_timeout: TIMEOUT_MS,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return socket;
    },
  });
  // A lost connection also fails the query under way, which reports it.
  const ignore = () => undefined;
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  const clients = adaptPool(pool);
  /** How far the server of each connection had replayed when it was last asked. It never goes back. */
  const replayed = new WeakMap<PostgresPoolClient, LogPosition>();

  /** @throws ReplicaBehindError, and the error of the connection */
  async function connect(): Promise<PostgresPoolClient> {
    const client = await clients.connect();
    try {
      const required = requiredPosition();
      if (required === null) throw new ReplicaBehindError();
      if ((replayed.get(client) ?? -1n) < required) {
        const position = await readReplayedPosition(client);
        replayed.set(client, position);
        if (position < required) throw new ReplicaBehindError();
      }
      return client;
    } catch (error) {
      client.release();
      throw error;
    }
  }

  return {
    database: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { connect, end: () => clients.end() } }),
    }),
    /** @throws NotAReplicaError, and the error of the connection */
    check: async (): Promise<void> => {
      const client = await clients.connect();
      try {
        await readReplayedPosition(client);
      } finally {
        client.release();
      }
    },
    /** Ends all connections at once; their queries fail. A network that drops packets would not confirm an orderly end. */
    discard: async (): Promise<void> => {
      const ended = pool.end();
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

/**
 * Creates a reader that uses a replica.
 *
 * A response that is kept in memory is removed when a change of it is notified. A replica that has yet to replay that change
 * would put it back, to stay. So each notification requires the replica to have replayed the log up to where the primary is
 * afterwards, and a connection whose server has not is not used.
 */
export function readFromReplica(options: ReplicaOptions): PublicReader {
  const { primary, onRead, onAway, onReturn, onError } = options;
  /** Where the primary's log was after the last notification; null while that is not known. */
  let required: LogPosition | null = null;
  /** Counts the notifications. */
  let version = 0;
  let isNotified = false;
  let isClosed = false;
  let isAsking = false;
  let retry: NodeJS.Timeout | null = null;
  /** Not null while the replica is left out. */
  let check: NodeJS.Timeout | null = null;
  const open = () => openConnections(options, () => required);
  let replica = open();

  async function askPrimary(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      while (isNotified && required === null) {
        const asked = version;
        const position = await readPrimaryPosition(primary);
        if (version === asked) required = position;
      }
    } catch (error) {
      if (isClosed) return;
      onError(error);
      if (retry !== null) clearTimeout(retry);
      retry = setTimeout(() => void askPrimary(), RETRY_MS);
    } finally {
      isAsking = false;
    }
  }

  function checkLater(): void {
    check = setTimeout(() => {
      replica.check().then(
        () => {
          check = null;
          if (!isClosed) onReturn();
        },
        () => {
          if (!isClosed) checkLater();
        },
      );
    }, RETRY_MS);
  }

  function leaveOut(failed: typeof replica, error: unknown): void {
    if (replica !== failed || check !== null || isClosed) return;
    replica = open();
    checkLater();
    onAway(error);
    failed.discard().catch(() => {
      // It has failed already.
    });
  }

  return {
    read: async (query) => {
      const current = replica;
      if (required !== null && check === null) {
        try {
          const result = await query(current.database);
          onRead('replica');
          return result;
        } catch (error) {
          const isBehind = error instanceof ReplicaBehindError;
          const hasFailed =
            error instanceof DatabaseError ||
            error instanceof NotAReplicaError ||
            isDatabaseUnavailable(error);
          // For instance a refusal, which the rows have given reason for.
          if (!isBehind && !hasFailed) throw error;
          if (hasFailed) leaveOut(current, error);
        }
      }
      onRead('primary');
      return query(primary);
    },
    noteChange: () => {
      isNotified = true;
      version += 1;
      required = null;
      void askPrimary();
    },
    suspend: () => {
      isNotified = false;
      version += 1;
      required = null;
    },
    close: async () => {
      isClosed = true;
      isNotified = false;
      if (retry !== null) clearTimeout(retry);
      if (check !== null) clearTimeout(check);
      await replica.discard();
    },
  };
}
