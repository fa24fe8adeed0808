import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import * as z from 'zod/mini';
import type { Listening } from './messages.ts';

/** A child process that runs one task after the other. */
export interface Child<Task, Result> extends AsyncDisposable {
  pid: number;
  /** Sends a task and waits for its result. @throws Error when the child reports a failure or exits */
  run(task: Task): Promise<Result>;
}

const Envelope = z.union([z.object({ report: z.unknown() }), z.object({ failure: z.string() })]);

/**
 * Starts a program that calls {@link handleTasks}. It exits with this process, even after SIGKILL.
 * Disposing of it kills it.
 */
export function startChild<Task extends object, Result>(
  program: URL,
  schema: z.ZodMiniType<Result>,
): Child<Task, Result> {
  const child = fork(program, {
    // Ctrl-C reaches only the bench, which then stops its children in order.
    detached: true,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`${program.pathname} could not be started.`);
  return {
    pid: child.pid,
    run: async (task) => {
      const listening = new AbortController();
      const { signal } = listening;
      try {
        const replied = once(child, 'message', { signal });
        const ended = once(child, 'exit', { signal }).then(() => {
          throw new Error(`${program.pathname} ended before it had answered.`);
        });
        child.send(task);
        const [message] = await Promise.race([replied, ended]);
        const envelope = z.parse(Envelope, message);
        if ('failure' in envelope) throw new Error(envelope.failure);
        return z.parse(schema, envelope.report);
      } finally {
        listening.abort();
      }
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs the tasks that the parent process sends, and exits with it. Called by the child process. */
export function handleTasks<Task>(
  schema: z.ZodMiniType<Task>,
  handle: (task: Task) => Promise<object>,
): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (message) => {
    try {
      process.send?.({ report: await handle(z.parse(schema, message)) });
    } catch (error) {
      process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}

/** Starts an HTTP server on a free port of the loopback interface. */
export async function startServer(handle: RequestListener): Promise<Listening> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return { origin: `http://127.0.0.1:${address.port}` };
}
