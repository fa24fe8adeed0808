import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ipPrefixes, shareFactor } from '#contract/platform/ip-prefixes.ts';
import { createSlots } from './slots.ts';

/** All connections of a process: 10,000 event streams, and as many requests as that leaves. Linux allows 20,000 files or more. */
const MAXIMUM_CONNECTIONS = 15_000;

/** The connections of one address without a proxy in front: a browser opens six, and an office or a school has one address. */
export const MAXIMUM_OF_ADDRESS = 500;

/**
 * Limits the open connections of a server. A further one is closed at once.
 * @param options.perAddress null when a proxy in front has all connections; it has to limit its own then (see `deploy/`)
 */
export function limitConnections(
  server: Server,
  { total = MAXIMUM_CONNECTIONS, perAddress }: { total?: number; perAddress: number | null },
): void {
  server.maxConnections = total;
  if (perAddress === null) return;
  const slots = createSlots();
  server.on('connection', (socket: Socket) => {
    const slot = slots.tryAcquire(
      ...ipPrefixes(socket.remoteAddress ?? '').map((range) => ({
        key: range.prefix,
        maximum: perAddress * shareFactor(range),
      })),
    );
    if (slot === null) socket.destroy();
    else socket.once('close', () => slot[Symbol.dispose]());
  });
}
