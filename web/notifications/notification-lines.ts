import type { NotificationEntry } from '#contract/people/notifications.ts';

/** A line of the list: the latest notification about a laptop, and the earlier ones. */
export interface NotificationLine {
  latest: NotificationEntry;
  earlier: readonly NotificationEntry[];
}

/** What shares a line: reviews, whatever they are about; else a laptop. Other notifications have a line of their own. */
const subjectOf = ({ _id, topic, laptop }: NotificationEntry): string =>
  topic === 'reviews' ? topic : (laptop ?? _id);

/**
 * Puts the notifications about a laptop in one line, and those about reviews.
 * @param entries newest first, which is the order of the lines as well
 */
export const toLines = (entries: readonly NotificationEntry[]): NotificationLine[] =>
  [...Map.groupBy(entries, subjectOf).values()].flatMap(([latest, ...earlier]) =>
    latest === undefined ? [] : [{ latest, earlier }],
  );
