import * as z from 'zod/mini';
import { type SellerBadge, sellerBadges } from '#contract/people/seller-checks.ts';
import type { Notice, Notifier } from '#server/people/notifications/rules.ts';
import { job } from '#server/platform/jobs/queue.ts';

/** An admin took a badge of a seller back. */
export const badgeTakenBack = job(
  'people.badge-taken-back',
  z.object({ userId: z.string(), badge: z.enum(sellerBadges), reason: z.string() }),
);

/** An admin decided about a new name. `reason` is null for an approved one. */
export const nameDecided = job(
  'people.name-decided',
  z.object({ userId: z.string(), reason: z.nullable(z.string()) }),
);

const account = { label: 'See your account', path: '/dashboard/account' } as const;

const takenBack: Readonly<Record<SellerBadge, string>> = {
  verified: 'We have taken your “Verified Seller” badge back. Buyers now see you as not verified.',
  address: 'We no longer tell buyers that we have seen a proof of your address.',
  identity: 'We no longer tell buyers that we have seen an identity document of yours.',
};

const badgeTakenBackNotice = (badge: SellerBadge, reason: string): Notice => ({
  topic: 'safety',
  title: badge === 'verified' ? 'Your verification was taken back' : 'A check of yours was taken back',
  paragraphs: [
    takenBack[badge],
    `Our reason: ${reason}`,
    'Your laptops stay for sale. If you think this is a mistake, please answer this mail.',
  ],
  action: account,
});

const nameDecidedNotice = (reason: string | null): Notice => ({
  topic: 'safety',
  title: reason === null ? 'Your new name was approved' : 'Your new name was not approved',
  paragraphs:
    reason === null
      ? ['Buyers see your new name from now on, and what we have checked of you stays.']
      : ['Your name stays as it was, and so does what we have checked of you.', `Our reason: ${reason}`],
  action: account,
});

/** Tells a seller that a badge was taken back. */
export const notifyBadgeTakenBack = (
  notifier: Notifier,
  { userId, badge, reason }: z.infer<typeof badgeTakenBack.data>,
  event: string,
): Promise<void> => notifier.notify({ userId, event }, badgeTakenBackNotice(badge, reason));

/** Tells a person about the decision on a new name. */
export const notifyNameDecided = (
  notifier: Notifier,
  { userId, reason }: z.infer<typeof nameDecided.data>,
  event: string,
): Promise<void> => notifier.notify({ userId, event }, nameDecidedNotice(reason));
