import type { MetaDescriptor } from 'react-router';
import * as z from 'zod/mini';
import picture from './share.jpg?url';

const Root = z.object({ id: z.literal('root'), loaderData: z.object({ origin: z.string() }) });

interface PublicMeta {
  title: string;
  description: string;
  /** The one address under which the page should be known. */
  path: string;
  /** The `matches` of a route's `meta`, from which the shop's origin is read. */
  matches: readonly unknown[];
}

/** The shop's origin, without a trailing slash, from the `matches` of a route's `meta`. */
export function originOf(matches: readonly unknown[]): string {
  const root = matches.map((match) => Root.safeParse(match).data).find((match) => match !== undefined);
  return root?.loaderData.origin ?? '';
}

/** Title, description, canonical address and Open Graph of a public page. */
export function publicMeta({ title, description, path, matches }: PublicMeta): MetaDescriptor[] {
  const origin = originOf(matches);
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: `${origin}${path}` },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: 'Coomercio' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: `${origin}${path}` },
    { property: 'og:image', content: `${origin}${picture}` },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: 'An open silver laptop on warm paper' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
