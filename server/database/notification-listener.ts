import { Client } from 'pg';

/** Notifications may have been missed between `onDisconnect` and the next `onConnect`. */
export interface NotificationHandlers {
  /** Called each time the connection starts to LISTEN. Anything may have happened before. */
  onConnect(): void;
  /** Called for each notification. @param payload its text; empty without one */
  onNotification(payload: string): void;
  /** Called when the connection is lost, including when a heartbeat is not answered. */
  onDisconnect(): void;
}

/** A query that detects connections which a network has dropped silently. */
export interface Heartbeat {
  /** Time between two heartbeats, in milliseconds. */
  intervalMs: number;
  /** How long a query may take before the connection counts as lost, in milliseconds. */
  timeoutMs: number;
}

const RECONNECT_DELAY_MS = 1_000;

/**
 * Holds one connection that LISTENs on a channel and reconnects every second while it is lost.
 * @param channel used in SQL unescaped, so never from input
 */
export function listenForNotifications(
  connectionString: string,
  channel: string,
  { onConnect, onNotification, onDisconnect }: NotificationHandlers,
  { intervalMs, timeoutMs }: Heartbeat = { intervalMs: 15_000, timeoutMs: 5_000 },
) {
  let stopped = false;
  let current: Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  function reconnect(failed: Client): void {
    if (current !== failed) return;
    current = null;
    if (timer !== null) clearTimeout(timer);
    onDisconnect();
    failed.end().catch(() => {
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

  function scheduleHeartbeat(client: Client): void {
    if (current !== client) return;
    timer = setTimeout(() => void received().then(() => scheduleHeartbeat(client)), intervalMs);
  }

  function connect(): void {
    const client = new Client({ connectionString, connectionTimeoutMillis: 3_000, query_timeout: timeoutMs });
    current = client;
    client.on('error', () => reconnect(client));
    client.on('end', () => reconnect(client));
    client.on('notification', ({ payload = '' }) => {
      if (current === client) onNotification(payload);
    });
    client
      .connect()
      .then(() => client.query(`listen ${channel}`))
      .then(() => {
        if (current !== client) return;
        onConnect();
        scheduleHeartbeat(client);
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
      await client?.end();
    },
  };
}
