import { mailOf } from '#letters/letter.ts';
import type { Mail } from '../vendors/mail.ts';
import type { ReportRow } from './rules.ts';

/** Tells a reporter what became of the report. */
export function reportResolvedMail(
  report: ReportRow,
  resolution: 'dismissed' | 'taken_down',
  laptopName: string,
  origin: string,
): Mail {
  const outcome =
    resolution === 'taken_down'
      ? `We looked at it and took the ${laptopName} out of the shop. Thank you for telling us.`
      : 'We looked at it and found nothing against our rules. Thank you for telling us all the same.';
  return mailOf({
    to: report.reporter_email,
    subject: `Your report of ${laptopName}`,
    greeting: `Hello ${report.reporter_name},`,
    paragraphs: [`You reported the ${laptopName} to us.`, outcome],
    facts: [
      ['Laptop', laptopName],
      ['Your reason', report.reason],
    ],
    action: { label: 'Back to the shop', url: `${origin}/home` },
  });
}

/** Tells a seller that a laptop was taken down, and why. */
export function takenDownMail(
  seller: { name: string; email: string },
  laptopName: string,
  note: string,
  origin: string,
): Mail {
  return mailOf({
    to: seller.email,
    subject: `${laptopName} was taken down`,
    greeting: `Hello ${seller.name},`,
    paragraphs: [
      `After reports from other people we took your ${laptopName} out of the shop. Unpaid bookings of it were cancelled.`,
      `Our reason: ${note}`,
      'If you think this is a mistake, please answer this mail.',
    ],
    facts: [['Laptop', laptopName]],
    action: { label: 'See your products', url: `${origin}/dashboard/myProducts` },
  });
}
