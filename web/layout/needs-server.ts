import type { Location } from 'react-router';

type Url = Pick<Location, 'pathname' | 'search'>;

/** Leaves out the parameters that only open a dialog of the page: it needs no other data. */
const withoutDialogs = (search: string) =>
  search.replace('?', '&').replace(/&(book|wish|report(Review)?)=[^&]*/g, '');

/**
 * Whether a navigation needs the server. The pages of the dashboard have no loaders: they open from the query cache, once their
 * scripts are loaded.
 * @param opened the paths of the pages that were opened in this document
 */
export function needsServer(from: Url, to: Url, opened: ReadonlySet<string>): boolean {
  if (to.pathname.startsWith('/dashboard')) return !opened.has(to.pathname);
  return from.pathname !== to.pathname || withoutDialogs(from.search) !== withoutDialogs(to.search);
}
