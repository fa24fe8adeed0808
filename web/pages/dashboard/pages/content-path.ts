import { href } from 'react-router';
import type { ContentItem } from '#contract/operations/content.ts';

/** The path at which a page or post is read. */
export const contentPath = ({ kind, slug }: Pick<ContentItem, 'kind' | 'slug'>): string =>
  kind === 'page' ? href('/pages/:slug', { slug }) : href('/blog/:slug', { slug });
