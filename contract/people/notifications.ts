import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Id, Inserted, isOneLine, Modified, Paging } from '#contract/platform/scalars.ts';

/** The topics of notifications whose emails always go out at once: money, safety of the account and of sales, the shop itself. */
export const fixedTopics = ['money', 'safety', 'shop', 'searches'] as const;

/** The topics of notifications for whose emails each person chooses a {@link Delivery}. */
export const chosenTopics = ['bookings', 'listings', 'messages', 'reviews'] as const;
export const ChosenTopic = z.enum(chosenTopics, { error: 'There are no settings for this topic' });
export type ChosenTopic = z.infer<typeof ChosenTopic>;

export const notificationTopics = [...fixedTopics, ...chosenTopics] as const;
export const NotificationTopic = z.enum(notificationTopics);
export type NotificationTopic = z.infer<typeof NotificationTopic>;

/** When notifications are emailed: each at once, all of a day in one email at 08:00 UTC, or not at all. */
export const deliveries = ['now', 'daily', 'off'] as const;
export const Delivery = z.enum(deliveries, { error: 'Choose when to email you: now, daily or off' });
export type Delivery = z.infer<typeof Delivery>;

/** The number from which on unseen notifications are not counted. */
export const MAXIMUM_UNSEEN_COUNT = 100;

/** How long a notification is kept, in days. */
export const NOTIFICATION_DAYS = 90;

export const NotificationEntry = z.object({
  _id: Id,
  topic: NotificationTopic,
  title: z.string(),
  /** What happened, in one or two sentences. */
  body: z.string(),
  /** The page of the shop that shows more, such as `/dashboard/myBuyers`. */
  path: z.string(),
  /** ISO 8601 in UTC. */
  at: z.string(),
  seen: z.boolean(),
  /** The laptop that it is about. */
  laptop: z.optional(Id),
});
export type NotificationEntry = z.infer<typeof NotificationEntry>;

export const listNotifications = endpoint({
  method: 'GET',
  path: '/notifications',
  access: 'signed-in',
  summary: `The caller’s own notifications of the last ${NOTIFICATION_DAYS} days, newest first`,
  query: Paging,
  response: z.array(NotificationEntry),
});

export const countUnseenNotifications = endpoint({
  method: 'GET',
  path: '/unseenNotifications',
  access: 'signed-in',
  summary: `The number of the caller’s unseen notifications, at most ${MAXIMUM_UNSEEN_COUNT}`,
  response: z.object({ count: z.int().check(z.maximum(MAXIMUM_UNSEEN_COUNT)) }),
});

export const markNotificationSeen = endpoint({
  method: 'PUT',
  path: '/notifications/:_id/seen',
  access: 'signed-in',
  summary: 'Marks one of the caller’s notifications as seen',
  params: z.object({ _id: Id }),
  response: Modified,
  refusals: ['not_found'],
  changes: ['unseenNotifications'],
});

export const markNotificationsSeen = endpoint({
  method: 'PUT',
  path: '/notifications/:_id/seenUntil',
  access: 'signed-in',
  summary: 'Marks one of the caller’s notifications and all earlier ones as seen',
  params: z.object({ _id: Id }),
  response: Modified,
  refusals: ['not_found'],
  changes: ['unseenNotifications'],
});

/** The maximum length of a notification's path, in characters. */
export const MAXIMUM_PATH_LENGTH = 500;

export const markPageSeen = endpoint({
  method: 'PUT',
  path: '/seenPages',
  access: 'signed-in',
  summary: 'Marks the caller’s notifications that lead to a page as seen',
  body: z.object({
    path: z
      .string({ error: 'The path of a page begins with /' })
      .check(
        z.maxLength(MAXIMUM_PATH_LENGTH, { error: 'This path is too long', abort: true }),
        z.startsWith('/', { error: 'The path of a page begins with /' }),
        z.refine(isOneLine, { error: 'This is not the path of a page' }),
      ),
  }),
  response: Modified,
});

export const readNotificationSettings = endpoint({
  method: 'GET',
  path: '/notificationSettings',
  access: 'signed-in',
  summary:
    'When the caller’s notifications are emailed, and the key with which a browser subscribes to push messages',
  response: z.object({
    deliveries: z.record(ChosenTopic, Delivery),
    /** The application server key of RFC 8292, base64url. */
    pushKey: z.string(),
  }),
});

export const chooseDelivery = endpoint({
  method: 'PUT',
  path: '/notificationSettings/:topic',
  access: 'signed-in',
  summary: 'Chooses when the caller’s notifications of a topic are emailed',
  params: z.object({ topic: ChosenTopic }),
  body: z.object({ delivery: Delivery }),
  response: Modified,
});

/** The maximum number of browsers of a person that get push messages. The oldest subscription makes way for another one. */
export const MAXIMUM_PUSH_SUBSCRIPTIONS = 10;

const base64url = (minimum: number, maximum: number) =>
  z
    .string()
    .check(z.minLength(minimum), z.maxLength(maximum, { abort: true }), z.regex(/^[A-Za-z0-9_-]+={0,2}$/));

/** A browser's push subscription, as its `toJSON()` returns it. */
export const PushSubscription = z.object({
  endpoint: z
    .string({ error: 'This is not the address of a push service' })
    .check(
      z.maxLength(1000, { error: 'This address is too long', abort: true }),
      z.refine(isOneLine, { error: 'This is not the address of a push service' }),
    ),
  keys: z.object({
    /** The browser's public key: 65 bytes, base64url. */
    p256dh: base64url(86, 90),
    /** The authentication secret: 16 bytes, base64url. */
    auth: base64url(22, 26),
  }),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

export const subscribeToPush = endpoint({
  method: 'POST',
  path: '/pushSubscriptions',
  access: 'signed-in',
  summary:
    'Sends the caller’s notifications to a browser as push messages, until its session ends or the subscription is deleted',
  body: PushSubscription,
  response: Inserted,
  limit: 'subscribing',
  refusals: ['invalid_input'],
});

export const unsubscribeFromPush = endpoint({
  method: 'DELETE',
  path: '/pushSubscriptions/:_id',
  access: 'signed-in',
  summary: 'Deletes one of the caller’s push subscriptions; `deletedCount` is 0 when it is not there',
  params: z.object({ _id: Id }),
  response: Deleted,
});
