import type { MetaDescriptor } from 'react-router';

/** What a dashboard page says of itself: its title, and that it is nobody else's to find. */
export function dashboardMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} · Coomercio` }, { name: 'robots', content: 'noindex' }];
}
