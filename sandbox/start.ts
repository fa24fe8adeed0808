import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Order, Report, type StandIns } from './messages.ts';

export { notesOf } from './notes.ts';

export interface SandboxOptions extends Order {
  /** Takes one line without a line break, for the operator. */
  log(line: string): void;
}

/** The stand-ins that run, and where. */
export interface Sandbox extends StandIns {
  /** Ends them, within 3 s. */
  stop(): Promise<void>;
}

/** How long a start may take, in milliseconds. */
const START_PATIENCE = 20_000;

/** How long the stand-ins may take to end before they are ended outright, in milliseconds. */
const STOP_PATIENCE = 2_500;

/** The pause before the first new start after a death, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;

/** After so many milliseconds of running, a death counts as the first again. */
const CALM = 60_000;

const program = new URL('./main.ts', import.meta.url);

function launch({ dataFolder, log }: SandboxOptions): ChildProcess {
  const child = fork(program, {
    // In a session of its own: Ctrl-C reaches only the shop, which ends this when nobody needs it any more.
    detached: true,
    // What loads into the shop (a debugger, the bootstrap's watch on its pipe) has no business here.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { NODE_COMPILE_CACHE: join(dataFolder, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const output of [child.stdout, child.stderr]) {
    if (output !== null) createInterface({ input: output }).on('line', (line) => log(`Stand-ins: ${line}`));
  }
  return child;
}

/**
 * Gives the order and waits for the report.
 * @throws Error with a sentence when they do not start
 */
async function startIn(child: ChildProcess, order: Order): Promise<StandIns> {
  const started = Promise.withResolvers<StandIns>();
  const timer = setTimeout(() => {
    started.reject(new Error(`The stand-ins did not start within ${START_PATIENCE / 1000} s.`));
  }, START_PATIENCE);
  child.once('message', (message) => {
    const report = Report.parse(message);
    if (report.kind === 'running') started.resolve(report.standIns);
    else started.reject(new Error(report.sentence));
  });
  child.on('error', started.reject);
  child.once('exit', (code, signal) => {
    started.reject(new Error(`The stand-ins ended before they had started (${signal ?? `code ${code}`}).`));
  });
  child.send(order);
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

async function endChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE);
  await ended;
  clearTimeout(timer);
}

/** The order of a new start: the addresses that were given out must stay. */
function sameAddresses(order: Order, { cards, google, mail }: StandIns): Order {
  const portOf = (url: string | undefined, otherwise: number) =>
    url === undefined ? otherwise : Number(new URL(url).port);
  return {
    ...order,
    ports: {
      cards: portOf(cards?.apiUrl, order.ports.cards),
      google: portOf(google?.issuer, order.ports.google),
      mail: portOf(mail?.inboxUrl, order.ports.mail),
      smtp: portOf(mail?.smtpUrl, order.ports.smtp),
    },
  };
}

/**
 * Starts the wanted stand-ins in a process of their own. It ends with this one, however this one ends; should it
 * die by itself, it is started again at the same addresses.
 * @throws Error with a sentence, such as which stand-in's port is in use
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { log, ...order } = options;
  let child = launch(options);
  const standIns = await startIn(child, order);
  const again = sameAddresses(order, standIns);
  let stopping = false;
  let pause = FIRST_PAUSE;
  let startedAt = Date.now();
  let restart: NodeJS.Timeout | undefined;

  function watch(): void {
    // A shop that has nothing left to do may end without being held by its stand-ins.
    child.unref();
    child.channel?.unref();
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (Date.now() - startedAt > CALM) pause = FIRST_PAUSE;
      log(`The stand-ins ended unexpectedly (${signal ?? `code ${code}`}) and are started again.`);
      restartLater();
    });
  }

  function restartLater(): void {
    restart = setTimeout(async () => {
      startedAt = Date.now();
      child = launch(options);
      try {
        await startIn(child, again);
        log('The stand-ins run again.');
        watch();
      } catch (error) {
        if (stopping) return;
        log(`${error instanceof Error ? error.message : String(error)} They are tried again.`);
        restartLater();
      }
    }, pause);
    restart.unref();
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }

  watch();
  return {
    ...standIns,
    async stop() {
      stopping = true;
      clearTimeout(restart);
      await endChild(child);
    },
  };
}
