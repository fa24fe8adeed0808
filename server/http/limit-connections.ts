import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ipPrefixes } from '#contract/ip-prefixes.ts';

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
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const prefixes = ipPrefixes(socket.remoteAddress ?? '');
    const isFull = prefixes.some(
      // A larger range may hold more people, but not in proportion.
      ({ prefix, quotaFactor }) => (open.get(prefix) ?? 0) >= perAddress * Math.sqrt(quotaFactor),
    );
    if (isFull) {
      socket.destroy();
      return;
    }
    for (const { prefix } of prefixes) open.set(prefix, (open.get(prefix) ?? 0) + 1);
    socket.once('close', () => {
      for (const { prefix } of prefixes) {
        const left = (open.get(prefix) ?? 1) - 1;
        if (left === 0) open.delete(prefix);
        else open.set(prefix, left);
      }
    });
  });
}
