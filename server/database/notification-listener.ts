import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { Client } from 'pg';

/** Notifications may have been missed between `onDisconnect` and the next `onConnect`. */
export interface NotificationHandlers {
  /** Called each time the connection starts to LISTEN. Anything may have happened before. */
  onConnect(): void;
  /** Called for each notification. @param payload its text; empty without one */
  onNotification(payload: string): void;
  /** Called when the connection is lost, including when a heartbeat is not answered. */
  onDisconnect(): void;
  /**
   * Called instead of `onConnect` when a connection answers queries and receives no notifications: a pooler is between.
   * @param sentence what the operator can do
   */
  onDeaf(sentence: string): void;
}

/**
 * A notification that the listener sends to itself. It detects connections which a network has dropped silently, and those
 * that answer queries and receive no notifications, as through a pooler in transaction mode.
 */
export interface Heartbeat {
  /** Time between two heartbeats, in milliseconds. */
  intervalMs: number;
  /** How long a query may take before the connection counts as lost, in milliseconds. */
  timeoutMs: number;
}

const DEAF =
  'The connection for notifications answers queries and receives no notifications: lists are not kept in memory, and changes show late. Set DATABASE_DIRECT_URL to an address of PostgreSQL itself, not of a pooler.';

/** The `application_name` of the one connection of each process that hears of changed lists. */
export const PROCESS_NAME = 'coomercio-process';

const RECONNECT_DELAY_MS = 1_000;

const CONNECT_TIMEOUT_MS = 3_000;

/** How long the end of a connection may take, in milliseconds. A network that drops packets does not confirm it. */
const END_TIMEOUT_MS = 1_000;

/**
 * Holds one connection that LISTENs on a channel and reconnects every second while it is lost.
 * @param channel used in SQL unescaped, so never from input
 * @param options.name the `application_name` of the connection
 */
export function listenForNotifications(
  connectionString: string,
  channel: string,
  { onConnect, onNotification, onDisconnect, onDeaf }: NotificationHandlers,
  {
    heartbeat: { intervalMs, timeoutMs } = { intervalMs: 15_000, timeoutMs: 5_000 },
    name,
  }: { heartbeat?: Heartbeat; name?: string } = {},
) {
  let stopped = false;
  let current: Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Each listener has its own, so that nobody else is woken. */
  const heartbeatChannel = `heartbeat_${randomBytes(8).toString('hex')}`;
  let onHeartbeat: () => void = () => undefined;

  function reconnect(failed: Client): void {
    if (current !== failed) return;
    current = null;
    if (timer !== null) clearTimeout(timer);
    onDisconnect();
    end(failed).catch(() => {
      // The connection is lost already, so an error while closing it is irrelevant.
    });
    if (!stopped) timer = setTimeout(connect, RECONNECT_DELAY_MS);
  }

  /** The round trip that has not begun yet; callers until then share it. */
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();

  /** Queries the connection. Its failure is handled as a lost connection. */
  async function roundTrip(): Promise<void> {
    const client = current;
    if (client === null) return;
    await client.query('select 1').catch(() => reconnect(client));
  }

  function received(): Promise<void> {
    next ??= last.then(() => {
      next = null;
      return roundTrip();
    });
    last = next;
    return next;
  }

  const sockets = new WeakMap<Client, Socket>();

  function openClient(applicationName?: string): Client {
    const socket = new Socket();
    const client = new Client({
      connectionString,
      ...(applicationName !== undefined && { application_name: applicationName }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: timeoutMs,
      keepAlive: true,
      stream: () => socket,
    });
    sockets.set(client, socket);
    return client;
  }

  async function end(client: Client): Promise<void> {
    const deadline = setTimeout(() => sockets.get(client)?.destroy(), END_TIMEOUT_MS);
    await client.end().finally(() => clearTimeout(deadline));
  }

  /**
   * Sends a notification to this listener from another connection, while its own is idle: a pooler in transaction mode
   * passes on only what arrives during a transaction.
   * @returns whether it has arrived in time
   * @throws the error of a lost connection
   */
  async function hearsOthers(): Promise<boolean> {
    const arrived = Promise.withResolvers<boolean>();
    onHeartbeat = () => arrived.resolve(true);
    const sender = openClient();
    // A lost connection also fails the query under way, which reports it.
    sender.on('error', () => undefined);
    await sender.connect();
    try {
      await sender.query(`notify ${heartbeatChannel}`);
    } finally {
      await end(sender);
    }
    const deadline = setTimeout(() => arrived.resolve(false), timeoutMs);
    return arrived.promise.finally(() => clearTimeout(deadline));
  }

  /**
   * Sends a notification on this connection, which PostgreSQL delivers before it completes the statement. A former primary,
   * which a failover has left behind, refuses it.
   * @throws Error when it has not arrived, or the connection is lost
   */
  async function beat(client: Client): Promise<void> {
    let hasArrived = false;
    onHeartbeat = () => {
      hasArrived = true;
    };
    await client.query(`notify ${heartbeatChannel}`);
    if (!hasArrived) throw new Error(DEAF);
  }

  function scheduleHeartbeat(client: Client): void {
    if (current !== client) return;
    timer = setTimeout(() => {
      beat(client).then(
        () => scheduleHeartbeat(client),
        () => reconnect(client),
      );
    }, intervalMs);
  }

  function connect(): void {
    const client = openClient(name);
    current = client;
    client.on('error', () => reconnect(client));
    client.on('end', () => reconnect(client));
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (current !== client) return;
      if (from === heartbeatChannel) onHeartbeat();
      else onNotification(payload);
    });
    client
      .connect()
      .then(() => client.query(`listen ${channel}; listen ${heartbeatChannel}`))
      .then(hearsOthers)
      .then((hears) => {
        if (current !== client) return;
        if (hears) {
          onConnect();
          scheduleHeartbeat(client);
          return;
        }
        onDeaf(DEAF);
        current = null;
        end(client).catch(() => {
          // The connection is of no use, so an error while closing it is irrelevant.
        });
        if (!stopped) timer = setTimeout(connect, intervalMs);
      })
      .catch(() => reconnect(client));
  }

  connect();
  return {
    /**
     * Resolves when the notifications of all transactions that this process has committed have been handled, or the
     * connection is lost. PostgreSQL signals listeners before it confirms a commit, and delivers pending notifications
     * before it completes the listener's next query.
     */
    received,
    stop: async (): Promise<void> => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      const client = current;
      current = null;
      if (client !== null) await end(client);
    },
  };
}
