import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { Client } from 'pg';

/** Handles the notifications of a channel. Some may have been missed between `onDisconnect` and the next `onConnect`. */
export interface NotificationHandlers {
  /** Called each time the connection starts to LISTEN on the channel. Anything may have happened before. */
  onConnect(): void;
  /** Called for each notification. @param payload its text; empty without one */
  onNotification(payload: string): void;
  /** Called when the connection is lost, including when a heartbeat is not answered. */
  onDisconnect?(): void;
}

interface Subscription extends NotificationHandlers {
  readonly channel: string;
}

/** The notifications that this process receives. */
export type Notifications = ReturnType<typeof listenForNotifications>;

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

/** The `application_name` of the connection for notifications, of which each process has one. */
export const PROCESS_NAME = 'coomercio-process';

const RECONNECT_DELAY_MS = 1_000;

const CONNECT_TIMEOUT_MS = 3_000;

/** How long the end of a connection may take, in milliseconds. A network that drops packets does not confirm it. */
const END_TIMEOUT_MS = 1_000;

/**
 * Holds one connection that LISTENs on all channels of this process and reconnects every second while it is lost.
 * @param connectionString leads to PostgreSQL itself, not to a pooler
 * @param onDeaf called when the connection answers queries and receives no notifications: a pooler is between. Its sentence says
 *   what the operator can do. It is tried again at each interval of the heartbeat
 */
export function listenForNotifications(
  connectionString: string,
  onDeaf: (sentence: string) => void,
  { intervalMs, timeoutMs }: Heartbeat = { intervalMs: 15_000, timeoutMs: 5_000 },
) {
  const subscriptions = new Set<Subscription>();
  let stopped = false;
  let current: Client | null = null;
  /** Whether the current connection receives notifications. */
  let isHearing = false;
  let timer: NodeJS.Timeout | null = null;
  /** Each listener has its own, so that nobody else is woken. */
  const heartbeatChannel = `heartbeat_${randomBytes(8).toString('hex')}`;
  let onHeartbeat: () => void = () => undefined;

  function reconnect(failed: Client): void {
    if (current !== failed) return;
    current = null;
    isHearing = false;
    if (timer !== null) clearTimeout(timer);
    for (const { onDisconnect } of subscriptions) onDisconnect?.();
    end(failed).catch(() => {
      // The connection is lost already, so an error while closing it is irrelevant.
    });
    if (!stopped) timer = setTimeout(connect, RECONNECT_DELAY_MS);
  }

  let last: Promise<unknown> = Promise.resolve();

  /** Runs a statement after the earlier ones, because a connection runs one at a time. */
  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run);
    // Its caller handles a failure; the next statement is run all the same.
    last = result.catch(() => undefined);
    return result;
  }

  /** The round trip that has not begun yet; callers until then share it. */
  let next: Promise<void> | null = null;

  /** Queries the connection. Its failure is handled as a lost connection. */
  async function roundTrip(): Promise<void> {
    const client = current;
    if (client === null) return;
    await client.query('select 1').catch(() => reconnect(client));
  }

  function received(): Promise<void> {
    next ??= inTurn(() => {
      next = null;
      return roundTrip();
    });
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
    await inTurn(() => client.query(`notify ${heartbeatChannel}`));
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

  async function begin(client: Client, subscription: Subscription): Promise<void> {
    await inTurn(() => client.query(`listen "${subscription.channel}"`));
    if (current === client && subscriptions.has(subscription)) subscription.onConnect();
  }

  function connect(): void {
    const client = openClient(PROCESS_NAME);
    current = client;
    client.on('error', () => reconnect(client));
    client.on('end', () => reconnect(client));
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (current !== client) return;
      if (from === heartbeatChannel) onHeartbeat();
      else
        for (const { channel, onNotification } of subscriptions)
          if (channel === from) onNotification(payload);
    });
    client
      .connect()
      .then(() => inTurn(() => client.query(`listen ${heartbeatChannel}`)))
      .then(hearsOthers)
      .then(async (hears) => {
        if (current !== client) return;
        if (hears) {
          isHearing = true;
          await Promise.all([...subscriptions].map((subscription) => begin(client, subscription)));
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
     * Receives the notifications of a channel.
     * @param channel used in SQL unescaped, so never from input
     * @returns ends it
     */
    subscribe: (channel: string, handlers: NotificationHandlers): (() => void) => {
      const subscription = { channel, ...handlers };
      subscriptions.add(subscription);
      const client = current;
      if (client !== null && isHearing) begin(client, subscription).catch(() => reconnect(client));
      return () => void subscriptions.delete(subscription);
    },
    /**
     * Resolves when the notifications of all transactions that this process has committed have been handled, or the
     * connection is lost. PostgreSQL signals listeners before it confirms a commit, and delivers pending notifications
     * before it completes the listener's next query.
     */
    received,
    stop: async (): Promise<void> => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      subscriptions.clear();
      const client = current;
      current = null;
      if (client !== null) await end(client);
    },
  };
}
