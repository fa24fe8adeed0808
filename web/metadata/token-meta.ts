import { privateMeta } from './page-meta.ts';

/** Like {@link privateMeta}, for a page whose address contains a secret until hydration: no other site is told it. */
export const tokenMeta =
  (title: string): ReturnType<typeof privateMeta> =>
  (route) => [...privateMeta(title)(route), { name: 'referrer', content: 'no-referrer' }];
