import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ConfigurationError, internalOrigin, readConfig } from '../config.ts';

// Waits until the shop with the same PORT and HOST is ready. systemd and containers call it; it needs no other program.

const usage = 'Usage: coomercio ready [--timeout SECONDS]   without a timeout it asks once';

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

/** @returns the timeout in milliseconds, or null when the arguments are not valid */
function readTimeout(): number | null {
  try {
    const { values } = parseArgs({ options: { timeout: { type: 'string', default: '0' } } });
    const seconds = Number(values.timeout);
    return Number.isInteger(seconds) && seconds >= 0 && seconds <= 3600 ? seconds * 1000 : null;
  } catch (error) {
    // Thrown by parseArgs for an unknown option.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function main(): Promise<number> {
  const timeoutMs = readTimeout();
  if (timeoutMs === null) {
    console.error(usage);
    return 2;
  }
  const origin = internalOrigin(readConfig(process.env));
  const end = Date.now() + timeoutMs;
  for (;;) {
    const problem = await findProblem(origin);
    if (problem === null) return 0;
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
