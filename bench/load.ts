import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import * as z from 'zod/mini';

/** The requests that the load generator repeats. */
const LoadTask = z.object({
  origin: z.string(),
  /** The duration, in seconds. */
  seconds: z.number(),
  /** The number of connections, each with one request in flight. */
  connections: z.int(),
  headers: z.record(z.string(), z.string()),
  work: z.discriminatedUnion('kind', [
    /** The paths are divided among the connections; all get the only one. */
    z.object({ kind: z.literal('pages'), paths: z.array(z.string()) }),
    /** Each request books for another pair of buyer and laptop, starting with pair number `from`. */
    z.object({
      kind: z.literal('bookings'),
      tokens: z.array(z.string()),
      laptops: z.array(z.object({ id: z.string(), price: z.number() })),
      from: z.int(),
    }),
  ]),
});
export type LoadTask = z.infer<typeof LoadTask>;

const LoadResult = z.object({
  /** The number of responses with the status 200; of bookings, the acknowledged ones. */
  answered: z.int(),
  /** The number of other responses, connection errors and timeouts, by kind. */
  failures: z.record(z.string(), z.int()),
  /** From the first request to the last response, in seconds. */
  seconds: z.number(),
});
export type LoadResult = z.infer<typeof LoadResult>;

/** Returns the requests of each connection. @param onUnacknowledged called for each booking that is not acknowledged */
function createRequests(
  { work, headers }: LoadTask,
  onUnacknowledged: () => void,
): (connection: number, connections: number) => autocannon.Request[] {
  if (work.kind === 'pages') {
    const requests = work.paths.map((path) => ({ path, headers }));
    return (connection, connections) =>
      requests.length === 1
        ? requests
        : requests.filter((_request, index) => index % connections === connection);
  }
  const { tokens, laptops } = work;
  let pair = work.from;
  // Each pass over the laptops shifts the buyers by one, so that no buyer books a laptop twice.
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const index = pair % laptops.length;
    const token = tokens[(Math.floor(pair / laptops.length) + index) % tokens.length];
    const laptop = laptops[index];
    pair += 1;
    request.method = 'POST';
    request.path = '/api/bookings';
    request.headers = { ...headers, 'content-type': 'application/json', authorization: `Bearer ${token}` };
    request.body = JSON.stringify({
      productName: '',
      price: laptop?.price,
      buyerName: '',
      email: '',
      phone: '+351 900 000 000',
      location: 'Central Station',
      image: '',
      productCode: laptop?.id,
    });
    return request;
  };
  const onResponse = (status: number, body: string) => {
    if (status === 200 && !body.includes('"acknowledged":true')) onUnacknowledged();
  };
  return () => [{ setupRequest, onResponse }];
}

async function generateLoad(task: LoadTask): Promise<LoadResult> {
  const failures: Record<string, number> = {};
  const countFailure = (kind: string) => {
    failures[kind] = (failures[kind] ?? 0) + 1;
  };
  const requests = createRequests(task, () => countFailure('unacknowledged'));
  let [connection, answered, last] = [0, 0, 0];
  const first = performance.now();
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: task.origin,
        connections: task.connections,
        duration: task.seconds,
        timeout: 10,
        setupClient: (client) => {
          client.setRequests(requests(connection, task.connections));
          connection += 1;
        },
      },
      (error) => (error ? reject(error) : resolve()),
    );
    instance.on('response', (_client, status) => {
      last = performance.now();
      if (status === 200) answered += 1;
      else countFailure(`status ${status}`);
    });
    instance.on('reqError', (error: unknown) => countFailure(String(error)));
  });
  return { answered: answered - (failures.unacknowledged ?? 0), failures, seconds: (last - first) / 1000 };
}

/** Generates load in a process of its own. @returns what repeats requests; it fails when that process ends */
export function startLoadGenerator(cleanup: AsyncDisposableStack): (task: LoadTask) => Promise<LoadResult> {
  // Ctrl-C reaches only the bench.
  const child = fork(fileURLToPath(import.meta.url), { detached: true, execArgv: [] });
  cleanup.defer(() => void child.kill('SIGKILL'));
  return async (task) => {
    const ending = new AbortController();
    const { signal } = ending;
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('The load generator ended.');
    });
    child.send(task);
    try {
      const [result] = await Promise.race([once(child, 'message', { signal }), ended]);
      return z.parse(LoadResult, result);
    } finally {
      ending.abort();
    }
  };
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (task) => process.send?.(await generateLoad(z.parse(LoadTask, task))));
}
