import * as z from 'zod/mini';
import { type SellerBadge, sellerBadges } from '#contract/people/seller-checks.ts';
import type { NotificationText } from '#server/people/notifications/rules.ts';
import { type NotificationDependencies, notification } from '#server/people/notifications/steps.ts';

const account = { label: 'See your account', path: '/dashboard/account' } as const;

const takenBack: Readonly<Record<SellerBadge, string>> = {
  verified: 'We have taken your “Verified Seller” badge back. Buyers now see you as not verified.',
  address: 'We no longer tell buyers that we have seen a proof of your address.',
  identity: 'We no longer tell buyers that we have seen an identity document of yours.',
};

const badgeTakenBackText = (badge: SellerBadge, reason: string): NotificationText => ({
  topic: 'safety',
  title: badge === 'verified' ? 'Your verification was taken back' : 'A check of yours was taken back',
  paragraphs: [
    takenBack[badge],
    `Our reason: ${reason}`,
    'Your laptops stay for sale. If you think this is a mistake, please answer this mail.',
  ],
  action: account,
});

const nameDecidedText = (reason: string | null): NotificationText => ({
  topic: 'safety',
  title: reason === null ? 'Your new name was approved' : 'Your new name was not approved',
  paragraphs:
    reason === null
      ? ['Buyers see your new name from now on, and what we have checked of you stays.']
      : ['Your name stays as it was, and so does what we have checked of you.', `Our reason: ${reason}`],
  action: account,
});

/** An admin took a badge of a seller back. */
export const badgeTakenBack = notification(
  'people.badge-taken-back',
  z.object({ userId: z.string(), badge: z.enum(sellerBadges), reason: z.string() }),
  async (_dependencies: NotificationDependencies, { userId, badge, reason }) => ({
    userId,
    text: badgeTakenBackText(badge, reason),
  }),
);

/** An admin decided about a new name. `reason` is null for an approved one. */
export const nameDecided = notification(
  'people.name-decided',
  z.object({ userId: z.string(), reason: z.nullable(z.string()) }),
  async (_dependencies: NotificationDependencies, { userId, reason }) => ({
    userId,
    text: nameDecidedText(reason),
  }),
);
