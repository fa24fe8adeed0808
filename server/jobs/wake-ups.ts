import { setTimeout as pause } from 'node:timers/promises';
import { listenForNotifications } from '../database/notification-listener.ts';

/** The channel of PostgreSQL that wakes the workers of a job type, whose name is the payload. */
export const JOBS_CHANNEL = 'jobs';

/** The least time between two notifications of a process, in milliseconds. Each of them wakes all listeners of all processes. */
const INTERVAL_MS = 50;

/**
 * Creates the function that notifies the workers of all processes of a job, after its transaction has been committed. The
 * notification is no part of the transaction, because PostgreSQL commits those that notify one after the other, each with its own
 * write to disk (decision 45). Job types that arrive until 50 ms after a notification was answered share the next one.
 * @param execute runs a query outside of a transaction
 * @param onError called when it fails; the workers then find the jobs by polling
 */
export function createNotifyWorkers(
  execute: (text: string, values: unknown[]) => Promise<unknown>,
  onError: (error: unknown) => void,
): (jobType: string) => void {
  const pending = new Set<string>();
  let isSending = false;

  async function sendPending(): Promise<void> {
    const jobTypes = [...pending];
    pending.clear();
    try {
      await execute(`select pg_notify('${JOBS_CHANNEL}', name) from unnest($1::text[]) name`, [jobTypes]);
    } catch (error) {
      onError(error);
    }
    await pause(INTERVAL_MS, undefined, { ref: false });
  }

  async function send(): Promise<void> {
    isSending = true;
    try {
      while (pending.size > 0) await sendPending();
    } finally {
      isSending = false;
    }
  }

  return (jobType) => {
    pending.add(jobType);
    if (!isSending) send().catch(onError);
  };
}

/**
 * Wakes the workers of this process when any process notifies of a job.
 * @param workers the workers by job type
 * @param wake wakes one of them
 * @param onDeaf called when the connection answers queries but receives no notifications; polling finds the jobs
 * @returns the listening connection, to be stopped
 */
export function wakeWorkers(
  connectionString: string,
  { workers, wake }: { workers: ReadonlyMap<string, string>; wake: (worker: string) => void },
  onDeaf: () => void,
) {
  return listenForNotifications(
    connectionString,
    JOBS_CHANNEL,
    {
      // Notifications may have been missed without a connection.
      onConnect: () => workers.forEach(wake),
      onNotification: (jobType) => {
        const worker = workers.get(jobType);
        if (worker !== undefined) wake(worker);
      },
      onDisconnect: () => undefined,
      onDeaf,
    },
    { name: 'coomercio-jobs' },
  );
}
