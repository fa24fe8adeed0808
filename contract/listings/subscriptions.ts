import * as z from 'zod/mini';
import { chosenTopics } from '#contract/people/notifications.ts';
import { endpoint } from '#contract/platform/endpoint.ts';

/** The path of the page and of the POST that stop the emails of a subscription, without the token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** The emails that the link of a notification stops: those of a topic, or the daily ones of all topics. */
export const SubscribedTopic = z.enum([...chosenTopics, 'daily']);
export type SubscribedTopic = z.infer<typeof SubscribedTopic>;

export const readSubscription = endpoint({
  method: 'GET',
  path: '/subscriptions/:token',
  access: 'public',
  summary: 'The saved search, or the notifications, whose emails the unsubscribe link with this token stops',
  // Any text: a link that was cut off is told from an unknown address.
  params: z.object({ token: z.string() }),
  response: z.object({
    /** The name of the saved search; null when it was deleted, and for a topic. */
    name: z.nullable(z.string()),
    /** Which notifications are emailed; null for a saved search. */
    topic: z.nullable(SubscribedTopic),
    /** Whether emails are sent; false when they were stopped. */
    active: z.boolean(),
  }),
  refusals: ['not_found'],
});
