import { dollarsFromCents, formatDollars } from '#contract/scalars.ts';
import { type RenderedEmail, renderEmail } from '#emails/email.ts';
import { type Account, quoteIfVerified } from '#emails/user-text.ts';
import type { EmailedLaptop } from './email-store.ts';
import { MAXIMUM_ALERTS, MAXIMUM_LISTED, resultsPath, type SavedSearchRow } from './rules.ts';

const price = (cents: number) => formatDollars(dollarsFromCents(cents));

function headline(laptops: readonly EmailedLaptop[], searchName: string): string {
  const drops = laptops.filter(({ oldPriceCents }) => oldPriceCents !== null).length;
  const matches = laptops.length - drops;
  const count = (number: number, one: string, several: string) =>
    number === 0 ? [] : [number === 1 ? `1 ${one}` : `${number} ${several}`];
  const parts = [
    ...count(matches, 'new laptop', 'new laptops'),
    ...count(drops, 'price drop', 'price drops'),
  ];
  return `${parts.join(' and ')} for “${searchName}”`;
}

/** The email to the owner of a saved search about laptops that newly match or cost less. */
export function alertEmail(
  {
    search,
    laptops,
    unsubscribeUrl,
  }: {
    search: Pick<SavedSearchRow, 'name' | 'filters' | 'frequency'>;
    laptops: readonly EmailedLaptop[];
    unsubscribeUrl: string;
  },
  owner: Account,
  origin: string,
): RenderedEmail {
  const name = quoteIfVerified(owner, search.name, 'your saved search');
  const listed = laptops.slice(0, MAXIMUM_LISTED);
  const others = laptops.length - listed.length;
  const isMore = laptops.length >= MAXIMUM_ALERTS;
  return renderEmail({
    to: owner,
    subject: headline(laptops, name),
    paragraphs: [
      laptops.length === 1
        ? 'This laptop matches a search that you saved:'
        : 'These laptops match a search that you saved:',
    ],
    items: listed.map((laptop) => ({
      title: quoteIfVerified(
        { emailVerified: laptop.sellerVerifiedAddress },
        laptop.name,
        `A laptop by ${laptop.brand}`,
      ),
      url: `${origin}/laptop/${laptop.id}`,
      details:
        laptop.oldPriceCents === null
          ? `${price(laptop.facts.priceCents)}, condition ${laptop.condition.toLowerCase()}`
          : `Now ${price(laptop.facts.priceCents)}, before ${price(laptop.oldPriceCents)}, condition ${laptop.condition.toLowerCase()}`,
    })),
    ...(others > 0 && { afterItems: `And ${isMore ? `at least ${others}` : others} more.` }),
    action: { label: 'See all results', url: `${origin}${resultsPath(search.filters)}` },
    unsubscribe: {
      reason: `You receive this email because you saved the search “${name}” and chose emails ${search.frequency === 'daily' ? 'once a day' : 'at once'}.`,
      label: 'Stop emails for this search',
      url: unsubscribeUrl,
    },
  });
}
