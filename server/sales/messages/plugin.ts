import type { FastifyInstance } from 'fastify';
import type { Paging } from '#contract/platform/scalars.ts';
import * as meetingContract from '#contract/sales/meetings.ts';
import * as reportContract from '#contract/sales/message-reports.ts';
import * as contract from '#contract/sales/messages.ts';
import type { PhotoLinks } from '#server/listings/photo-links.ts';
import type { NotificationDependencies } from '#server/people/notifications/steps.ts';
import type { Context } from '#server/platform/context.ts';
import { registerCalls } from '#server/platform/http/api.ts';
import { pageRequest, sendPage } from '#server/platform/http/paging.ts';
import { modified, type Serve } from '#server/platform/http/serve.ts';
import * as actions from './actions.ts';
import { meetingChanged, meetingDue } from './meeting-notifications.ts';
import * as meetings from './meetings.ts';
import { enqueueUnreadNotifications, messagesUnread } from './notifications.ts';
import * as reportStore from './report-store.ts';
import * as reports from './reports.ts';
import { sideOf, toConversation, toMessage } from './rules.ts';
import * as store from './store.ts';

/** Routes for the two people of a conversation. */
function conversationRoutes(serve: Serve, options: MessagesOptions): void {
  const { database, enqueue, photoLinks, toStoredPhoto } = options;
  const photoUrl = (photo: string) => photoLinks.urlOf(photo);

  serve(contract.listConversations, async (call) => {
    const { userId } = call.caller;
    const page = await store.conversationsOf(database, userId, pageRequest(call.query));
    return sendPage(call, page, (row) =>
      toConversation(row, sideOf(row, userId) ?? 'buyer', photoUrl, new Date()),
    );
  });

  serve(contract.countUnreadConversations, async ({ caller }) => ({
    count: await store.countUnnotified(database, caller.userId),
  }));

  serve(contract.openConversation, async ({ caller, body: { productCode, bookingId } }) => ({
    acknowledged: true,
    insertedId:
      productCode === undefined
        ? await actions.openOfBooking(database, caller, bookingId ?? '')
        : await actions.openAboutLaptop(database, caller, productCode),
  }));

  serve(contract.readConversation, async ({ caller, params }) => {
    const { row, side } = await actions.readConversation(database, caller, params._id);
    return toConversation(row, side, photoUrl, new Date());
  });

  serve(contract.listMessages, async (call) => {
    const { caller, params, query } = call;
    const request = pageRequest({ limit: contract.MESSAGES_PER_PAGE, ...query });
    const page = await actions.readMessages(database, caller, params._id, request);
    return sendPage(call, page, (message) => toMessage(message, caller.userId, photoUrl));
  });

  serve.idempotent(contract.sendMessage, ({ caller, params, body }, transact) =>
    transact(async (transaction) => {
      const photos = body.photos.map((url) => toStoredPhoto(url));
      if (photos.includes(null)) throw actions.unknownPhotos();
      const message = {
        id: params._id,
        text: body.text ?? '',
        photos: photos.filter((photo) => photo !== null),
      };
      const { sequence, at } = await actions.sendMessage(transaction, caller, message);
      return { acknowledged: true, sequence, at: at.toISOString() };
    }),
  );

  serve.idempotent(meetingContract.proposeMeeting, ({ caller, params, body }, transact) =>
    transact(async (transaction) => {
      const meeting = { id: params._id, place: body.place, startsAt: new Date(body.startsAt) };
      return {
        acknowledged: true,
        insertedId: await meetings.proposeMeeting(transaction, enqueue, caller, meeting),
      };
    }),
  );

  serve(meetingContract.answerMeeting, async ({ caller, params, body }) => {
    const answer = { id: params._id, meetingId: body.meeting, answer: body.answer };
    return modified(await meetings.answerMeeting({ database, enqueue }, caller, answer));
  });

  serve(contract.markRead, async ({ caller, params, body }) =>
    modified(await actions.markRead(database, caller, params._id, body.sequence)),
  );

  serve(contract.blockPerson, async ({ caller, params, body }) =>
    modified(await actions.blockPerson(database, caller, params._id, body.blocked)),
  );
}

/** Routes for reports, and for admins who read what was reported. */
function reportRoutes(serve: Serve, { database, photoLinks }: MessagesOptions): void {
  const photoUrl = (photo: string) => photoLinks.urlOf(photo);
  const request = (query: Paging) => pageRequest({ limit: contract.MESSAGES_PER_PAGE, ...query });

  serve.idempotent(reportContract.reportConversation, ({ caller, params, body }, transact) =>
    transact(async (transaction) => ({
      acknowledged: true,
      insertedId: await reports.reportConversation(transaction, caller, { id: params._id, note: body.note }),
    })),
  );

  serve(reportContract.listConversationReports, async (call) =>
    sendPage(call, await reportStore.listReports(database, pageRequest(call.query)), reports.toReport),
  );

  serve(reportContract.readReportedMessages, async (call) => {
    const { caller, params, query } = call;
    const { page, readable } = await reports.readReported(database, caller, params._id, request(query));
    return sendPage(call, page, (row) => reports.toReportedMessage(row, readable, photoUrl));
  });

  serve(reportContract.readMessagesOfComplaint, async (call) => {
    const { caller, params, query } = call;
    const { page, readable } = await reports.readOfComplaint(database, caller, params._id, request(query));
    return sendPage(call, page, (row) => reports.toReportedMessage(row, readable, photoUrl));
  });

  serve(reportContract.resolveConversationReport, async ({ caller, params, body }) => {
    return modified(
      await reports.resolveMessageReport(database, caller, { id: params._id, note: body.note ?? '' }),
    );
  });
}

export interface MessagesOptions extends Context, NotificationDependencies {
  photoLinks: PhotoLinks;
  /** Converts the URL of a photo of the image host to its stored form; null for others. */
  toStoredPhoto(url: string): string | null;
}

/** Conversations of buyers and sellers, their meetings, and the notifications about both. */
export async function messagesPlugin(app: FastifyInstance, options: MessagesOptions): Promise<void> {
  const { api, work } = options;
  await registerCalls(app, api, (serve) => {
    conversationRoutes(serve, options);
    reportRoutes(serve, options);
  });
  for (const each of [messagesUnread, meetingChanged, meetingDue]) each.sendIn(work, options);
  work.every(20_000, 'notifications about unread messages could not be enqueued', () =>
    enqueueUnreadNotifications(options, new Date()),
  );
  work.every(20_000, 'reminders of meetings could not be enqueued', () =>
    meetings.enqueueReminders(options, new Date()),
  );
}
