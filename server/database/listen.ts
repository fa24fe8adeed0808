import { Client } from 'pg';

/** A standing ear on one PostgreSQL channel. */
export interface Listener {
  stop(): Promise<void>;
}

/** What a listener tells. Between `lost` and `heard` notifications may have been missed. */
export interface Hearing {
  /** A notification came, or the ear is open (again). */
  heard(): void;
  /** The connection broke; it is tried again every second. */
  lost(): void;
}

const RETRY_MILLISECONDS = 1_000;

/**
 * Listens to a channel on a connection of its own, for as long as the process runs.
 * @param channel a name of our own, put into SQL as it is
 */
export function listen(connectionString: string, channel: string, hearing: Hearing): Listener {
  let stopped = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  function retry(failed: Client): void {
    if (client !== failed) return;
    client = null;
    hearing.lost();
    failed.end().catch(() => {
      // It is broken already; that it cannot be closed either changes nothing.
    });
    if (!stopped) timer = setTimeout(open, RETRY_MILLISECONDS);
  }

  function open(): void {
    const opened = new Client({ connectionString, connectionTimeoutMillis: 3_000, keepAlive: true });
    client = opened;
    opened.on('error', () => retry(opened));
    opened.on('end', () => retry(opened));
    opened.on('notification', () => hearing.heard());
    opened
      .connect()
      .then(() => opened.query(`listen ${channel}`))
      .then(() => hearing.heard())
      .catch(() => retry(opened));
  }

  open();
  return {
    stop: async () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      const open = client;
      client = null;
      await open?.end();
    },
  };
}
