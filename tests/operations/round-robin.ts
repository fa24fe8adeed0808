import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** A proxy as stands in front of several processes of a shop. */
export interface RoundRobin {
  /** The ports of the backends that take requests now. */
  ready(): number[];
  close(): Promise<void>;
}

/** How often each backend is asked whether it is ready, in milliseconds. */
const ASKED_EVERY = 100;

/**
 * Hands requests on to the backends that say they are ready, in turn, over connections that it keeps open. One that
 * refuses the connection has not got the request, so the next is tried; any other failure is the client's.
 */
export async function startRoundRobin(port: number, backends: readonly number[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true });
  let ready: number[] = [];
  let turn = 0;

  async function ask(): Promise<void> {
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

  function handOn(
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
      if (refused) handOn(incoming, answer, body, others);
      else if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(error.message);
    });
    outgoing.end(body);
  }

  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    turn += 1;
    // Where none says that it is ready, perhaps only because it was slow to say so, any may still take it.
    const open = ready.length === 0 ? backends : ready;
    const from = turn % open.length;
    handOn(incoming, answer, Buffer.concat(chunks), [...open.slice(from), ...open.slice(0, from)]);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await ask();
  const asking = setInterval(() => void ask(), ASKED_EVERY);
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
