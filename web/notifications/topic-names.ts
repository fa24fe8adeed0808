import type { SubscribedTopic } from '#contract/listings/subscriptions.ts';
import type { ChosenTopic, Delivery } from '#contract/people/notifications.ts';

/** The topics for whose emails each person chooses, with what belongs to them. */
export const topicNames: Readonly<Record<ChosenTopic, { name: string; contents: string }>> = {
  bookings: {
    name: 'Bookings',
    contents: 'Bookings of your laptops, and changes of laptops that you booked.',
  },
  listings: { name: 'Your listings', contents: 'Inspections, measurements and reports of your laptops.' },
  messages: { name: 'Messages', contents: 'Messages from buyers and sellers that you have not read.' },
  reviews: { name: 'Reviews', contents: 'Reviews of your purchases and sales.' },
};

/** When emails are sent, for display. */
export const deliveryNames: Readonly<Record<Delivery, string>> = {
  now: 'At once',
  daily: 'Once a day',
  off: 'No emails',
};

/** Which emails a link stops, as the end of a sentence. */
export const emailNames: Readonly<Record<SubscribedTopic, string>> = {
  bookings: 'emails about bookings',
  listings: 'emails about your listings',
  messages: 'emails about messages',
  reviews: 'emails about reviews',
  daily: 'daily emails',
};
