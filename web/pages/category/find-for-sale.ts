import { type Laptop, listAdvertisements, listCategory } from '#contract/catalogue.ts';
import type { Client, Page } from '#contract/client.ts';

/** The most that a page of a list holds. */
const LARGEST_PAGE = 100;

/**
 * A laptop that is for sale, however far down its brand's list it stands; null when it is not.
 * @throws Problem
 */
export async function findForSale(
  api: Client,
  wanted: { brandId: string; laptopId: string },
  signal: AbortSignal,
): Promise<Laptop | null> {
  const among = (laptops: readonly Laptop[]) => laptops.find(({ _id }) => _id === wanted.laptopId);
  // Buy Now on the home page leads here, also for a laptop that stands many pages further down.
  const advertised = among(await api.call(listAdvertisements, { query: { limit: LARGEST_PAGE }, signal }));
  if (advertised !== undefined) return advertised;
  let cursor: string | null = null;
  do {
    const page: Page<Laptop[]> = await api.page(listCategory, {
      params: { id: wanted.brandId },
      query: { limit: LARGEST_PAGE, ...(cursor !== null && { cursor }) },
      signal,
    });
    const found = among(page.items);
    if (found !== undefined) return found;
    cursor = page.next;
  } while (cursor !== null);
  return null;
}
