import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server, whose connections a test can break. */
export interface TcpProxy {
  /** The server's URL with the proxy's host and port. */
  url: string;
  /**
   * Closes all connections and refuses new ones.
   * @param containing refuses only connections whose client sends this text
   */
  disconnect(containing?: string): void;
  reconnect(): void;
  /**
   * Stops forwarding without closing connections, as a network that drops packets.
   * @param containing only on connections whose client sends this text from now on, until `reconnect`
   */
  stall(containing?: string): void;
  close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 in front of the server of a URL. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isConnected = true;
  const stallSocket = (socket: Socket) => socket.unpipe().pause();
  let refused: string | null = null;
  let stalled: string | null = null;
  const server = createServer((downstream) => {
    if (!isConnected) {
      downstream.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    downstream.on('data', (chunk) => {
      if (refused !== null && chunk.includes(refused)) downstream.destroy();
      if (stalled !== null && chunk.includes(stalled)) stallSocket(upstream);
    });
    for (const [socket, other] of [
      [downstream, upstream],
      [upstream, downstream],
    ] as const) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      // Broken connections are expected; the close event handles them.
      socket.on('error', () => socket.destroy());
    }
    downstream.pipe(upstream).pipe(downstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The proxy does not listen on a port.');
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const url = Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(address.port) });
  // The embedded PostgreSQL names its Unix socket so, which would lead past the proxy.
  url.searchParams.delete('host');
  return {
    url: url.href,
    disconnect: (containing) => {
      isConnected = containing !== undefined;
      refused = containing ?? null;
      closeConnections();
    },
    reconnect: () => {
      isConnected = true;
      refused = null;
      stalled = null;
    },
    stall: (containing) => {
      stalled = containing ?? null;
      if (containing === undefined) for (const socket of sockets) stallSocket(socket);
    },
    close: () => {
      closeConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
