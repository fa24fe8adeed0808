import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** A round-robin proxy in front of several processes of a shop. */
export interface RoundRobin {
  /** Returns the ports of the backends that are ready. */
  ready(): number[];
  close(): Promise<void>;
}

/** Milliseconds between two readiness checks of a backend. */
const CHECK_INTERVAL_MS = 100;

/**
 * Forwards requests to the ready backends in turn, over keep-alive connections. When a backend refuses the connection,
 * the next one is tried; other failures are returned to the client.
 */
export async function startRoundRobin(port: number, backends: readonly number[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  let ready: number[] = [];
  let requestCount = 0;

  async function checkReadiness(): Promise<void> {
    const readyPorts = await Promise.all(
      backends.map((backend) =>
        fetch(`http://127.0.0.1:${backend}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => (ok ? [backend] : []),
          () => [],
        ),
      ),
    );
    ready = readyPorts.flat();
  }

  function forward(
    incoming: IncomingMessage,
    answer: ServerResponse,
    body: Buffer,
    candidates: number[],
  ): void {
    const [backend, ...others] = candidates;
    if (backend === undefined) {
      answer.writeHead(502).end('No backend accepts connections.');
      return;
    }
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: backend,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress },
        agent,
      },
      (response) => {
        const { connection: _connection, ...headers } = response.headers;
        answer.writeHead(response.statusCode ?? 502, headers);
        response.pipe(answer);
      },
    );
    outgoing.once('error', (error) => {
      const refused = 'code' in error && error.code === 'ECONNREFUSED';
      if (refused) forward(incoming, answer, body, others);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(error.message);
    });
    outgoing.end(body);
  }

  // Longer than the test, so that no connection is closed while a request is on its way.
  const server = createServer({ keepAliveTimeout: 60_000 }, async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    requestCount += 1;
    // When no backend is known to be ready, all are tried: the last readiness check can be outdated.
    const open = ready.length === 0 ? backends : ready;
    const from = requestCount % open.length;
    forward(incoming, answer, Buffer.concat(chunks), [...open.slice(from), ...open.slice(0, from)]);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await checkReadiness();
  const timer = setInterval(() => void checkReadiness(), CHECK_INTERVAL_MS);
  return {
    ready: () => [...ready],
    close: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}
