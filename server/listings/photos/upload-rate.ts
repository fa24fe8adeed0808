import type { Socket } from 'node:net';

/** The minimum rate of an upload, averaged from its start. */
export interface UploadRate {
  readonly bytesPerSecond: number;
  /** How long an upload may receive nothing, in milliseconds: at its start, or later with what it is ahead in addition. */
  readonly graceMs: number;
}

/** Half of the rate at the edge of a 3G cell. A connection may pause for some seconds. */
export const standardUploadRate: UploadRate = { bytesPerSecond: 16 * 1024, graceMs: 15_000 };

/** How often the rate is checked, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Waits for a result that is read from a connection.
 * @param createError makes the error that is thrown when the upload falls below the minimum rate
 */
export async function withMinimumRate<Result>(
  { bytesPerSecond, graceMs }: UploadRate,
  socket: Pick<Socket, 'bytesRead'>,
  receiving: Promise<Result>,
  createError: () => Error,
): Promise<Result> {
  const belowMinimum = Promise.withResolvers<never>();
  const [bytesAtStart, startedAt] = [socket.bytesRead, performance.now()];
  const timer = setInterval(() => {
    const received = socket.bytesRead - bytesAtStart;
    const expected = (bytesPerSecond * (performance.now() - startedAt - graceMs)) / 1_000;
    if (received < expected) belowMinimum.reject(createError());
  }, CHECK_INTERVAL_MS);
  try {
    return await Promise.race([receiving, belowMinimum.promise]);
  } finally {
    clearInterval(timer);
  }
}
