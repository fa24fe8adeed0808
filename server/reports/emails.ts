import { renderEmail } from '#emails/email.ts';
import { type Account, quoteIfVerified } from '#emails/user-text.ts';
import type { EmailMessage } from '../vendors/email.ts';
import type { PersonReport } from './rules.ts';

interface ReportedLaptop {
  name: string;
  brand: string;
}

/** The laptop's name; without the seller's text while the seller's address is not verified. */
const displayName = (laptop: ReportedLaptop, seller: Account) =>
  quoteIfVerified(seller, laptop.name, `${laptop.brand} laptop`);

/** The email to a reporter: how the report was resolved. */
export function reportResolvedEmail(
  report: PersonReport,
  resolution: 'dismissed' | 'taken_down',
  { laptop, seller }: { laptop: ReportedLaptop; seller: Account },
  origin: string,
): EmailMessage {
  const laptopName = displayName(laptop, seller);
  const outcome =
    resolution === 'taken_down'
      ? `We looked at it and took the ${laptopName} out of the shop. Thank you for telling us.`
      : 'We looked at it and found nothing against our rules. Thank you for telling us all the same.';
  return renderEmail({
    to: {
      name: report.reporter_name,
      email: report.reporter_email,
      emailVerified: report.reporter_email_verified,
    },
    subject: `Your report of ${laptopName}`,
    paragraphs: [`You reported the ${laptopName} to us.`, outcome],
    facts: [
      ['Laptop', laptopName],
      ['Your reason', report.reason],
    ],
    action: { label: 'Back to the shop', url: `${origin}/home` },
  });
}

/** The email to a seller whose laptop was taken down. */
export function takenDownEmail(
  seller: Account,
  laptop: ReportedLaptop,
  note: string,
  origin: string,
): EmailMessage {
  const laptopName = displayName(laptop, seller);
  return renderEmail({
    to: seller,
    subject: `${laptopName} was taken down`,
    paragraphs: [
      `After reports of it we took your ${laptopName} out of the shop. Unpaid bookings of it were cancelled.`,
      `Our reason: ${note}`,
      'If you think this is a mistake, please answer this mail.',
    ],
    facts: [['Laptop', laptopName]],
    action: { label: 'See your products', url: `${origin}/dashboard/myProducts` },
  });
}
