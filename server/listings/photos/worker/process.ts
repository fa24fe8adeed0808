import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { WorkerEndReason } from '../photo-validation.ts';
import { WorkerMessage } from './messages.ts';

/** Thrown when the process ended before it answered. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
  readonly reason: WorkerEndReason;
  constructor(reason: WorkerEndReason, detail: string) {
    super(`The process that decodes photos ended (${reason}): ${detail}`);
    this.reason = reason;
  }
}

/** The limits above which the process is killed. */
export interface CodecBudget {
  /** CPU time of a request, in milliseconds. */
  readonly cpuMs: number;
  /** Elapsed time of a request, in milliseconds, for a process that blocks without using CPU time. */
  readonly timeoutMs: number;
  /** Resident memory of the process, in bytes. */
  readonly memoryBytes: number;
}

/** How long a process without requests is kept, in milliseconds. Ending it frees its memory. */
const IDLE_TIMEOUT_MS = 60_000;

/** How long a process may take to start, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

/** The process reads hostile files, so it gets none of the server's variables, some of which are secrets. */
function workerEnvironment(): Record<string, string> {
  // The server may not use this cache itself. A worker without it starts in twice the time.
  const { NODE_COMPILE_CACHE: cache } = process.env;
  return {
    // Makes malloc return freed memory to the system instead of keeping it.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
  };
}

/** Determines why a process ended from its exit code or signal. */
function toEndReason(code: number | null, signal: NodeJS.Signals | null): WorkerEndReason {
  // Sent by the process's own watchdog thread.
  if (signal === 'SIGUSR2') return 'memory';
  if (signal === 'SIGVTALRM') return 'time';
  // Killed by the operator or by the kernel's out-of-memory killer, not because of the photo.
  return code === null && signal === 'SIGKILL' ? 'unavailable' : 'crash';
}

/** One started process. */
interface RunningProcess {
  readonly ended: Promise<void>;
  send(request: unknown): Promise<unknown>;
  kill(): void;
}

/** @param onRetire called once, when the process must get no more requests */
function startProcess({ cpuMs, timeoutMs, memoryBytes }: CodecBudget, onRetire: () => void): RunningProcess {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--max-old-space-size=128', '--max-semi-space-size=1', program, String(memoryBytes), String(cpuMs)],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced', env: workerEnvironment() },
  );
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  let started = false;
  let timedOut = false;
  let retiring = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;

  function disconnectIfIdle(): void {
    if (calls.size === 0 && child.connected) child.disconnect();
  }

  function retire(): void {
    clearTimeout(idleTimer);
    if (!retiring) onRetire();
    retiring = true;
    disconnectIfIdle();
  }

  function handleEnd(reason: WorkerEndReason, detail: string): void {
    for (const call of calls.values()) call.reject(new WorkerEnded(reason, detail));
    retire();
    ended.resolve();
  }

  child.on('message', (sent) => {
    const { success, data } = WorkerMessage.safeParse(sent);
    if (!success) {
      child.kill('SIGKILL');
    } else if ('ready' in data) {
      started = true;
      ready.resolve();
    } else {
      calls.get(data.id)?.resolve(data.answer);
      if (data.retire) retire();
    }
  });
  child.on('error', (error) => handleEnd('unavailable', error.message));
  child.once('exit', (code, signal) => {
    const reason = timedOut ? 'time' : started ? toEndReason(code, signal) : 'unavailable';
    handleEnd(reason, signal ?? `exit code ${code}`);
  });

  async function send(request: unknown): Promise<unknown> {
    clearTimeout(idleTimer);
    lastId += 1;
    const id = lastId;
    const call = Promise.withResolvers<unknown>();
    calls.set(id, call);
    const killAfter = (milliseconds: number) =>
      setTimeout(() => {
        // A process that does not start in time is unavailable; its request has not timed out.
        timedOut = started;
        child.kill('SIGKILL');
      }, milliseconds);
    let timer = killAfter(START_TIMEOUT_MS);
    try {
      await Promise.race([ready.promise, call.promise]);
      clearTimeout(timer);
      timer = killAfter(timeoutMs);
      // An error of a closed channel is ignored: the process has ended, which rejects the call.
      child.send({ id, request }, () => undefined);
      return await call.promise;
    } finally {
      clearTimeout(timer);
      calls.delete(id);
      if (retiring) disconnectIfIdle();
      else if (calls.size === 0) idleTimer = setTimeout(retire, IDLE_TIMEOUT_MS).unref();
    }
  }

  return { ended: ended.promise, send, kill: () => void child.kill('SIGKILL') };
}

/** Runs requests in a process that is started on demand and restarted after it was killed or has crashed. */
export function createWorkerProcess(budget: CodecBudget) {
  const processes = new Set<RunningProcess>();
  let current: RunningProcess | null = null;
  let closed = false;

  function startAndTrack(): RunningProcess {
    if (closed) throw new WorkerEnded('unavailable', 'the server is closing');
    const running = startProcess(budget, () => {
      if (current === running) current = null;
    });
    processes.add(running);
    void running.ended.then(() => processes.delete(running));
    return running;
  }

  return {
    /** Sends a request and waits for its answer. @throws WorkerEnded; the next call then starts a new process */
    async call(request: unknown): Promise<unknown> {
      current ??= startAndTrack();
      return current.send(request);
    },
    /** Kills the process, and resolves when it has ended. */
    async close(): Promise<void> {
      closed = true;
      for (const running of processes) running.kill();
      await Promise.all([...processes].map(({ ended }) => ended));
    },
  };
}
