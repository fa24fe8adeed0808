import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readSubscription } from '#contract/listings/subscriptions.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { changeRights } from '#contract/operations/staff.ts';
import {
  type ChosenTopic,
  chooseDelivery,
  countUnseenNotifications,
  type Delivery,
  listNotifications,
  markNotificationSeen,
  markNotificationsSeen,
  markPageSeen,
  readNotificationSettings,
  subscribeToPush,
  unsubscribeFromPush,
} from '#contract/people/notifications.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import type { EmailMessage } from '#server/people/notifications/email-sender.ts';
import { type Handler, handle } from '#server/platform/jobs/queue.ts';
import { type Person, startTestShop, type TestShop, unsubscribeKey } from '#tests/harness/operations/shop.ts';
import { startPushService } from '#tests/harness/people/push-service.ts';
import { waitForBlocked } from '#tests/harness/platform/held-locks.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { createUnsubscribeLinks } from '../unsubscribe-links.ts';
import { enqueueDueDigests } from './digest.ts';
import * as digestStore from './digest-store.ts';
import { notification } from './notification.ts';
import { createNotifier } from './notifier.ts';
import type { NotificationText, Notifier } from './rules.ts';
import { removeOld } from './store.ts';

let shop: TestShop;
let push: Awaited<ReturnType<typeof startPushService>>;
let notifier: Notifier;
let failures: Error[] = [];

beforeAll(async () => {
  push = await startPushService();
  const sent: EmailMessage[] = [];
  const emailSender = {
    send: async (mail: EmailMessage) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      sent.push(mail);
    },
    deliver: async () => undefined,
    verify: async () => undefined,
    close: () => undefined,
  };
  shop = await startTestShop({
    pushServices: [push.origin],
    tasksEveryMs: 500,
    dependencies: async () => ({ emailSender }),
  });
  shop.mails = sent;
  notifier = createNotifier({
    database: shop.connection.database,
    enqueue: shop.enqueue,
    emailSender,
    origin: shop.origin,
    shop: () => defaultShopSettings,
    unsubscribeLinks: createUnsubscribeLinks(shop.origin, [unsubscribeKey]),
  });
});
afterAll(async () => {
  await shop.close();
  await push[Symbol.asyncDispose]();
});
afterEach(() => {
  failures = [];
  shop.mails.length = 0;
});

const textOf = (
  title: string,
  topic: NotificationText['topic'] = 'bookings',
  path: `/${string}` = '/home',
): NotificationText => ({
  topic,
  title,
  paragraphs: ['What happened.', 'What to do.'],
  action: { label: 'Look', path },
});

const tell = ({ userId }: Person, told: NotificationText, event: string = crypto.randomUUID()) =>
  notifier.notify({ userId, event }, told);
const choose = (person: Person, topic: ChosenTopic, delivery: Delivery) =>
  person.client.call(chooseDelivery, { params: { topic }, body: { delivery } });
const listOf = (person: Person) => person.client.call(listNotifications, { query: {} });
const unseenOf = async (person: Person) => (await person.client.call(countUnseenNotifications, {})).count;
const mailsTo = ({ email }: Person) => shop.mails.filter(({ to }) => to === email);
const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);

/** Lets the time of the daily emails come, and waits until they are sent. */
async function sendDigests(): Promise<void> {
  await query('update notifications set digest_at = now() where digest_at is not null');
  await expect
    .poll(async () => (await query('select from notifications where digest_at is not null')).rowCount)
    .toBe(0);
  await waitForEmptyQueue(shop.connection.pool);
}

test('stores a notification and emails it with its paragraphs and an unsubscribe link', async () => {
  const person = await shop.buyer();
  await tell(person, textOf('Latitude 7420 was booked', 'bookings', '/dashboard/myBuyers'));
  const [entry, ...others] = await listOf(person);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    topic: 'bookings',
    title: 'Latitude 7420 was booked',
    body: 'What happened.',
    path: '/dashboard/myBuyers',
    seen: false,
  });
  const [mail, ...more] = mailsTo(person);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Latitude 7420 was booked');
  expect(mail?.text).toContain('What to do.');
  expect(mail?.text).toContain(`Look: ${shop.origin}/dashboard/myBuyers`);
  expect(mail?.unsubscribe?.url).toMatch(new RegExp(`^${shop.origin}/unsubscribe/[\\w-]{66}$`));
  expect(mail?.text).toContain(mail?.unsubscribe?.url);
});

test('what was told for an area goes with the right to it, and nothing is told after that', async () => {
  const owner = await shop.admin();
  const admin = await shop.admin('money', 'people');
  const tellFor = (area: 'money' | 'people', event: string) =>
    notifier.notify({ adminId: admin.userId, area, event }, textOf(`About ${area}`, 'shop'));
  await tellFor('money', 'before');
  await tellFor('people', 'before, too');
  expect(await unseenOf(admin)).toBe(2);
  const listener = await shop.connection.pool.connect();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  await listener.query('listen live');
  const change = (areas: ('money' | 'people')[]) =>
    owner.client.call(changeRights, { params: { _id: admin.userId }, body: { isOwner: false, areas } });
  await change(['people']);
  await expect.poll(() => heard.join()).toContain(admin.userId);
  listener.release(true);
  await tellFor('money', 'after');
  expect((await listOf(admin)).map(({ title }) => title)).toEqual(['About people']);
  expect(mailsTo(admin)).toHaveLength(2);
  await change(['money', 'people']);
  await tellFor('money', 'again');
  expect(await unseenOf(admin)).toBe(2);
  expect(mailsTo(admin)).toHaveLength(3);
});

test('one event is told once, however often its job runs', async () => {
  const person = await shop.buyer();
  await Promise.all([1, 2, 3].map(() => tell(person, textOf('Once'), 'the same event')));
  await tell(person, textOf('Once'), 'the same event');
  expect(await listOf(person)).toHaveLength(1);
  expect(new Set(mailsTo(person).map(({ id }) => id)).size).toBe(1);
});

test('an email that the mail server refuses is sent by the retry, and the notification is not repeated', async () => {
  const person = await shop.buyer();
  failures.push(new Error('450 Try again later'));
  await expect(tell(person, textOf('Refused'), 'one event')).rejects.toThrow('450');
  expect(await unseenOf(person)).toBe(1);
  expect(mailsTo(person)).toEqual([]);
  await tell(person, textOf('Refused'), 'one event');
  await tell(person, textOf('Refused'), 'one event');
  expect(mailsTo(person)).toHaveLength(1);
  expect(await unseenOf(person)).toBe(1);
});

test('of several people each is told, also when emails to others are refused, and the retry tells nobody again', async () => {
  const people = [await shop.buyer(), await shop.seller(), await shop.buyer()];
  const handlers: Handler[] = [];
  notification('test.told', z.object({}), async () =>
    people.map(({ userId }) => ({ userId, text: textOf('To all') })),
  ).sendIn(
    { handle: (type, run) => void handlers.push(handle(type, run)) },
    { database: shop.connection.database, notifier },
  );
  const [handler] = handlers;
  const refused = [new Error('450 Try again later'), new Error('550 No such mailbox')];
  failures.push(...refused);
  await expect(handler?.run({}, 'for all')).rejects.toMatchObject({ errors: refused });
  expect(people.map((person) => mailsTo(person).length)).toEqual([0, 0, 1]);
  for (const person of people) expect(await unseenOf(person)).toBe(1);
  await handler?.run({}, 'for all');
  await handler?.run({}, 'for all');
  for (const person of people) expect(mailsTo(person)).toHaveLength(1);
  for (const person of people) expect(await unseenOf(person)).toBe(1);
});

test('“off” stops the emails of a topic only; money and safety are emailed always', async () => {
  const person = await shop.buyer();
  await choose(person, 'bookings', 'off');
  await tell(person, textOf('Silent'));
  await tell(person, textOf('A listing', 'listings'));
  await tell(person, textOf('Money', 'money'));
  await tell(person, textOf('Safety', 'safety'));
  expect(mailsTo(person).map(({ subject }) => subject)).toEqual(['A listing', 'Money', 'Safety']);
  expect(mailsTo(person).map(({ unsubscribe }) => unsubscribe === undefined)).toEqual([false, true, true]);
  expect(await unseenOf(person)).toBe(4);
  // There is no setting for them.
  await expect(
    fetch(`${shop.origin}/api/notificationSettings/money`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
      body: '{"delivery":"off"}',
    }).then(({ status }) => status),
  ).resolves.toBe(404);
});

test('“daily” collects notifications in one email, without those that were seen', async () => {
  const person = await shop.buyer();
  const other = await shop.buyer();
  for (const topic of ['bookings', 'reviews'] as const) await choose(person, topic, 'daily');
  await choose(other, 'bookings', 'daily');
  await tell(person, textOf('First'));
  await tell(person, textOf('Second', 'reviews'));
  await tell(person, textOf('Third'));
  await tell(other, textOf('Fourth'));
  expect(mailsTo(person)).toEqual([]);
  const [third] = await listOf(person);
  await person.client.call(markNotificationSeen, { params: { _id: third?._id ?? '' } });
  await sendDigests();
  const [mail, ...more] = mailsTo(person);
  expect(more).toEqual([]);
  expect(mail?.subject).toMatch(/^2 /);
  expect(mail?.text).toContain('First');
  expect(mail?.text).toContain('Second');
  expect(mail?.text).not.toContain('Third');
  expect(mailsTo(other)).toHaveLength(1);
  // Nothing is left for the next day.
  await sendDigests();
  expect(mailsTo(person)).toHaveLength(1);
});

test('a daily email of ten thousand notifications lists some, and only those are read', async () => {
  const person = await shop.buyer();
  await query(
    `insert into notifications (id, user_id, topic, title, body, path, digest_at)
       select gen_random_uuid(), $1, 'bookings', 'Number ' || number, repeat('long ', 199), '/home', now() + interval '1 day'
         from generate_series(1, 10000) as number`,
    [person.userId],
  );
  await sendDigests();
  const [mail] = mailsTo(person);
  expect(mail?.subject).toMatch(/^10000 /);
  expect(mail?.text).toContain('Number 30\n');
  expect(mail?.text).not.toContain('Number 31\n');
  expect(mail?.text).toContain('And 9970 more.');
  const digestId = crypto.randomUUID();
  await query('update notifications set emailed_at = null, digest_id = $1 where user_id = $2', [
    digestId,
    person.userId,
  ]);
  const { oldest, count } = await digestStore.unseenOf(shop.connection.database, digestId, 30);
  expect([oldest.length, count]).toEqual([30, 10_000]);
});

test('processes that enqueue daily emails at the same time send one to each person, with everything', async () => {
  const people = [await shop.buyer(), await shop.buyer(), await shop.buyer()];
  await query(
    `insert into notifications (id, user_id, topic, title, body, path, digest_at)
       select gen_random_uuid(), person, 'bookings', 'Number ' || number, 'What happened.', '/home',
              now() - number * interval '1 second'
         from generate_series(1, 150) as number, unnest($1::uuid[]) as person`,
    [people.map(({ userId }) => userId)],
  );
  const { signal } = new AbortController();
  const enqueueDue = () => enqueueDueDigests(shop.connection.database, shop.enqueue, signal);
  await Promise.all([enqueueDue(), enqueueDue(), enqueueDue(), enqueueDue()]);
  await waitForEmptyQueue(shop.connection.pool);
  for (const person of people) {
    expect(mailsTo(person).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^150 /)]);
  }
});

test('a daily email that the mail server refuses is sent by the retry', async () => {
  const person = await shop.buyer();
  await choose(person, 'bookings', 'daily');
  await tell(person, textOf('Refused at first'));
  failures.push(new Error('450 Try again later'));
  await sendDigests();
  expect(failures).toEqual([]);
  expect(mailsTo(person)).toHaveLength(1);
});

test('an unsubscribe link stops its topic, or all daily emails, without a sign-in', async () => {
  const person = await shop.buyer();
  await tell(person, textOf('With a link'));
  const url = mailsTo(person)[0]?.unsubscribe?.url ?? '';
  const token = url.split('/').at(-1) ?? '';
  const subscription = () => shop.visitor.call(readSubscription, { params: { token } });
  expect(await subscription()).toEqual({ name: null, topic: 'bookings', active: true });
  const stop = (link: string) =>
    fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect((await stop(url)).status).toBe(200);
  expect((await stop(url)).status).toBe(200);
  expect(await subscription()).toEqual({ name: null, topic: 'bookings', active: false });
  const { deliveries } = await person.client.call(readNotificationSettings, {});
  expect(deliveries).toEqual({ bookings: 'off', listings: 'now', messages: 'now', reviews: 'now' });

  await choose(person, 'listings', 'daily');
  await choose(person, 'reviews', 'daily');
  await tell(person, textOf('Waits', 'listings'));
  const links = createUnsubscribeLinks(shop.origin, [unsubscribeKey]);
  await stop(links.urlOfTopic(person.userId, 'daily'));
  expect((await person.client.call(readNotificationSettings, {})).deliveries).toMatchObject({
    listings: 'off',
    messages: 'now',
    reviews: 'off',
  });
  await sendDigests();
  expect(mailsTo(person)).toHaveLength(1);
  // A link of another person's topic cannot be made from one's own.
  const stranger = links.urlOfTopic((await shop.buyer()).userId, 'bookings');
  const forged = `${stranger.slice(0, -44)}${url.slice(-44)}`;
  expect((await stop(forged)).status).toBe(404);
});

test('seen notifications are counted no more: one, a page’s, or all until one', async () => {
  const person = await shop.buyer();
  const stranger = await shop.buyer();
  for (const path of ['/a', '/b', '/b', '/c', '/d'] as const) {
    await tell(person, textOf(path, 'bookings', path));
  }
  await tell(stranger, textOf('Of a stranger', 'bookings', '/b'));
  const [d, c] = await listOf(person);
  const seen = (_id = '') => person.client.call(markNotificationSeen, { params: { _id } });
  expect((await seen(d?._id)).modifiedCount).toBe(1);
  expect((await seen(d?._id)).modifiedCount).toBe(0);
  expect(await unseenOf(person)).toBe(4);
  expect((await person.client.call(markPageSeen, { body: { path: '/b' } })).modifiedCount).toBe(2);
  expect(await unseenOf(person)).toBe(2);
  await tell(person, textOf('Later'));
  const until = { params: { _id: c?._id ?? '' } };
  expect((await person.client.call(markNotificationsSeen, until)).modifiedCount).toBe(2);
  expect(await unseenOf(person)).toBe(1);
  expect(await unseenOf(stranger)).toBe(1);
});

test('nothing is told to an account that has ended, and its notifications leave with it', async () => {
  const claims = { auth_time: Math.floor(Date.now() / 1000) };
  const person = await shop.buyer('Bea Buyer', claims);
  const browser = push.subscribe();
  await person.client.call(subscribeToPush, { body: browser.subscription });
  await choose(person, 'listings', 'off');
  await tell(person, textOf('Before'));
  const own = await person.client.call(readOwnData, {});
  expect(own.notifications).toMatchObject([{ title: 'Before' }]);
  expect(own.notificationSettings).toEqual([{ topic: 'listings', delivery: 'off' }]);
  expect(own.pushSubscriptions).toMatchObject([{ endpoint: browser.subscription.endpoint }]);
  await person.client.call(deleteOwnAccount, { query: { email: person.email } });
  await tell(person, textOf('After'));
  expect(shop.mails.filter(({ subject }) => subject === 'After')).toEqual([]);
  for (const table of ['notifications', 'notification_settings', 'push_subscriptions']) {
    const { rowCount } = await query(`select from ${table} where user_id = $1`, [person.userId]);
    expect(rowCount, table).toBe(0);
  }
});

test('a notification that quotes a person leaves with that account, and none quotes a name that was removed', async () => {
  const claims = { auth_time: Math.floor(Date.now() / 1000) };
  const [person, leaving] = [await shop.buyer(), await shop.buyer('Lea Leaving', claims)];
  const quoting = { ...textOf('Booked'), quoted: { id: leaving.userId, name: 'Lea Leaving' } };
  await tell(person, quoting);
  await tell(person, textOf('Of nobody'));
  await leaving.client.call(deleteOwnAccount, { query: { email: leaving.email } });
  await expect(tell(person, quoting)).rejects.toThrow('another name');
  await tell(person, { ...textOf('Again'), quoted: { id: leaving.userId, name: 'Former account' } });
  expect((await listOf(person)).map(({ title }) => title)).toEqual(['Again', 'Of nobody']);
});

test('notifications are removed after 90 days', async () => {
  const person = await shop.buyer();
  await tell(person, textOf('Old'));
  await tell(person, textOf('Young'));
  await query(
    `update notifications set created_at = now() - interval '91 days' where user_id = $1 and title = 'Old'`,
    [person.userId],
  );
  await removeOld(shop.connection.database);
  expect((await listOf(person)).map(({ title }) => title)).toEqual(['Young']);
});

test('titles and texts of any length are stored, shortened and on one line', async () => {
  const person = await shop.buyer();
  await tell(person, { ...textOf(`${'x'.repeat(5000)}\u202E\nnext`), paragraphs: ['y'.repeat(50_000)] });
  const [entry] = await listOf(person);
  expect(entry?.title).toHaveLength(300);
  expect(entry?.body).toHaveLength(1000);
  await tell(person, textOf('tricky \u202Etxt.exe\nBcc: all@people.example'));
  expect((await listOf(person))[0]?.title).toBe('tricky txt.exe Bcc: all@people.example');
});

test('pushes a notification, encrypted and signed, to each browser of the person', async () => {
  const person = await shop.buyer();
  const [phone, desk, strange] = [push.subscribe(), push.subscribe(), push.subscribe()];
  for (const { subscription } of [phone, desk]) {
    await person.client.call(subscribeToPush, { body: subscription });
  }
  const stranger = await shop.buyer();
  await stranger.client.call(subscribeToPush, { body: strange.subscription });
  await tell(person, textOf('Pushed', 'bookings', '/dashboard/myBuyers'), 'pushed once');
  await tell(person, textOf('Pushed', 'bookings', '/dashboard/myBuyers'), 'pushed once');
  await waitForEmptyQueue(shop.connection.pool);
  const [entry] = await listOf(person);
  for (const { messages } of [phone, desk]) {
    expect(messages.map(({ text }) => JSON.parse(text))).toEqual([
      { id: entry?._id, title: 'Pushed', body: 'What happened.', path: '/dashboard/myBuyers' },
    ]);
    expect(messages[0]?.claims).toMatchObject({ aud: push.origin });
    expect(messages[0]?.ttlSeconds).toBeGreaterThan(80_000);
  }
  expect(strange.messages).toEqual([]);
});

test('a browser gets no push messages of a former user, after a sign-out or after it has unsubscribed', async () => {
  const claims = { sid: 'session-of-first' };
  const [first, second] = [await shop.buyer('Bea Buyer', claims), await shop.buyer()];
  const [shared, own, ending] = [push.subscribe(), push.subscribe(), push.subscribe()];
  await first.client.call(subscribeToPush, { body: shared.subscription });
  await second.client.call(subscribeToPush, { body: shared.subscription });
  await first.client.call(subscribeToPush, { body: ending.subscription });
  const { insertedId } = await second.client.call(subscribeToPush, { body: own.subscription });
  await second.client.call(unsubscribeFromPush, { params: { _id: insertedId } });
  await query(
    `insert into ended_sessions (id, forget_at) values ('session-of-first', now() + interval '1 day')`,
  );
  await tell(first, textOf('To the first'));
  await tell(second, textOf('To the second'));
  await waitForEmptyQueue(shop.connection.pool);
  expect(shared.messages.map(({ text }) => JSON.parse(text).title)).toEqual(['To the second']);
  expect(own.messages).toEqual([]);
  expect(ending.messages).toEqual([]);
});

test('a browser gets push messages beyond a session that it replaced, until the new one ends', async () => {
  const person = await shop.buyer('Bea Buyer', { sid: 'before-proof' });
  const browser = push.subscribe();
  await person.client.call(subscribeToPush, { body: browser.subscription });
  const end = async (sid: string, replaced_by?: string) => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const token = await shop.issuer.idToken(person.email, { sid, replaced_by, events });
    const body = new URLSearchParams({ logout_token: token });
    expect((await fetch(`${shop.origin}/back-channel-logout`, { method: 'POST', body })).status).toBe(200);
  };
  const pushed = async (title: string) => {
    await tell(person, textOf(title));
    await waitForEmptyQueue(shop.connection.pool);
    return browser.messages.map(({ text }) => JSON.parse(text).title);
  };
  await end('before-proof', 'after-proof');
  expect(await pushed('In the new session')).toEqual(['In the new session']);
  // The end of the session that follows is told first.
  await end('after-second-proof');
  await end('after-proof', 'after-second-proof');
  expect(await pushed('After its end')).toEqual(['In the new session']);
});

test('a subscription that is stored while its session ends is not kept', async () => {
  const person = await shop.buyer('Bea Buyer', { sid: 'session-in-a-race' });
  const browser = push.subscribe();
  const end = `insert into ended_sessions (id, forget_at) values ('session-in-a-race', now() + interval '1 day')`;
  const client = await shop.connection.pool.connect();
  let subscribed: Promise<unknown>;
  try {
    await client.query('begin');
    await client.query(end);
    subscribed = person.client.call(subscribeToPush, { body: browser.subscription });
    // The call has passed its access check, which does not see the end, and waits for it.
    await waitForBlocked(shop, 1);
    await client.query('commit');
  } finally {
    client.release();
  }
  await expect(subscribed).rejects.toMatchObject({ code: 'session_ended' });
  const { rowCount } = await query('select from push_subscriptions where user_id = $1', [person.userId]);
  expect(rowCount).toBe(0);
});

test('a subscription that is older than any session gets no more push messages', async () => {
  const person = await shop.buyer('Bea Buyer', { sid: 'session-of-long-ago' });
  const browser = push.subscribe();
  await person.client.call(subscribeToPush, { body: browser.subscription });
  await query(`update push_subscriptions set created_at = now() - interval '91 days' where user_id = $1`, [
    person.userId,
  ]);
  await tell(person, textOf('Late'));
  await waitForEmptyQueue(shop.connection.pool);
  expect(browser.messages).toEqual([]);
  const { rowCount } = await query('select from push_subscriptions where user_id = $1', [person.userId]);
  expect(rowCount).toBe(0);
});

test('a subscription that has ended, or whose keys are no keys, is removed; a busy push service is asked again', async () => {
  const person = await shop.buyer();
  const [gone, broken, busy] = [push.subscribe(), push.subscribe(), push.subscribe()];
  gone.status = 410;
  busy.status = 503;
  const keys = { ...broken.subscription.keys, p256dh: 'A'.repeat(87) };
  for (const body of [gone.subscription, { ...broken.subscription, keys }, busy.subscription]) {
    await person.client.call(subscribeToPush, { body });
  }
  await tell(person, textOf('Hard to push'));
  const left = async () => {
    const { rows } = await query('select endpoint from push_subscriptions where user_id = $1', [
      person.userId,
    ]);
    return rows.map(({ endpoint }) => endpoint);
  };
  await expect.poll(left).toEqual([busy.subscription.endpoint]);
  busy.status = 201;
  await waitForEmptyQueue(shop.connection.pool);
  expect(busy.messages).toHaveLength(1);
});

test('of many notifications three wait for a browser that cannot be reached, until it can be', async () => {
  const person = await shop.buyer();
  const browser = push.subscribe();
  browser.status = 503;
  await person.client.call(subscribeToPush, { body: browser.subscription });
  for (let count = 1; count <= 12; count += 1) await tell(person, textOf(`Number ${count}`));
  const jobs = async () => {
    const { rows } = await query(
      `select count(*) filter (where state = 'completed')::int as done,
              count(*) filter (where state <> 'completed')::int as waiting
         from pgboss.job where name = 'push'
          and data->>'subscriptionId' = (select id::text from push_subscriptions where user_id = $1)`,
      [person.userId],
    );
    return rows[0];
  };
  await expect.poll(jobs).toEqual({ done: 9, waiting: 3 });
  browser.status = 201;
  await waitForEmptyQueue(shop.connection.pool);
  expect(browser.messages).toHaveLength(3);
  await tell(person, textOf('The next one'));
  await waitForEmptyQueue(shop.connection.pool);
  expect(browser.messages).toHaveLength(4);

  // Those that were seen since do not count.
  browser.status = 503;
  const told = Array.from({ length: 4 }, (_, count) => `${count} of ${person.userId}`);
  for (const event of told) await tell(person, textOf('Not taken'), event);
  await expect.poll(jobs).toEqual({ done: 14, waiting: 3 });
  await person.client.call(markPageSeen, { body: { path: '/home' } });
  // A retry that began before they were seen still meets a browser that cannot be reached.
  await waitForEmptyQueue(shop.connection.pool);
  browser.status = 201;
  await tell(person, textOf('After a look', 'bookings', '/laptops'));
  await waitForEmptyQueue(shop.connection.pool);
  expect(browser.messages.map(({ text }) => JSON.parse(text).title).slice(4)).toEqual(['After a look']);
});

test('only known push services are accepted, and at most ten browsers a person', async () => {
  const person = await shop.buyer();
  const { subscription } = push.subscribe();
  for (const endpoint of [
    'http://127.0.0.1:1/push',
    'https://169.254.169.254/latest',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com:8443/x',
    'http://fcm.googleapis.com/x',
    'https://evil.example/?.push.apple.com',
    'https://.push.apple.com/x',
    'https://user:password@fcm.googleapis.com/x',
    'file:///etc/passwd',
    'nonsense',
  ]) {
    await expect(
      person.client.call(subscribeToPush, { body: { ...subscription, endpoint } }),
      endpoint,
    ).rejects.toMatchObject({ code: 'invalid_input' });
  }
  const browsers = Array.from({ length: 12 }, () => push.subscribe());
  await Promise.all(
    browsers.map((browser) => person.client.call(subscribeToPush, { body: browser.subscription })),
  );
  const { rowCount } = await query('select from push_subscriptions where user_id = $1', [person.userId]);
  expect(rowCount).toBe(10);
});
