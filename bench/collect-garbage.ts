import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';

const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }));

/** How long the inspector may take to listen, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The address of the inspector, once it listens. @throws Error when it does not */
async function findInspector(port: number): Promise<string> {
  const start = performance.now();
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = Targets.parse(await response.json());
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() - start > TIMEOUT_MS) throw error;
    }
    await pause(20);
  }
}

/** Lets a Node process collect all garbage. @param port of its `--inspect-port` */
export async function collectGarbage(pid: number, port: number): Promise<void> {
  // Starts the inspector, if it does not run yet.
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await findInspector(port));
  await once(socket, 'open');
  const answered = once(socket, 'message');
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await answered;
  const closed = once(socket, 'close');
  socket.close();
  await closed;
}
