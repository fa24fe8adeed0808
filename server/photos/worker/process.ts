import { type ChildProcess, spawn } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { EndReason } from '../objections.ts';
import { WorkerMessage } from './messages.ts';

/** The process ended before it answered. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded';
  readonly reason: EndReason;
  constructor(reason: EndReason, detail: string) {
    super(`The process that decodes photos ended (${reason}): ${detail}`);
    this.reason = reason;
  }
}

/** What a request may cost before its process is killed. */
export interface WorkerLimits {
  /** CPU time that a request may take, in milliseconds. */
  readonly cpuMs: number;
  /** Time that a request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Resident memory that the process may hold, in bytes. */
  readonly memoryBytes: number;
}

export interface WorkerProcess {
  /**
   * Sends a request and waits for its answer.
   * @throws WorkerEnded; the next call starts a new process
   */
  call(request: unknown): Promise<unknown>;
  /** Kills the process, and resolves when it has ended. */
  close(): Promise<void>;
}

/** After so many milliseconds without a request the process is ended, which frees its memory. */
const IDLE_MS = 60_000;

/** After so many milliseconds a process that has not started is killed. */
const START_TIMEOUT_MS = 60_000;

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

/** No variable of the server's: none of its secrets is in the process that reads hostile files. */
function workerEnvironment(): Record<string, string> {
  const cache = getCompileCacheDir();
  return {
    // The C library gives memory back instead of keeping it for the next picture.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
  };
}

/** Why a process that nobody asked to end has ended. */
function reasonOf(code: number | null, signal: NodeJS.Signals | null): EndReason {
  // The signals of the process's own guard.
  if (signal === 'SIGUSR2') return 'memory';
  if (signal === 'SIGVTALRM') return 'time';
  // Killed by the operator or by the kernel for want of memory elsewhere: no fault of the photo.
  return code === null && signal === 'SIGKILL' ? 'unavailable' : 'crash';
}

/** One process, from its start to its end. */
interface Running {
  readonly ended: Promise<void>;
  send(request: unknown): Promise<unknown>;
  kill(): void;
}

/** @param onRetire called once, when the process should get no more requests */
function start({ cpuMs, timeoutMs, memoryBytes }: WorkerLimits, onRetire: () => void): Running {
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
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function endWhenDone(): void {
    if (calls.size === 0 && child.connected) child.disconnect();
  }

  function retire(): void {
    clearTimeout(idle);
    if (!retiring) onRetire();
    retiring = true;
    endWhenDone();
  }

  function end(reason: EndReason, detail: string): void {
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
  child.on('error', (error) => end('unavailable', error.message));
  child.once('exit', (code, signal) => {
    const reason = timedOut ? 'time' : started ? reasonOf(code, signal) : 'unavailable';
    end(reason, signal ?? `exit code ${code}`);
  });

  async function send(request: unknown): Promise<unknown> {
    clearTimeout(idle);
    lastId += 1;
    const id = lastId;
    const call = Promise.withResolvers<unknown>();
    calls.set(id, call);
    const killAfter = (milliseconds: number) =>
      setTimeout(() => {
        timedOut = started;
        child.kill('SIGKILL');
      }, milliseconds);
    let timer = killAfter(START_TIMEOUT_MS);
    try {
      await Promise.race([ready.promise, call.promise]);
      clearTimeout(timer);
      timer = killAfter(timeoutMs);
      // A channel that is closed already is not reported here: the process has ended, which rejects the call.
      child.send({ id, request }, () => undefined);
      return await call.promise;
    } finally {
      clearTimeout(timer);
      calls.delete(id);
      if (retiring) endWhenDone();
      else if (calls.size === 0) idle = setTimeout(retire, IDLE_MS).unref();
    }
  }

  return { ended: ended.promise, send, kill: () => void child.kill('SIGKILL') };
}

/** Runs requests in a process that is started when needed, and again after it was killed or has crashed. */
export function createWorkerProcess(limits: WorkerLimits): WorkerProcess {
  const alive = new Set<Running>();
  let current: Running | null = null;
  let closed = false;

  function launch(): Running {
    if (closed) throw new WorkerEnded('unavailable', 'the server is closing');
    const running = start(limits, () => {
      if (current === running) current = null;
    });
    alive.add(running);
    void running.ended.then(() => alive.delete(running));
    return running;
  }

  return {
    async call(request) {
      current ??= launch();
      return current.send(request);
    },
    async close() {
      closed = true;
      for (const running of alive) running.kill();
      await Promise.all([...alive].map(({ ended }) => ended));
    },
  };
}
