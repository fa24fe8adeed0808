import { setTimeout as pause } from 'node:timers/promises';
import { listenForNotifications } from '../database/notification-listener.ts';

/** The channel of PostgreSQL that wakes the workers of a job type, whose name is the payload. */
export const JOBS_CHANNEL = 'jobs';

/** The least time between two notifications of a process, in milliseconds. Each of them wakes all listeners of all processes. */
const INTERVAL_MS = 50;

/**
 * Tells every process that a transaction with a job has been committed. This is no part of the transaction, because PostgreSQL
 * commits those that notify one after the other, each with its own write to disk (decision 45). What is told within 50 ms after an
 * earlier notification goes with the next one.
 * @param execute runs a query outside of a transaction
 * @param onError called when it fails; the workers then find the jobs by polling
 * @returns tells that there is a new job of a type
 */
export function createTell(
  execute: (text: string, values: unknown[]) => Promise<unknown>,
  onError: (error: unknown) => void,
): (name: string) => void {
  const untold = new Set<string>();
  let isTelling = false;

  async function tellAll(): Promise<void> {
    isTelling = true;
    while (untold.size > 0) {
      const names = [...untold];
      untold.clear();
      await execute(`select pg_notify('${JOBS_CHANNEL}', name) from unnest($1::text[]) name`, [names]).catch(
        onError,
      );
      await pause(INTERVAL_MS, undefined, { ref: false });
    }
    isTelling = false;
  }

  return (name) => {
    untold.add(name);
    if (!isTelling) tellAll();
  };
}

/**
 * Wakes the workers of this process when a process has told of a job.
 * @param workers the workers by job type
 * @param wake wakes one of them
 * @param onDeaf called when no notifications arrive although the connection answers; polling finds the jobs
 * @returns the connection that hears of jobs, to be stopped
 */
export function wakeWorkers(
  connectionString: string,
  { workers, wake }: { workers: ReadonlyMap<string, string>; wake: (worker: string) => void },
  onDeaf: (sentence: string) => void,
) {
  return listenForNotifications(connectionString, JOBS_CHANNEL, {
    // Some jobs may have been told while there was no connection.
    onConnect: () => workers.forEach(wake),
    onNotification: (name) => {
      const worker = workers.get(name);
      if (worker !== undefined) wake(worker);
    },
    onDisconnect: () => undefined,
    onDeaf,
  });
}
