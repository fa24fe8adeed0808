import type { ChosenTopic, Delivery, NotificationTopic } from '#contract/people/notifications.ts';
import { renderEmail } from '#emails/email.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import type { Context } from '#server/platform/context.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import {
  findEmailRecipient,
  lockActiveAccountForShare,
  lockAdminForShare,
  lockName,
} from '../accounts/steps.ts';
import { toEmailShop } from '../email-shop.ts';
import type { UnsubscribeLinks } from '../unsubscribe-links.ts';
import { pushDue } from './push.ts';
import * as pushStore from './push-store.ts';
import { idOf, isChosenTopic, type Notifier, nextDigestAt, toColumns, type Unsubscribe } from './rules.ts';
import * as store from './store.ts';

export interface NotifierDependencies extends Pick<Context, 'database' | 'enqueue' | 'origin' | 'shop'> {
  emailSender: EmailSender;
  unsubscribeLinks: UnsubscribeLinks;
}

async function deliveryOf(reader: Reader, userId: string, topic: NotificationTopic): Promise<Delivery> {
  if (!isChosenTopic(topic)) return 'now';
  return (await store.readDeliveries(reader, userId))[topic];
}

const topicNames: Readonly<Record<ChosenTopic, string>> = {
  bookings: 'bookings',
  listings: 'your laptops',
  messages: 'messages',
  reviews: 'reviews',
};

/** Creates the one place from which the shop notifies people. */
export function createNotifier(dependencies: NotifierDependencies): Notifier {
  const { database, enqueue, emailSender, origin, unsubscribeLinks, shop } = dependencies;

  const unsubscribeFrom = (userId: string, topic: ChosenTopic): Unsubscribe => ({
    reason: `You receive this email because you chose emails about ${topicNames[topic]} at once.`,
    label: 'Stop these emails',
    url: unsubscribeLinks.urlOfTopic(userId, topic),
  });

  return {
    async notify({ event, laptopId, ...recipient }, text, given) {
      const [userId, area] =
        'area' in recipient ? [recipient.adminId, recipient.area] : [recipient.userId, null];
      const id = idOf(userId, event);
      const columns = toColumns(text);
      const isDue = await database.transaction().execute(async (transaction) => {
        // The end of an account and of a right remove notifications, so none may be added after it.
        const isLocked =
          area === null
            ? await lockActiveAccountForShare(transaction, userId)
            : await lockAdminForShare(transaction, userId, area);
        if (!isLocked) return false;
        const { quoted } = text;
        if (quoted !== undefined && (await lockName(transaction, quoted.id)) !== quoted.name) {
          throw new Error(
            'The quoted person has another name by now, perhaps because the account has ended.',
          );
        }
        const chosen = await deliveryOf(transaction, userId, text.topic);
        const isNew = await store.insert(transaction, {
          id,
          user_id: userId,
          laptop_id: laptopId ?? null,
          area,
          ...columns,
          digest_at: chosen === 'daily' ? nextDigestAt(new Date()) : null,
        });
        if (!isNew) return chosen === 'now' && (await store.isUnsent(transaction, id));
        for (const subscriptionId of await pushStore.idsOfUser(transaction, userId)) {
          await enqueue(transaction, pushDue, { notificationId: id, subscriptionId });
        }
        return chosen === 'now';
      });
      if (!isDue) return;
      const to = await findEmailRecipient(database, userId);
      if (to === undefined) return;
      const unsubscribe =
        given ?? (isChosenTopic(text.topic) ? unsubscribeFrom(userId, text.topic) : undefined);
      const { paragraphs, facts, items, afterItems, action } = text;
      await emailSender.send({
        ...renderEmail(
          {
            to,
            subject: columns.title,
            paragraphs,
            ...(facts && { facts }),
            ...(items && {
              items: items.map(({ path, ...item }) => ({ ...item, url: `${origin}${path}` })),
            }),
            ...(afterItems !== undefined && { afterItems }),
            action: { label: action.label, url: `${origin}${action.path}` },
            ...(unsubscribe && { unsubscribe }),
          },
          toEmailShop(shop()),
        ),
        ...(unsubscribe && { unsubscribe: { url: unsubscribe.url } }),
        id,
      });
      // A process that is killed before this sends the email again, with the same id.
      await store.recordEmailed(database, id);
    },
  };
}
