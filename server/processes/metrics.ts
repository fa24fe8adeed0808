import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { AggregatorRegistry, type PrometheusContentType, type Registry } from 'prom-client';
import * as z from 'zod/mini';

// Messages between a process and the supervisor.
const MetricsRequest = z.object({ coomercio: z.literal('metrics?'), id: z.string() });
const MetricsResponse = z.object({
  coomercio: z.literal('metrics'),
  id: z.string(),
  text: z.nullable(z.string()),
});

/** How long a process waits for the metrics of all, in milliseconds. The library itself waits 5 s for each process. */
const TIMEOUT_MS = 6_000;

/** Lets the supervisor collect the metrics of all its processes when one of them asks for it. */
export function answerRequestsForMetrics(): void {
  const aggregator = new AggregatorRegistry<PrometheusContentType>();
  cluster.on('message', async (worker, message: unknown) => {
    const request = z.safeParse(MetricsRequest, message);
    if (!request.success) return;
    // Fails when a process does not answer in time.
    const text = await aggregator.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ coomercio: 'metrics', id: request.data.id, text });
  });
}

/**
 * Connects the metrics of this process to the supervisor's.
 * @returns reads the metrics of all processes; rejects when one of them does not answer within seconds
 */
export function shareMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([registry]);
  // Answers the supervisor's requests.
  new AggregatorRegistry<PrometheusContentType>();
  const waiting = new Map<string, (text: string | null) => void>();
  process.on('message', (message: unknown) => {
    const response = z.safeParse(MetricsResponse, message);
    if (response.success) waiting.get(response.data.id)?.(response.data.text);
  });
  return async () => {
    const id = randomUUID();
    const answer = Promise.withResolvers<string | null>();
    const timer = setTimeout(() => answer.resolve(null), TIMEOUT_MS);
    waiting.set(id, answer.resolve);
    try {
      process.send?.({ coomercio: 'metrics?', id });
      const text = await answer.promise;
      if (text === null) throw new Error('A process of this shop did not report its metrics in time.');
      return text;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
}
