import { fromKysely, type JobResult, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import type { Transaction } from '../database/tables.ts';

/** A kind of work to be done after a transaction, at least once: a name and the shape of its data. */
export interface Job<Data extends object = object> {
  readonly name: string;
  readonly data: z.ZodMiniType<Data>;
}

/** Names a kind of job. Its handler stands in the table of `app.ts`. */
export function job<Data extends object>(name: string, data: z.ZodMiniType<Data>): Job<Data> {
  return { name, data };
}

/** A job with what does it. */
export interface Handler {
  readonly name: string;
  run(data: unknown): Promise<void>;
}

/** Joins a job and its handler. The handler may run more than once for one job, and must then change nothing. */
export function handle<Data extends object>(work: Job<Data>, run: (data: Data) => Promise<void>): Handler {
  return { name: work.name, run: async (data) => run(z.parse(work.data, data)) };
}

/** Puts a job into the queue with the rows of a transaction: both are kept, or neither. */
export type Enqueue = <Data extends object>(
  transaction: Transaction,
  work: Job<Data>,
  data: Data,
) => Promise<void>;

export interface Queue {
  enqueue: Enqueue;
  /** Makes the queue's tables if they are missing, and begins to work. */
  start(handlers: readonly Handler[]): Promise<void>;
  /** Lets jobs under way finish, for at most 5 s, and stops. */
  stop(): Promise<void>;
}

/** Woken by the database when a job comes; the seconds are for what a lost connection would miss. */
const rhythm = {
  batchSize: 10,
  burstWhenBatchFull: true,
  perJobResults: true,
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 2,
} as const;

/** A job that was under way when its process was killed is noticed, and done again, within half a minute. */
const watch = { heartbeatSeconds: 10, lookEverySeconds: 10 } as const;

/**
 * A queue of jobs in the shop's own PostgreSQL. A job that fails is tried again for about a day, first after 2 s,
 * then ever more slowly up to every 10 minutes.
 * @param onError told of failures of the queue itself and of each failed try
 */
export function createQueue(connectionString: string, onError: (error: Error, name?: string) => void): Queue {
  const boss = new PgBoss({
    connectionString,
    max: 3,
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds: watch.lookEverySeconds,
    monitorIntervalSeconds: watch.lookEverySeconds,
    application_name: 'coomercio-jobs',
  });
  boss.on('error', (error) => onError(error));

  const patience = {
    retryLimit: 150,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 60,
    heartbeatSeconds: watch.heartbeatSeconds,
    notify: true,
  };

  return {
    enqueue: async (transaction, work, data) => {
      await boss.send(work.name, data, { db: fromKysely(transaction) });
    },
    start: async (handlers) => {
      await boss.start();
      for (const handler of handlers) {
        await boss.createQueue(handler.name, patience);
        // A queue that is there already keeps the settings of the version that made it, unless told.
        await boss.updateQueue(handler.name, patience);
        await boss.work<object, object, typeof rhythm>(handler.name, rhythm, (jobs) =>
          Promise.all(
            jobs.map(async ({ id, data }): Promise<JobResult> => {
              try {
                await handler.run(data);
                return { id, status: 'completed' };
              } catch (error) {
                const failure = error instanceof Error ? error : new Error(String(error));
                onError(failure, handler.name);
                return { id, status: 'failed', output: { message: failure.message } };
              }
            }),
          ),
        );
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
}
