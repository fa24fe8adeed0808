import { type Level, levels } from '#contract/listings/level-names.ts';
import { type FoundLaptop, searchLaptops } from '#contract/listings/search.ts';
import type { Client } from '#contract/platform/client.ts';

/** Milliseconds after which the page is sent without examples. */
const TIMEOUT = 500;

/** A laptop that has a certificate. */
export type Example = Pick<FoundLaptop, '_id' | 'name' | 'image'>;

/**
 * Finds the newest laptop for sale of each level that has certificates.
 * @returns without the levels of which none is for sale, or none can be read, which is reported
 */
export async function readExamples(
  client: Client,
  report: (error: unknown) => void,
): Promise<Partial<Record<Level, Example>>> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const certified = levels.filter((level) => level !== 'word');
  const found = await Promise.all(
    certified.map(async (level) => {
      try {
        const { laptops } = await client.call(searchLaptops, { query: { level: [level], limit: 1 }, signal });
        return laptops.map(({ _id, name, image }) => [level, { _id, name, image }] as const);
      } catch (error) {
        report(error);
        return [];
      }
    }),
  );
  return Object.fromEntries(found.flat());
}
