import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod/mini';

/** A child process that handles orders one after the other. */
export interface Child<Order, Report> {
  pid: number;
  /** Sends an order and waits for its report. @throws Error when the child reports a failure or exits */
  ask(order: Order): Promise<Report>;
  stop(): Promise<void>;
}

const Envelope = z.union([z.object({ report: z.unknown() }), z.object({ failure: z.string() })]);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Starts a program that calls {@link handleOrders}. It ends with this process, whatever ends that. */
export function startChild<Order extends object, Report>(
  program: URL,
  schema: z.ZodMiniType<Report>,
): Child<Order, Report> {
  const child = fork(program, {
    // Ctrl-C is for the bench, which ends what it has started in its own order.
    detached: true,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`${program.pathname} could not be started.`);
  return {
    pid: child.pid,
    ask: async (order) => {
      const listening = new AbortController();
      const { signal } = listening;
      try {
        const answered = once(child, 'message', { signal });
        const ended = once(child, 'exit', { signal }).then(() => {
          throw new Error(`${program.pathname} ended before it had answered.`);
        });
        child.send(order);
        const [message] = await Promise.race([answered, ended]);
        const envelope = z.parse(Envelope, message);
        if ('failure' in envelope) throw new Error(envelope.failure);
        return z.parse(schema, envelope.report);
      } finally {
        listening.abort();
      }
    },
    stop: () => end(child),
  };
}

/** Handles the orders of the parent process, and exits with it. Called by the child process. */
export function handleOrders<Order>(
  schema: z.ZodMiniType<Order>,
  answer: (order: Order) => Promise<object>,
): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (message) => {
    try {
      process.send?.({ report: await answer(z.parse(schema, message)) });
    } catch (error) {
      process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
