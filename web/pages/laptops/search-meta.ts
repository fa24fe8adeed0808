import type { MetaDescriptor } from 'react-router';
import { publicMeta, type Site } from '../../metadata/page-meta.ts';
import type { SearchDescription } from './describe-search.ts';

/**
 * The tags of a results page. The loader makes them, so that browsers need no code for them.
 * @param isFound false when the search failed
 */
export function searchMeta(
  { title, canonical, indexed }: SearchDescription,
  site: Site,
  isFound: boolean,
): MetaDescriptor[] {
  return [
    ...publicMeta({
      title,
      description: `${title}: pre-owned, with photos, facts and a seller you can call. Filter by memory, storage, screen, price and place.`,
      path: canonical,
      site,
    }),
    ...(indexed && isFound ? [] : [{ name: 'robots', content: 'noindex, follow' }]),
  ];
}
