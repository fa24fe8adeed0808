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
  let turn = 0;

  async function checkReadiness(): Promise<void> {
    const asked = await Promise.all(
      backends.map((backend) =>
        fetch(`http://127.0.0.1:${backend}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => (ok ? [backend] : []),
          () => [],
        ),
      ),
    );
    ready = asked.flat();
  }

  function forward(
    incoming: IncomingMessage,
    answer: ServerResponse,
    body: Buffer,
    candidates: number[],
  ): void {
    const [backend, ...others] = candidates;
    if (backend === undefined) {
      answer.writeHead(502).end('No backend takes connections.');
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
      (given) => {
        const { connection: _mine, ...headers } = given.headers;
        answer.writeHead(given.statusCode ?? 502, headers);
        given.pipe(answer);
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

  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    turn += 1;
    // Without a ready backend any may still accept the request: a readiness check can be late.
    const open = ready.length === 0 ? backends : ready;
    const from = turn % open.length;
    forward(incoming, answer, Buffer.concat(chunks), [...open.slice(from), ...open.slice(0, from)]);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await checkReadiness();
  const asking = setInterval(() => void checkReadiness(), CHECK_INTERVAL_MS);
  return {
    ready: () => [...ready],
    close: async () => {
      clearInterval(asking);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}
