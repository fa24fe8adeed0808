import { findLaptop } from '#server/listings/catalogue/steps.ts';
import { extractHashes } from '#server/listings/photos/rules.ts';
import { claimPrivatePhotos } from '#server/listings/photos/steps.ts';
import { lockActiveAccount, lockActiveAccountForShare } from '#server/people/accounts/steps.ts';
import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import type { Database, Reader, Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { findBooking } from '../bookings/steps.ts';
import * as messageStore from './message-store.ts';
import * as photoStore from './photo-store.ts';
import {
  type ConversationRow,
  MAXIMUM_QUESTIONS_A_DAY,
  type MessageRow,
  type Side,
  sideOf,
  writeRefusal,
} from './rules.ts';
import * as store from './store.ts';

const conversationNotFound = () => new Refusal('not_found', 'You have no such conversation.');

/** The refusal of photos that were not uploaded for this conversation, were sent before, or were removed since. */
export const unknownPhotos = () => {
  const detail = 'A photo is no longer here. Please choose it again';
  return new Refusal('invalid_input', `${detail}; the message was not sent.`, {
    errors: { photos: detail },
  });
};

const blockedPair = () =>
  new Refusal('message_refused', 'One of you has blocked the other, so no conversation was opened.');

/** The two people of a conversation of the caller. @throws Refusal */
async function requirePeople(reader: Reader, caller: Caller, id: string) {
  const people = await store.findPeople(reader, id);
  const side = people === undefined ? null : sideOf(people, caller.userId);
  if (people === undefined || side === null) throw conversationNotFound();
  return { ...people, side };
}

/** Reads a conversation of the caller. @throws Refusal */
export async function readConversation(
  database: Database,
  caller: Caller,
  id: string,
): Promise<{ row: ConversationRow; side: Side }> {
  const row = await store.findConversation(database, id, caller.userId);
  const side = row === undefined ? null : sideOf(row, caller.userId);
  if (row === undefined || side === null) throw conversationNotFound();
  return { row, side };
}

/** Reads a page of the messages of the caller's conversation. @throws Refusal */
export async function readMessages(
  database: Database,
  caller: Caller,
  id: string,
  request: PageRequest,
): Promise<Page<MessageRow>> {
  const page = await messageStore.messagesFor(database, id, caller.userId, request);
  // A stranger's page is empty, too; `readConversation` refuses the stranger.
  if (page.rows.length === 0) await readConversation(database, caller, id);
  return page;
}

/** Finds or starts the conversation of a booking, for its buyer or its seller. @returns its id @throws Refusal */
export function openOfBooking(database: Database, caller: Caller, bookingId: string): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
    const booking = await findBooking(transaction, bookingId);
    if (booking === undefined || sideOf(booking, caller.userId) === null) {
      throw new Refusal('not_found', 'You have no such booking.');
    }
    return store.insertConversation(transaction, {
      laptop_id: booking.laptop_id,
      buyer_id: booking.buyer_id,
      seller_id: booking.seller_id,
    });
  });
}

/** Finds or starts the conversation of a buyer with the seller of a laptop. @returns its id @throws Refusal */
export function openAboutLaptop(database: Database, caller: Caller, laptopId: string): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    // Locked, so that concurrent requests do not exceed the number of questions.
    if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
    const known = await store.findByLaptop(transaction, laptopId, caller.userId);
    if (known !== undefined) return known;
    const laptop = await findLaptop(transaction, laptopId);
    if (laptop === undefined || laptop.state === 'withdrawn') {
      throw new Refusal('not_found', 'There is no such laptop in this shop.');
    }
    if (laptop.seller_id === caller.userId) {
      throw new Refusal('not_allowed', `${laptop.name} is your own laptop.`);
    }
    if (!caller.roles.includes('Buyer')) {
      throw new Refusal(
        'not_allowed',
        'Only buyers ask about laptops. If you sell, you can start to buy, too, on your account page.',
      );
    }
    if (!(await store.hasBooked(transaction, laptopId, caller.userId))) {
      if (laptop.state !== 'available') {
        throw new Refusal('no_longer_for_sale', `${laptop.name} is no longer for sale.`);
      }
      const opened = await store.countOpenedToday(transaction, caller.userId, MAXIMUM_QUESTIONS_A_DAY);
      if (opened >= MAXIMUM_QUESTIONS_A_DAY) {
        throw new Refusal(
          'message_refused',
          `You have asked about ${MAXIMUM_QUESTIONS_A_DAY} laptops within a day, which is the most that is possible. You can ask about ${laptop.name} tomorrow, or book it.`,
        );
      }
    }
    const people = { buyer_id: caller.userId, seller_id: laptop.seller_id };
    if (await store.isBlocked(transaction, [people.buyer_id, people.seller_id])) throw blockedPair();
    return store.insertConversation(transaction, { laptop_id: laptopId, ...people });
  });
}

/**
 * Locks a conversation of the caller, so that neither account ends and nothing is written or blocked meanwhile.
 * @throws Refusal
 */
export async function selectForWriting(
  transaction: Transaction,
  caller: Caller,
  id: string,
): Promise<{ row: ConversationRow; side: Side }> {
  const { buyer_id, seller_id, side } = await requirePeople(transaction, caller, id);
  // Locked in one order, so that two senders do not deadlock.
  const active = new Map<string, boolean>();
  for (const person of [buyer_id, seller_id].sort()) {
    active.set(person, await lockActiveAccountForShare(transaction, person));
  }
  if (active.get(caller.userId) !== true) throw accountEnded();
  await store.lockConversation(transaction, id);
  // Read after the lock: a block or another message may have come before.
  const row = await store.findConversation(transaction, id, caller.userId);
  if (row === undefined) throw conversationNotFound();
  return { row, side };
}

/** Sends a message. @returns its sequence number and time @throws Refusal */
export async function sendMessage(
  transaction: Transaction,
  caller: Caller,
  { id, text, photos }: { id: string; text: string; photos: readonly string[] },
): Promise<{ sequence: number; at: Date }> {
  const { row, side } = await selectForWriting(transaction, caller, id);
  const refusal = writeRefusal(row, side);
  if (refusal !== null) throw new Refusal('message_refused', refusal);
  if (photos.length > 0) {
    const message = { conversationId: id, uploaderId: caller.userId, sequence: row.messages + 1 };
    const hashes = await photoStore.claimUploads(transaction, photos, message);
    const isClaimed = hashes.length === photos.length && (await claimPrivatePhotos(transaction, hashes));
    if (!isClaimed) throw unknownPhotos();
  }
  return messageStore.insertMessage(transaction, {
    id,
    messages: row.messages,
    side,
    senderId: caller.userId,
    text,
    photos,
  });
}

/** Marks the caller's conversation as read up to a message. @returns rows changed @throws Refusal */
export async function markRead(
  database: Database,
  caller: Caller,
  id: string,
  sequence: number,
): Promise<number> {
  const { side } = await requirePeople(database, caller, id);
  return messageStore.moveReadMark(database, id, side, sequence);
}

/**
 * Blocks or unblocks the other person of a conversation. Messages that are being sent meanwhile in any conversation of the two are
 * stored before, or refused.
 * @returns rows changed @throws Refusal
 */
export function blockPerson(
  database: Database,
  caller: Caller,
  id: string,
  blocked: boolean,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { buyer_id, seller_id, side } = await requirePeople(transaction, caller, id);
    if (!(await lockActiveAccountForShare(transaction, caller.userId))) throw accountEnded();
    await store.lockConversationsOf(transaction, [buyer_id, seller_id]);
    const blockedId = side === 'buyer' ? seller_id : buyer_id;
    return store.writeBlock(transaction, { blockerId: caller.userId, blockedId }, blocked);
  });
}

/**
 * Checks that the caller can add photos to a conversation, before one is uploaded.
 * @throws Refusal
 */
export async function requireWritable(database: Database, caller: Caller, id: string): Promise<void> {
  const { row, side } = await readConversation(database, caller, id);
  const refusal = writeRefusal(row, side);
  if (refusal !== null) throw new Refusal('message_refused', refusal);
}

/** Records a photo that the caller has uploaded for a conversation. @param photo in its stored form */
export async function recordPhoto(
  database: Database,
  caller: Caller,
  conversationId: string,
  photo: string,
): Promise<void> {
  const [hash = ''] = extractHashes([photo]);
  await photoStore.recordUpload(database, {
    photo_hash: hash,
    photo,
    conversation_id: conversationId,
    uploader_id: caller.userId,
  });
}
