import cluster from 'node:cluster';
import { AggregatorRegistry, type PrometheusContentType, type Registry } from 'prom-client';
import * as z from 'zod/mini';

/** The message by which a process asks the supervisor for the metrics of all. */
const QUESTION = 'the metrics of all processes?';

/** The supervisor's answer; null when a process did not report its metrics in time. */
const Answer = z.object({ metricsOfAll: z.nullable(z.string()) });

/** Lets the supervisor collect the metrics of all its processes when one of them asks for it. */
export function answerRequestsForMetrics(): void {
  const aggregator = new AggregatorRegistry<PrometheusContentType>();
  cluster.on('message', async (worker, message: unknown) => {
    if (message !== QUESTION) return;
    // Fails when a process does not answer within 5 s.
    const metricsOfAll = await aggregator.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ metricsOfAll });
  });
}

/**
 * Connects the metrics of this process to the supervisor's.
 * @returns reads the metrics of all processes, one call at a time; rejects when one of them does not answer within seconds
 */
export function shareMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([registry]);
  // Answers the supervisor's requests.
  new AggregatorRegistry<PrometheusContentType>();
  let asked: PromiseWithResolvers<string> | null = null;
  process.on('message', (message: unknown) => {
    const answer = z.safeParse(Answer, message);
    if (!answer.success) return;
    const { metricsOfAll } = answer.data;
    if (metricsOfAll !== null) asked?.resolve(metricsOfAll);
    else asked?.reject(new Error('A process of this shop did not report its metrics in time.'));
    asked = null;
  });
  return () => {
    asked = Promise.withResolvers();
    process.send?.(QUESTION);
    return asked.promise;
  };
}
