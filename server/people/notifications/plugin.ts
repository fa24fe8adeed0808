import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/people/notifications.ts';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import type { PushSender } from '#server/people/notifications/push-sender.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import { digestDue, enqueueDueDigests, sendDigest } from './digest.ts';
import type { NotifierDependencies } from './notifier.ts';
import { pushDue, pushNotification } from './push.ts';
import * as pushStore from './push-store.ts';
import { toEntry } from './rules.ts';
import * as store from './store.ts';

export interface NotificationsOptions extends Context, NotifierDependencies {
  pushSender: PushSender;
}

/** Routes for the caller's own notifications. */
function notificationRoutes(serve: Serve, { database, pushSender }: NotificationsOptions): void {
  serve(contract.listNotifications, async (call) => {
    const page = await store.ofUser(database, call.caller.userId, pageRequest(call.query));
    return sendPage(call, page, toEntry);
  });

  serve(contract.countUnseenNotifications, async ({ caller }) => ({
    count: await store.countUnseen(database, caller.userId),
  }));

  serve(contract.markNotificationSeen, async ({ caller, params }) =>
    modified(await actions.markSeen(database, caller, params._id, 'one')),
  );

  serve(contract.markNotificationsSeen, async ({ caller, params }) =>
    modified(await actions.markSeen(database, caller, params._id, 'all until')),
  );

  serve(contract.markPageSeen, async ({ caller, body }) =>
    modified(await store.markSeen(database, caller.userId, { path: body.path })),
  );

  serve(contract.readNotificationSettings, async ({ caller }) => ({
    deliveries: await store.readDeliveries(database, caller.userId),
    pushKey: pushSender.publicKey,
  }));

  serve(contract.chooseDelivery, async ({ caller, params, body }) => {
    await actions.chooseDelivery(database, caller, params.topic, body.delivery);
    return modified(1);
  });

  serve(contract.subscribeToPush, async ({ caller, body }) => ({
    acknowledged: true,
    insertedId: await actions.subscribeToPush({ database, pushSender }, caller, body),
  }));

  serve(contract.unsubscribeFromPush, async ({ caller, params }) => ({
    acknowledged: true,
    deletedCount: (await pushStore.remove(database, params._id, caller.userId)) ? 1 : 0,
  }));
}

/** Notifications: routes, daily emails, push messages, and the removal of old ones. */
export async function notificationsPlugin(
  app: FastifyInstance,
  options: NotificationsOptions,
): Promise<void> {
  const { api, work, database, enqueue } = options;
  await registerCalls(app, api, (serve) => notificationRoutes(serve, options));
  work.handle(digestDue, (digest) => sendDigest(options, digest));
  work.handle(pushDue, (push) => pushNotification(options, push));
  work.sweep(
    'daily emails could not be enqueued',
    (signal) => enqueueDueDigests(database, enqueue, signal),
    MINUTE_MS,
  );
  work.sweep('old notifications could not be removed', async (signal) => {
    while (!signal.aborted && (await store.removeOld(database))) {
      // The next statement removes the next ones.
    }
  });
}
