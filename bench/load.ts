import autocannon from 'autocannon';
import { handleTasks } from './child.ts';
import { type LoadResult, LoadTask } from './messages.ts';

/**
 * Returns the requests of each connection.
 * @param onUnacknowledged called for each response with status 200 that is not acknowledged
 */
function createRequests(
  { work, headers }: LoadTask,
  onUnacknowledged: () => void,
): (connection: number, connections: number) => autocannon.Request[] {
  switch (work.kind) {
    case 'page':
      return () => [{ path: work.path, headers }];
    case 'pages': {
      const requests = work.paths.map((path) => ({ path, headers }));
      return (connection, connections) =>
        requests.filter((_request, index) => index % connections === connection);
    }
    case 'bookings': {
      const { tokens, laptops } = work;
      let pair = work.from;
      // Each pass over the laptops shifts the buyers by one, so that no buyer books a laptop twice.
      const next = (request: autocannon.Request): autocannon.Request => {
        const index = pair % laptops.length;
        const token = tokens[(Math.floor(pair / laptops.length) + index) % tokens.length];
        const laptop = laptops[index];
        pair += 1;
        request.method = 'POST';
        request.path = '/api/bookings';
        request.headers = {
          ...headers,
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        };
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
      return () => [{ setupRequest: next, onResponse }];
    }
  }
}

/** Returns a quantile of sorted values. @param share from 0 to 1 */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

handleTasks(LoadTask, async (task): Promise<LoadResult> => {
  const times: number[] = [];
  const failures: Record<string, number> = {};
  const countFailure = (kind: string) => {
    failures[kind] = (failures[kind] ?? 0) + 1;
  };
  const requests = createRequests(task, () => countFailure('unacknowledged'));
  let connection = 0;
  let last = 0;
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
    // Measured here because autocannon's histogram has whole milliseconds only.
    instance.on('response', (_client, status, _bytes, milliseconds) => {
      last = performance.now();
      if (status === task.status) times.push(milliseconds);
      else countFailure(`status ${status}`);
    });
    instance.on('reqError', (error: unknown) => countFailure(String(error)));
  });
  const sorted = Float64Array.from(times).sort();
  return {
    answered: times.length - (failures.unacknowledged ?? 0),
    failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
    failures,
    seconds: (last - first) / 1000,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
  };
});
