import type { MetaDescriptor } from 'react-router';

/** The title of a dashboard page, which search engines must not index. */
export function dashboardMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} · Coomercio` }, { name: 'robots', content: 'noindex' }];
}
