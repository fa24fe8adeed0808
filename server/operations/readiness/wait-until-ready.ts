import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigurationError, internalOrigin, readConfig } from '../configuration/config.ts';

// Waits until the shop with the same PORT and HOST is ready. systemd and containers call it; it needs no other program.

const usage =
  'Usage: coomercio ready [--timeout SECONDS] [--process PID]   without a timeout it asks once, and it does not wait for a process that has ended';

const ATTEMPT_INTERVAL_MS = 200;
/** Longer than the shop waits for its database before it answers. */
const ATTEMPT_TIMEOUT_MS = 3_000;

/** Asks once. @returns null when the shop is ready, otherwise the reason */
async function findProblem(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS) });
    const text = await response.text();
    return response.status === 200 ? null : `${origin} is not ready: ${text.slice(0, 500)}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${origin} does not answer (${cause instanceof Error ? cause.message : String(cause)}).`;
  }
}

interface Arguments {
  timeoutMs: number;
  /** The process that is expected to become ready; null when it is not known. */
  processId: number | null;
}

/** @returns null when the arguments are not valid */
function readArguments(): Arguments | null {
  try {
    const options = { timeout: { type: 'string', default: '0' }, process: { type: 'string' } } as const;
    const { values } = parseArgs({ options });
    const seconds = Number(values.timeout);
    const processId = values.process === undefined ? null : Number(values.process);
    if (!Number.isInteger(seconds) || seconds < 0 || seconds > 3600) return null;
    if (processId !== null && (!Number.isInteger(processId) || processId < 1)) return null;
    return { timeoutMs: seconds * 1000, processId };
  } catch (error) {
    // Thrown by parseArgs for an unknown option.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function hasEnded(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

async function main(): Promise<number> {
  const parsed = readArguments();
  if (parsed === null) {
    console.error(usage);
    return 2;
  }
  const { timeoutMs, processId } = parsed;
  const origin = internalOrigin(readConfig(process.env));
  const end = Date.now() + timeoutMs;
  for (;;) {
    const problem = await findProblem(origin);
    if (problem === null) return 0;
    if (processId !== null && hasEnded(processId)) {
      console.error(`${problem} Process ${processId} has ended.`);
      return 1;
    }
    if (Date.now() >= end) {
      console.error(problem);
      return 1;
    }
    await delay(ATTEMPT_INTERVAL_MS);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  for (const sentence of error.sentences) console.error(sentence);
  process.exitCode = 1;
}
