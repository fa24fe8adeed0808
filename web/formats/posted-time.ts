/** The local date and time of a listing, as the shop shows it. */
export const formatPostedTime = (now: Date): string =>
  now.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
