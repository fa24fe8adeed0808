import { CompiledQuery, sql } from 'kysely';
import { Pool } from 'pg';
import { type JobResult, PgBoss } from 'pg-boss';
import * as z from 'zod/mini';
import type { Notifications } from '../database/notification-listener.ts';
import { statementName } from '../database/pool-adapter.ts';
import { markAsPrepared } from '../database/prepared-statements.ts';
import type { Database, Transaction } from '../database/tables.ts';
import { withoutRepetitions } from './repetitions.ts';

/**
 * The queues, by whom a job waits for: one that is slow or unreachable delays no job of another queue. `notices` tells people of
 * changes, by email and in the shop; one job may send many emails to a slow mail server. A worker takes a batch of jobs, and the next
 * one when all of them have ended; with several workers, a job that hangs does not delay the others of its queue. A job that has run
 * for `expireInSeconds` is retried, also while it still runs.
 */
const queues = {
  notices: { batchSize: 5, localConcurrency: 3, expireInSeconds: 900 },
  cards: { batchSize: 1, localConcurrency: 4, expireInSeconds: 60 },
  identity: { batchSize: 5, localConcurrency: 1, expireInSeconds: 60 },
  push: { batchSize: 10, localConcurrency: 1, expireInSeconds: 60 },
  sms: { batchSize: 5, localConcurrency: 1, expireInSeconds: 60 },
  carriers: { batchSize: 1, localConcurrency: 2, expireInSeconds: 60 },
} as const;
type QueueName = keyof typeof queues;

/** A job type: its name, its queue and the schema of its data. Jobs run after the transaction, at least once. */
export interface Job<Data extends object = object> {
  readonly name: string;
  readonly queue: QueueName;
  readonly data: z.ZodMiniType<Data>;
  /** Jobs with a higher one precede the others of their queue. */
  readonly priority: number;
}

/** Declares a job type. A room's plugin registers its handler. */
export function job<Data extends object>(
  name: string,
  data: z.ZodMiniType<Data>,
  queue: QueueName = 'notices',
  priority = 0,
): Job<Data> {
  return { name, queue, data, priority };
}

/** A job type's name, queue and handler. */
export interface Handler {
  readonly name: string;
  readonly queue: QueueName;
  run(data: unknown, jobId: string): Promise<unknown>;
}

/** What is stored of each job: the name of its type beside its data. */
const StoredJob = z.looseObject({ type: z.string() });

/**
 * Combines a job type and its handler. The handler must be idempotent: it may run more than once per job.
 * @param run gets the job's data, and its id, which is the same in each run
 */
export function handle<Data extends object>(
  type: Job<Data>,
  run: (data: Data, jobId: string) => unknown,
): Handler {
  return {
    name: type.name,
    queue: type.queue,
    run: async (data, jobId) => run(z.parse(type.data, data), jobId),
  };
}

/** Enqueues a job in a transaction: it is committed with the transaction's rows, or not at all. */
export type Enqueue = <Data extends object>(
  transaction: Transaction,
  type: Job<Data>,
  data: Data,
) => Promise<void>;

/** Removes what the queue keeps of completed jobs, which it does for a week: for jobs whose data names a person. */
export async function removeCompletedJobs(
  database: Database,
  types: readonly Pick<Job, 'name' | 'queue'>[],
): Promise<void> {
  const [queues, names] = [types.map(({ queue }) => queue), types.map(({ name }) => name)];
  await sql`delete from pgboss.job
             where name = any(${queues}) and data->>'type' = any(${names}) and state = 'completed'`.execute(
    database,
  );
}

/** Runs a job as a part of a trace. @throws what the job throws */
export type TraceJob = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>;

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

export type Queue = ReturnType<typeof createQueue>;

const workerOptions = {
  burstWhenBatchFull: true,
  perJobResults: true,
} as const;

/** How often workers poll, in seconds: for retries, which are not notified, and while notifications do not arrive. */
const POLLING_SECONDS = 2;

/** A job of a killed process is detected and retried within 30 s. */
const supervision = { heartbeatSeconds: 10, intervalSeconds: 10 } as const;

/** How long a query of the queue waits for its result, in milliseconds. */
const QUERY_TIMEOUT_MS = 30_000;

/** The most connections that a queue opens. */
export const QUEUE_CONNECTIONS = 3;

/** Whether a text is several statements, as those of pg-boss's supervision are. They cannot be prepared, and have no values. */
const isSeveral = (text: string): boolean => /;\s*\S/.test(text);

/**
 * Creates a job queue in the shop's PostgreSQL. A failed job is retried for about a day, first after 2 s, with exponential
 * back-off up to 10 minutes.
 * @param onError called for failures of the queue, without repetitions, and for each failed run with the job's name
 * @param options.runsJobs whether this process runs jobs; otherwise it only enqueues them
 * @param options.notifications by which workers start new jobs at once; null: they find them by polling
 * @param options.pollingSeconds how often workers look for jobs
 * @param options.queryTimeoutMs how long a query waits for its result; its connection is then closed
 * @param options.superviseSeconds how often jobs of killed processes are looked for
 * @param options.traceJob traces each job that runs
 */
export function createQueue(
  connectionString: string,
  onError: (error: Error, name?: string) => void,
  {
    runsJobs = true,
    notifications = null,
    pollingSeconds = POLLING_SECONDS,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    superviseSeconds = supervision.intervalSeconds,
    traceJob = (_name, run) => run(),
  }: {
    runsJobs?: boolean;
    notifications?: Notifications | null;
    pollingSeconds?: number;
    queryTimeoutMs?: number;
    superviseSeconds?: number;
    traceJob?: TraceJob;
  } = {},
) {
  const pool = new Pool({
    connectionString,
    max: QUEUE_CONNECTIONS,
    // Without these, a query on a network that has gone silent would wait for many minutes.
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'coomercio-jobs',
  });
  const onFailure = withoutRepetitions(
    (error: Error) => onError(error),
    // pg-boss adds which worker has met it, in brackets.
    ({ message }) => message.replace(/ \(Queue: [^)]*\)$/, ''),
  );
  pool.on('error', onFailure);
  const names = new Map<string, string>();
  const boss = new PgBoss({
    db: {
      // Planning a fetch takes longer than running it. A plan for few jobs is made anew once autovacuum has analyzed the table.
      executeSql: (text, values) =>
        isSeveral(text)
          ? pool.query(text)
          : pool.query({ text, values: values ?? [], name: statementName(text, names) }),
      ...(notifications !== null && {
        // pg-boss would open a connection of its own.
        listen: async (channel: string, onNotification: (payload: string) => void, onConnect: () => void) => {
          const unsubscribe = notifications.subscribe(channel, { onConnect, onNotification });
          return { close: async () => unsubscribe() };
        },
      }),
    },
    useListenNotify: runsJobs && notifications !== null,
    schedule: false,
    supervise: runsJobs,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', onFailure);

  const queueOptions = {
    retryLimit: 150,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 600,
    heartbeatSeconds: supervision.heartbeatSeconds,
    // Within the transaction of the job (decision 51).
    notify: true,
  };

  async function runJob(
    handlers: ReadonlyMap<string, Handler>,
    { id, data: stored }: { id: string; data: object },
  ): Promise<JobResult> {
    let type = 'unknown';
    try {
      const { type: stated, ...data } = z.parse(StoredJob, stored);
      type = stated;
      const handler = handlers.get(type);
      // Of a version that is rolled out, or was rolled back: a process of it runs the job later.
      if (handler === undefined) throw new Error(`No handler runs jobs of the type ${type}.`);
      await traceJob(type, () => handler.run(data, id));
      return { id, status: 'completed' };
    } catch (error) {
      const failure = toError(error);
      onError(failure, type);
      return { id, status: 'failed', output: { message: failure.message } };
    }
  }

  const enqueue: Enqueue = async (transaction, type, data) => {
    await boss.send(
      type.queue,
      { ...data, type: type.name },
      {
        priority: type.priority,
        db: {
          // There is one text for each queue. Planning it takes longer than running it.
          executeSql: async (text, values) => {
            const insert = CompiledQuery.raw(markAsPrepared(text), values);
            return { rows: (await transaction.executeQuery(insert)).rows };
          },
        },
      },
    );
  };

  return {
    enqueue,
    /** Enqueues a job that belongs to no transaction. */
    enqueueAlone: async <Data extends object>(type: Job<Data>, data: Data): Promise<void> => {
      await boss.send(type.queue, { ...data, type: type.name }, { priority: type.priority });
    },
    /** Creates missing tables of the queue. Starts the handlers, if this process runs jobs. */
    start: async (handlers: readonly Handler[]): Promise<void> => {
      await boss.start();
      const byType = new Map(handlers.map((handler) => [handler.name, handler]));
      for (const [name, { expireInSeconds, ...sizes }] of Object.entries(queues)) {
        await boss.createQueue(name, { ...queueOptions, expireInSeconds });
        // `createQueue` does not change the options of an existing queue.
        await boss.updateQueue(name, { ...queueOptions, expireInSeconds });
        if (!runsJobs || !handlers.some(({ queue }) => queue === name)) continue;
        const options = {
          ...workerOptions,
          ...sizes,
          pollingIntervalSeconds: pollingSeconds,
          notifyPollingIntervalSeconds: pollingSeconds,
        };
        await boss.work<object, object, typeof options>(name, options, (jobs) =>
          Promise.all(jobs.map((job) => runJob(byType, job))),
        );
      }
    },
    /** Stops, after waiting at most 5 s for running jobs. */
    stop: async (): Promise<void> => {
      await boss.stop({ graceful: true, timeout: 5_000 });
      await pool.end();
    },
  };
}

/** Creates the queue's tables, or brings them up to date. @throws its first failure */
export async function migrateQueue(connectionString: string): Promise<void> {
  const failures: Error[] = [];
  const queue = createQueue(connectionString, (error) => failures.push(error), { runsJobs: false });
  try {
    await queue.start([]);
  } finally {
    await queue.stop();
  }
  if (failures[0] !== undefined) throw failures[0];
}
