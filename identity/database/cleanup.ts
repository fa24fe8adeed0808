import type { FastifyBaseLogger } from 'fastify';

const INTERVAL_MS = 10 * 60_000;

/**
 * Deletes expired rows periodically, first after one interval.
 * @param deletions by what they delete, for the log
 * @returns stops it
 */
export function startCleanup(
  deletions: Readonly<Record<string, () => Promise<void>>>,
  log: FastifyBaseLogger,
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const interval = setInterval(() => {
    running = Promise.all(
      Object.entries(deletions).map(([rows, deleteExpired]) =>
        deleteExpired().catch((error: unknown) =>
          log.warn({ err: error, rows }, 'Expired rows of the identity provider could not be deleted'),
        ),
      ),
    );
  }, INTERVAL_MS);
  interval.unref();
  return async () => {
    clearInterval(interval);
    await running;
  };
}
