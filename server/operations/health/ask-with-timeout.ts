import type { Unanswered } from './check-result.ts';

/** How long a part may take to answer, in milliseconds. */
const TIMEOUT_MS = 2_500;

/** Asks a part of the shop. @param name begins the sentence about a part that does not answer */
export async function ask<Measured>(
  name: string,
  measure: () => Promise<Measured>,
): Promise<Measured | Unanswered> {
  const late = Promise.withResolvers<Unanswered>();
  const timer = setTimeout(
    () => late.resolve({ problem: `${name} did not answer within ${TIMEOUT_MS / 1000} s.` }),
    TIMEOUT_MS,
  );
  const failed = (error: unknown): Unanswered => ({
    problem: `${name} failed: ${error instanceof Error ? error.message : String(error)}`,
  });
  return Promise.race([measure().catch(failed), late.promise]).finally(() => clearTimeout(timer));
}
