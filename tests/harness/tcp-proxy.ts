import { connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be pulled out and put back. */
export interface Unpluggable {
  /** The same URL by way of the line. */
  url: string;
  /**
   * Breaks every connection and refuses new ones.
   * @param saying refuses only those on which this is said to the server; the others may come back at once
   */
  unplug(saying?: string): void;
  plugIn(): void;
  /** Hands nothing on from here on and breaks nothing, as a network does that has forgotten a connection. */
  freeze(): void;
  close(): Promise<void>;
}

/** Puts a line between a client and the server of a URL, on 127.0.0.1. */
export async function unpluggable(target: string): Promise<Unpluggable> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let plugged = true;
  let refused: string | null = null;
  const server = createServer((near) => {
    if (!plugged) {
      near.destroy();
      return;
    }
    near.on('data', (chunk) => {
      if (refused !== null && chunk.includes(refused)) near.destroy();
    });
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      // A broken connection is what this is for; its close event says all there is to say.
      socket.on('error', () => socket.destroy());
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(address.port) }).href,
    unplug: (saying) => {
      plugged = saying !== undefined;
      refused = saying ?? null;
      drop();
    },
    plugIn: () => {
      plugged = true;
      refused = null;
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
