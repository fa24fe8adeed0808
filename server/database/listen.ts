import { Client } from 'pg';

/** A standing ear on one PostgreSQL channel. */
export interface Listener {
  stop(): Promise<void>;
}

/** What a listener tells. Between `lost` and `heard` notifications may have been missed. */
export interface Hearing {
  /** A notification came, or the ear is open (again). */
  heard(): void;
  /** The connection broke or fell silent; it is tried again every second. */
  lost(): void;
}

const RETRY_MILLISECONDS = 1_000;

/**
 * How often the connection is asked whether it still holds, and for how long it may be silent, in milliseconds. One
 * that a network dropped without a word looks as if nothing ever changed.
 */
export interface Pulse {
  every: number;
  patience: number;
}

/**
 * Listens to a channel on a connection of its own, for as long as the process runs.
 * @param channel a name of our own, put into SQL as it is
 */
export function listen(
  connectionString: string,
  channel: string,
  hearing: Hearing,
  { every, patience }: Pulse = { every: 15_000, patience: 5_000 },
): Listener {
  let stopped = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  function retry(failed: Client): void {
    if (client !== failed) return;
    client = null;
    if (timer !== null) clearTimeout(timer);
    hearing.lost();
    failed.end().catch(() => {
      // It is broken already; that it cannot be closed either changes nothing.
    });
    if (!stopped) timer = setTimeout(open, RETRY_MILLISECONDS);
  }

  function hear(from: Client): void {
    if (client === from) hearing.heard();
  }

  function feelPulse(asked: Client): void {
    if (client !== asked) return;
    timer = setTimeout(() => {
      asked.query('select 1').then(
        () => feelPulse(asked),
        () => retry(asked),
      );
    }, every);
  }

  function open(): void {
    const opened = new Client({ connectionString, connectionTimeoutMillis: 3_000, query_timeout: patience });
    client = opened;
    opened.on('error', () => retry(opened));
    opened.on('end', () => retry(opened));
    opened.on('notification', () => hear(opened));
    opened
      .connect()
      .then(() => opened.query(`listen ${channel}`))
      .then(() => {
        hear(opened);
        feelPulse(opened);
      })
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
