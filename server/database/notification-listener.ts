import { Client } from 'pg';

/** Notifications may have been missed between `onDisconnect` and the next `onNotification`. */
export interface NotificationHandlers {
  /** Called for each notification, and each time the connection starts to LISTEN. */
  onNotification(): void;
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
  { onNotification, onDisconnect }: NotificationHandlers,
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

  function handleNotification(client: Client): void {
    if (current === client) onNotification();
  }

  function scheduleHeartbeat(client: Client): void {
    if (current !== client) return;
    timer = setTimeout(() => {
      client.query('select 1').then(
        () => scheduleHeartbeat(client),
        () => reconnect(client),
      );
    }, intervalMs);
  }

  function connect(): void {
    const client = new Client({ connectionString, connectionTimeoutMillis: 3_000, query_timeout: timeoutMs });
    current = client;
    client.on('error', () => reconnect(client));
    client.on('end', () => reconnect(client));
    client.on('notification', () => handleNotification(client));
    client
      .connect()
      .then(() => client.query(`listen ${channel}`))
      .then(() => {
        handleNotification(client);
        scheduleHeartbeat(client);
      })
      .catch(() => reconnect(client));
  }

  connect();
  return {
    stop: async (): Promise<void> => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      const client = current;
      current = null;
      await client?.end();
    },
  };
}
