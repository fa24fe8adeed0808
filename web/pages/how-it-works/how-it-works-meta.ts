import { href, type MetaDescriptor } from 'react-router';
import { publicMeta } from '../../metadata/page-meta.ts';
import type { ServerContext } from '../../server-context.ts';

/** The tags of the page. The loader makes them, so that browsers need no code for them. */
export function howItWorksMeta(site: Pick<ServerContext, 'origin' | 'shop'>): MetaDescriptor[] {
  const { origin, shop } = site;
  const { company, address, vatNumber } = shop.legal;
  const path = href('/how-it-works');
  const home = `${origin}${href('/')}`;
  return [
    ...publicMeta({
      title: 'How it works',
      description:
        'What certified means here, who holds your money and for how long, what you can complain about, what you do not get, and who runs this shop.',
      path,
      site,
    }),
    {
      'script:ld+json': {
        '@context': 'https://schema.org',
        '@type': 'AboutPage',
        name: 'How it works',
        url: `${origin}${path}`,
        inLanguage: 'en',
        mainEntity: {
          '@type': 'Organization',
          '@id': `${home}#organization`,
          name: shop.name,
          url: home,
          ...(company !== '' && { legalName: company }),
          ...(address !== '' && { address }),
          ...(vatNumber !== '' && { taxID: vatNumber }),
        },
      },
    },
  ];
}
