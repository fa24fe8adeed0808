import { createMetrics } from '#server/operations/metrics/metrics.ts';
import type { Connection } from '#server/platform/database/connect.ts';

/**
 * Scrapes the metrics of a process that has not been scraped before.
 * @returns the values by names and labels, such as `coomercio_labels{state="claim"}`
 */
export async function scrapeMetrics(connection: Connection): Promise<Record<string, number>> {
  const failures: unknown[] = [];
  const { text } = await createMetrics(connection, (error) => failures.push(error)).serialize();
  if (failures.length > 0) throw new AggregateError(failures, 'some metrics could not be read');
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^(coomercio_\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(value)]];
    }),
  );
}
