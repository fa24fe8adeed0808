import { amountFromCents, formatAmount } from '#contract/platform/scalars.ts';
import { type Account, nameIfVerified } from '#emails/user-text.ts';
import type { NotificationText, Unsubscribe } from '#server/people/notifications/rules.ts';
import type { EmailedLaptop } from './email-store.ts';
import { MAXIMUM_ALERTS, MAXIMUM_LISTED, resultsPath, type SavedSearchRow } from './rules.ts';

const price = (cents: number) => formatAmount(amountFromCents(cents));

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

/**
 * The name of a search for emails, to stand in quotes; without the owner's text while the owner's address is not verified. The names
 * that the shop suggests have quotes of their own, around the words of the search.
 */
const displayName = (owner: Pick<Account, 'emailVerified'>, name: string) =>
  nameIfVerified(owner, name, 'your saved search').replaceAll('“', '‘').replaceAll('”', '’');

/** The notification to the owner of a saved search about laptops that newly match or cost less. */
export function alertText(
  search: Pick<SavedSearchRow, 'name' | 'filters'>,
  laptops: readonly EmailedLaptop[],
  owner: Account,
): NotificationText {
  const listed = laptops.slice(0, MAXIMUM_LISTED);
  const others = laptops.length - listed.length;
  const isMore = laptops.length >= MAXIMUM_ALERTS;
  return {
    topic: 'searches',
    title: headline(laptops, displayName(owner, search.name)),
    paragraphs: [
      laptops.length === 1
        ? 'This laptop matches a search that you saved:'
        : 'These laptops match a search that you saved:',
    ],
    items: listed.map((laptop) => ({
      title: nameIfVerified(
        { emailVerified: laptop.sellerVerifiedAddress },
        laptop.name,
        `A laptop by ${laptop.brand}`,
      ),
      path: `/laptop/${laptop.id}`,
      details:
        laptop.oldPriceCents === null
          ? `${price(laptop.facts.priceCents)}, condition ${laptop.condition.toLowerCase()}`
          : `Now ${price(laptop.facts.priceCents)}, before ${price(laptop.oldPriceCents)}, condition ${laptop.condition.toLowerCase()}`,
    })),
    ...(others > 0 && { afterItems: `And ${isMore ? `at least ${others}` : others} more.` }),
    action: { label: 'See all results', path: resultsPath(search.filters) },
  };
}

/** Why the owner of a search gets its emails, and the link that stops them. */
export const alertUnsubscribe = (
  { name, frequency }: Pick<SavedSearchRow, 'name' | 'frequency'>,
  owner: Account,
  url: string,
): Unsubscribe => ({
  reason: `You receive this email because you saved the search “${displayName(owner, name)}” and chose emails ${frequency === 'daily' ? 'once a day' : 'at once'}.`,
  label: 'Stop emails for this search',
  url,
});
