import type { InspectionKind } from '#contract/certification/checklist.ts';
import { levelNames } from '#contract/listings/level-names.ts';
import { type Account, nameIfVerified } from '#emails/user-text.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import type { Row } from '#server/platform/database/tables.ts';

interface LaptopOfSeller {
  laptop: { id: string; name: string; brand: string };
  seller: Account;
}

/** The laptop's name; without the seller's text while the seller's address is not verified. */
const displayName = ({ laptop, seller }: LaptopOfSeller) =>
  nameIfVerified(seller, laptop.name, `${laptop.brand} laptop`);

const approvedNames = {
  photos: levelNames.inspected_photos,
  hand: levelNames.inspected_hand,
} as const satisfies Record<InspectionKind, string>;

const decisionTexts = {
  approved: {
    title: (name: string) => `${name} is inspected`,
    text: (name: string, kind: InspectionKind) =>
      `We have inspected your ${name}. Buyers now see it as ${approvedNames[kind]}, and its certificate says what we checked and what we did not. When you change the listing, it counts as Measured until we have looked at it again.`,
  },
  sent_back: {
    title: (name: string) => `Please correct ${name}`,
    text: (name: string) =>
      `We have looked at your ${name}, and something has to be corrected before we can approve it. It stays for sale as before. We look at it again when you have changed the listing.`,
  },
  refused: {
    title: (name: string) => `${name} was not approved`,
    text: (name: string) =>
      `We have looked at your ${name} and do not approve it. It stays for sale, without our inspection.`,
  },
} as const;

/** The notification to a seller about an admin's decision. */
export function decisionText(
  found: LaptopOfSeller,
  { kind, decision, grade, note }: Pick<Row<'inspections'>, 'kind' | 'decision' | 'grade' | 'note'>,
): NotificationText {
  const name = displayName(found);
  const { title, text } = decisionTexts[decision];
  return {
    topic: 'listings',
    title: title(name),
    paragraphs: [text(name, kind), ...(note === '' ? [] : [`Our words: ${note}`])],
    facts: [['Laptop', name], ...(grade === null ? [] : [['Grade', grade] as [string, string]])],
    action: { label: 'See your products', path: '/dashboard/myProducts' },
  };
}

/** The notification to the seller of a laptop on which a lock was found. */
export function deviceLockFoundText(found: LaptopOfSeller): NotificationText {
  const name = displayName(found);
  return {
    topic: 'listings',
    title: `A lock was found on ${name}`,
    paragraphs: [
      `Your ${name} was measured, and a lock was found on it. A locked laptop can be worthless to its buyer, so it is not for sale until the lock is released. Unpaid bookings of it are kept.`,
      'The page of its measurement says which lock was found and how it is released. Measure the laptop again afterwards: it is back in the shop at once.',
    ],
    facts: [['Laptop', name]],
    action: { label: 'See what was found', path: `/dashboard/measure/${found.laptop.id}` },
  };
}
