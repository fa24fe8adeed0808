import type { Page } from '#contract/platform/client.ts';

/**
 * The items of all pages of a list. What a test looks for in a shop that other files filled is on any of them.
 * @param read reads one page; of the first one without a cursor
 */
export async function everyPage<Item>(
  read: (from: { cursor?: string }) => Promise<Page<readonly Item[]>>,
): Promise<Item[]> {
  const all: Item[] = [];
  let from: { cursor?: string } | undefined = {};
  while (from !== undefined) {
    const { items, next }: Page<readonly Item[]> = await read(from);
    all.push(...items);
    from = next === null ? undefined : { cursor: next };
  }
  return all;
}
