import type { Socket } from 'node:net';

/** The minimum rate of an upload. */
export interface UploadRate {
  /** Minimum number of bytes received in each window. */
  readonly bytes: number;
  readonly windowMs: number;
}

/** 8 KiB/s: less than a quarter of the rate at the edge of a 3G cell. A connection may pause for some seconds. */
export const standardUploadRate: UploadRate = { bytes: 15 * 8 * 1024, windowMs: 15_000 };

/**
 * Waits for a result that is read from a connection.
 * @param createError makes the error that is thrown when fewer bytes than the minimum arrive in a window
 */
export async function withMinimumRate<Result>(
  { bytes, windowMs }: UploadRate,
  socket: Socket,
  receiving: Promise<Result>,
  createError: () => Error,
): Promise<Result> {
  const belowMinimum = Promise.withResolvers<never>();
  let bytesBefore = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead - bytesBefore < bytes) belowMinimum.reject(createError());
    bytesBefore = socket.bytesRead;
  }, windowMs);
  try {
    return await Promise.race([receiving, belowMinimum.promise]);
  } finally {
    clearInterval(timer);
  }
}
