import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type StandIns, type StartMessage, StartResult } from './messages.ts';

export interface SandboxOptions extends StartMessage {
  /** Logs one line for the operator, without a line break. */
  log(line: string): void;
}

/** The running stand-ins and their addresses. */
export interface Sandbox extends StandIns {
  /** Stops them, within 3 s. */
  stop(): Promise<void>;
}

/** How long a start may take, in milliseconds. */
const START_TIMEOUT = 20_000;

/** How long a stop may take before the process is killed, in milliseconds. */
const STOP_TIMEOUT = 2_500;

const program = new URL('./main.ts', import.meta.url);

function forkStandIns({ dataFolder, log }: SandboxOptions): ChildProcess {
  const child = fork(program, {
    // A session of its own, so that Ctrl-C reaches only the shop, which then stops the stand-ins.
    detached: true,
    // Without the shop's options: a debugger, and the module that watches the bootstrap's pipe.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The shop's cache of compiled code, if it has one: a new data folder would compile everything again.
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(dataFolder, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const output of [child.stdout, child.stderr]) {
    if (output !== null) createInterface({ input: output }).on('line', (line) => log(`Stand-ins: ${line}`));
  }
  return child;
}

/**
 * Sends the start message and waits for the result.
 * @throws Error with one sentence if the stand-ins do not start
 */
async function startStandIns(child: ChildProcess, startMessage: StartMessage): Promise<StandIns> {
  const started = Promise.withResolvers<StandIns>();
  const timer = setTimeout(() => {
    started.reject(new Error(`The stand-ins did not start within ${START_TIMEOUT / 1000} s.`));
  }, START_TIMEOUT);
  child.once('message', (message) => {
    const result = StartResult.parse(message);
    if (result.kind === 'running') started.resolve(result.standIns);
    else started.reject(new Error(result.sentence));
  });
  child.on('error', started.reject);
  child.once('exit', (code, signal) => {
    started.reject(new Error(`The stand-ins ended before they had started (${signal ?? `code ${code}`}).`));
  });
  child.send(startMessage);
  try {
    return await started.promise;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
  await ended;
  clearTimeout(timer);
}

/**
 * Starts stand-ins in a child process. It ends with this process, even after SIGKILL.
 * @throws Error with one sentence, for example that a port is in use
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, ...startMessage } = options;
  const child = forkStandIns(options);
  const standIns = await startStandIns(child, startMessage);
  let isStopping = false;
  // The stand-ins must not keep the shop's process alive.
  child.unref();
  child.channel?.unref();
  child.once('exit', (code, signal) => {
    const reason = signal ?? `code ${code}`;
    if (!isStopping) log(`The stand-ins ended unexpectedly (${reason}). Start the shop again.`);
  });
  return {
    ...standIns,
    stop: () => {
      isStopping = true;
      return stopChild(child);
    },
  };
}

/** Returns the lines for the terminal that list the stand-ins and their test data. */
export function describeStandIns({ cards, carriers, mail, google }: StandIns): string[] {
  return [
    ...(cards === undefined
      ? []
      : [
          'Payments  (a stand-in: no real card is ever charged)',
          'Test cards, any later date, any code:',
          '  4242 4242 4242 4242  succeeds          4000 0027 6000 3184  asks for authentication',
          '  4000 0000 0000 0002  declined          4000 0000 0000 9995  insufficient funds',
          '  4000 0000 0000 0069  expired           4000 0000 0000 0127  wrong code',
          '  4000 0000 0000 0119  processing error  4000 0000 0000 5126  a refund to it fails later',
          '  4000 0000 0000 0259  disputed later    4000 0000 0000 7726  a refund to it takes a while',
        ]),
    ...(mail === undefined ? [] : [`Mail      ${mail.inboxUrl}  (receives every email and SMS of the shop)`]),
    ...(carriers === undefined
      ? []
      : [
          `Carriers  ${carriers.apiUrl}/  (a stand-in: it sells labels and moves parcels, and nothing is sent)`,
        ]),
    ...(google === undefined ? [] : [`Google    ${google.issuer}  (a stand-in with its own accounts)`]),
  ];
}
