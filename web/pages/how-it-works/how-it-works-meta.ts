import { href, type MetaDescriptor } from 'react-router';
import type { Settings } from '#contract/operations/settings.ts';
import { publicMeta } from '../../metadata/page-meta.ts';

/** The tags of the page. The loader makes them, so that browsers need no code for them. */
export function howItWorksMeta(
  { legalName, address, taxId }: Settings['operator'],
  origin: string,
): MetaDescriptor[] {
  const path = href('/how-it-works');
  const home = `${origin}${href('/')}`;
  return [
    ...publicMeta({
      title: 'How it works · Coomercio',
      description:
        'What certified means here, who holds your money and for how long, what you can complain about, what you do not get, and who runs this shop.',
      path,
      origin,
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
          name: 'Coomercio',
          url: home,
          ...(legalName !== null && { legalName }),
          ...(address !== null && { address }),
          ...(taxId !== null && { taxID: taxId }),
        },
      },
    },
  ];
}
