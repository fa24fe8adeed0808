import { type Account, nameIfVerified } from '#emails/user-text.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import type { PersonReport } from './rules.ts';

interface ReportedLaptop {
  name: string;
  brand: string;
}

/** The laptop's name; without the seller's text while the seller's address is not verified. */
const displayName = (laptop: ReportedLaptop, seller: Account) =>
  nameIfVerified(seller, laptop.name, `${laptop.brand} laptop`);

/** The notification to a reporter: how the report was resolved. */
export function reportResolvedText(
  report: PersonReport,
  resolution: 'dismissed' | 'taken_down',
  { laptop, seller }: { laptop: ReportedLaptop; seller: Account },
): NotificationText {
  const laptopName = displayName(laptop, seller);
  const outcome =
    resolution === 'taken_down'
      ? `We looked at the ${laptopName} that you reported, and took it out of the shop. Thank you for telling us.`
      : `We looked at the ${laptopName} that you reported, and found nothing against our rules. Thank you for telling us all the same.`;
  return {
    topic: 'safety',
    title: `Your report of ${laptopName}`,
    paragraphs: [outcome],
    facts: [
      ['Laptop', laptopName],
      ['Your reason', report.reason],
    ],
    action: { label: 'Back to the shop', path: '/home' },
  };
}

/** The notification to a seller whose laptop was taken down. */
export function takenDownText(seller: Account, laptop: ReportedLaptop, note: string): NotificationText {
  const laptopName = displayName(laptop, seller);
  return {
    topic: 'safety',
    title: `${laptopName} was taken down`,
    paragraphs: [
      `After reports of it we took your ${laptopName} out of the shop. Unpaid bookings of it were cancelled.`,
      `Our reason: ${note}`,
      'If you think this is a mistake, please answer this mail.',
    ],
    facts: [['Laptop', laptopName]],
    action: { label: 'See your products', path: '/dashboard/myProducts' },
  };
}
