import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SubscribedTopic, UNSUBSCRIBE_PATH } from '#contract/listings/subscriptions.ts';
import { chosenTopics } from '#contract/people/notifications.ts';

/** What an unsubscribe link stops. */
export type Subscription =
  | { kind: 'search'; searchId: string }
  | { kind: 'topic'; userId: string; topic: SubscribedTopic };

/** The length of an id in bytes. */
const ID_BYTES = 16;

/** The length of a signature in bytes. */
const SIGNATURE_BYTES = 32;

/** The byte of each topic in a token. New ones are added at the end, so that the links of old emails stay valid. */
const topicCodes: readonly SubscribedTopic[] = ['daily', ...chosenTopics];

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const purposes: Readonly<Record<Subscription['kind'], string>> = {
  search: 'saved search',
  topic: 'notification topic',
};

const sign = (key: Uint8Array, kind: Subscription['kind'], content: Buffer): Buffer =>
  createHmac('sha256', key).update(purposes[kind]).update(content).digest();

/**
 * Creates the links that stop emails without a sign-in (RFC 8058). A link contains the id of a saved search, or of a person with
 * a topic, and a signature, so that none can be guessed and the links of old emails stay valid without being stored.
 * @param keys the first one signs; links that others signed stay valid
 */
export function createUnsubscribeLinks(origin: string, keys: readonly [Uint8Array, ...Uint8Array[]]) {
  const urlOf = (kind: Subscription['kind'], content: Buffer) =>
    `${origin}${UNSUBSCRIBE_PATH}/${Buffer.concat([content, sign(keys[0], kind, content)]).toString('base64url')}`;

  return {
    /** The URL of the link that stops the emails of a saved search. */
    urlOfSearch: (searchId: string): string => urlOf('search', bytesOf(searchId)),
    /** The URL of the link that stops the emails of a person's notifications. */
    urlOfTopic: (userId: string, topic: SubscribedTopic): string =>
      urlOf('topic', Buffer.concat([bytesOf(userId), Buffer.from([topicCodes.indexOf(topic)])])),
    /** Returns what a link stops; null when the shop did not sign the token. */
    read(token: string): Subscription | null {
      // The decoder ignores incomplete and unknown characters.
      if (!/^(?:[\w-]{64}|[\w-]{66})$/.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const content = bytes.subarray(0, -SIGNATURE_BYTES);
      const signature = bytes.subarray(-SIGNATURE_BYTES);
      const kind = content.length === ID_BYTES ? 'search' : 'topic';
      if (!keys.some((key) => timingSafeEqual(signature, sign(key, kind, content)))) return null;
      const id = idOf(content.subarray(0, ID_BYTES));
      if (kind === 'search') return { kind, searchId: id };
      const topic = topicCodes[content[ID_BYTES] ?? -1];
      return topic === undefined ? null : { kind, userId: id, topic };
    },
  };
}

export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>;
