import { type Level, levels } from '#contract/listings/level-names.ts';
import { type FoundLaptop, searchLaptops } from '#contract/listings/search.ts';
import { orNull, type ServerContext } from '../../server-context.ts';

/** Milliseconds after which the page is sent without examples. */
const TIMEOUT = 500;

/** A laptop that has a certificate. */
export type Example = Pick<FoundLaptop, '_id' | 'name' | 'image'>;

/**
 * Finds the newest laptop for sale of each level that has certificates.
 * @returns without the levels of which none is for sale, or none can be read, which is reported
 */
export async function readExamples(site: ServerContext): Promise<Partial<Record<Level, Example>>> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const certified = levels.filter((level) => level !== 'word');
  const found = await Promise.all(
    certified.map(async (level) => {
      const query = { level: [level], limit: 1 };
      const result = await orNull(site, site.client.call(searchLaptops, { query, signal }));
      return result?.laptops.map(({ _id, name, image }) => [level, { _id, name, image }] as const) ?? [];
    }),
  );
  return Object.fromEntries(found.flat());
}
