import type { InfiniteData, InfiniteQueryObserverResult } from '@tanstack/react-query';

/** More attempts than changes can arrive while a page is read. */
const MAXIMUM_ATTEMPTS = 20;

/**
 * Reads the next page of a list. A change that arrives meanwhile makes the query client read the present pages again, which ends
 * the reading of the next page without an error: it is begun again then.
 */
export async function readNextPage({
  data: before,
  fetchNextPage,
}: Pick<InfiniteQueryObserverResult<InfiniteData<unknown>>, 'data' | 'fetchNextPage'>): Promise<void> {
  for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt += 1) {
    // By default it would in turn end the reading of the change, which would not be shown.
    const { data, isError, hasNextPage } = await fetchNextPage({ cancelRefetch: false });
    const isRead = (data?.pages.length ?? 0) > (before?.pages.length ?? 0);
    if (isRead || isError || !hasNextPage) return;
  }
}
