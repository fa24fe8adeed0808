import type { Socket } from 'node:net';

/** The slowest that an upload may be. */
export interface UploadRate {
  /** Bytes that arrive in each window at least. */
  readonly bytes: number;
  /** Milliseconds. */
  readonly windowMs: number;
}

/** 8 KiB/s: less than a quarter of what a phone has at the edge of a 3G cell. A connection may pause for some seconds. */
export const standardRate: UploadRate = { bytes: 15 * 8 * 1024, windowMs: 15_000 };

/**
 * Waits for what is read from a connection, and gives up when a window brings too few bytes.
 * @param refusal makes what is thrown then
 */
export async function atMinimumRate<Answer>(
  { bytes, windowMs }: UploadRate,
  socket: Socket,
  receiving: Promise<Answer>,
  refusal: () => Error,
): Promise<Answer> {
  const tooSlow = Promise.withResolvers<never>();
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead - before < bytes) tooSlow.reject(refusal());
    before = socket.bytesRead;
  }, windowMs);
  try {
    return await Promise.race([receiving, tooSlow.promise]);
  } finally {
    clearInterval(timer);
  }
}
