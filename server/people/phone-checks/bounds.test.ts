import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { askPhoneCode, confirmPhone, readOwnPhone, removePhone } from '#contract/people/phone-checks.ts';
import { type Client, Problem } from '#contract/platform/client.ts';
import type { SmsMessage } from '#server/people/phone-checks/sms-sender.ts';
import { connect } from '#server/platform/database/connect.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { countBlocked } from '#tests/harness/platform/held-locks.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { formatPhone } from '../phone-numbers.ts';
import { sendPhoneCode } from './actions.ts';
import { SHOP_SUBJECT } from './rules.ts';
import { insert, removeOld, takeDailyQuota } from './store.ts';

/** As many as one person may ask for: then people at one address may use them all. */
const CODES_PER_DAY = 10;

let shop: TestShop;
const texts: SmsMessage[] = [];

beforeAll(async () => {
  shop = await startTestShop({
    dependencies: async () => ({
      sms: {
        sender: {
          send: async (message) => {
            texts.push(message);
            return { kind: 'sent' };
          },
        },
        needsPrefixes: false,
      },
    }),
    settings: { smsCodesPerDay: CODES_PER_DAY },
  });
});
afterAll(() => shop.close());

const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);

/** Begins a new day for the shop. */
const forgetCounts = () => query('delete from phone_code_counts');

let serial = 0;
function newPhone(): string {
  serial += 1;
  return `+34612${String(serial).padStart(6, '0')}`;
}

const ask = (client: Client, phone = newPhone()) => client.call(askPhoneCode, { body: { phone } });

/** Counts by outcome: `done`, or the code of the refusal. */
async function outcomes(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(calls)) {
    const { reason }: { reason?: unknown } = result.status === 'rejected' ? result : {};
    const name =
      reason instanceof Problem ? reason.code : result.status === 'fulfilled' ? 'done' : String(reason);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function codeOf(client: Client): Promise<string> {
  await waitForEmptyQueue(shop.connection.pool);
  const { code } = await client.call(readOwnPhone, {});
  return texts.findLast(({ to }) => to === code?.phone.replaceAll(' ', ''))?.text.slice(0, 6) ?? '';
}

/** Makes the codes of a person older. */
const age = ({ userId }: Person, interval: string) =>
  query('update phone_codes set asked_at = asked_at - $2::interval where user_id = $1', [userId, interval]);

test('however many attempts are made at once, five are compared', async () => {
  await forgetCounts();
  const { client, userId } = await shop.seller();
  await ask(client);
  const code = await codeOf(client);
  const guesses = Array.from({ length: 40 }, (_, at) =>
    String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0'),
  );
  // The code's row is locked until several attempts wait, so that without a lock of their own all would have read it by then.
  const observer = connect(shop.database.url, () => undefined);
  const holder = await observer.pool.connect();
  await holder.query('begin');
  await holder.query('select from phone_codes where user_id = $1 for update', [userId]);
  const running = Promise.allSettled(
    guesses.map((guess) => client.call(confirmPhone, { body: { code: guess } })),
  );
  await expect.poll(() => countBlocked(observer.pool)).toBeGreaterThan(4);
  await holder.query('commit');
  holder.release();
  await observer.close();
  const attempts = await running;
  const sentences = attempts.map((attempt) =>
    attempt.status === 'rejected' && attempt.reason instanceof Problem ? attempt.reason.message : '',
  );
  expect(sentences.filter((sentence) => sentence.startsWith('This is not the code'))).toHaveLength(4);
  expect(sentences.filter((sentence) => sentence.startsWith('Wrong code. That was the last'))).toHaveLength(
    1,
  );
  expect(sentences.filter((sentence) => sentence.startsWith('No code is open'))).toHaveLength(35);
  const { rows } = await query('select wrong_attempts from phone_codes where user_id = $1', [userId]);
  expect(rows).toEqual([{ wrong_attempts: 5 }]);
  // The right one comes too late.
  await expect(client.call(confirmPhone, { body: { code } })).rejects.toMatchObject({ code: 'wrong_code' });
  expect(await client.call(readOwnPhone, {})).toMatchObject({ confirmed: null, code: { attemptsLeft: 0 } });
});

test('a person gets five codes within an hour and ten within a day, also at once and after a removal', async () => {
  await forgetCounts();
  const seller = await shop.seller();
  const { client } = seller;
  expect(await outcomes(Array.from({ length: 12 }, () => ask(client)))).toEqual({
    done: 5,
    too_many_requests: 7,
  });
  await client.call(removePhone, {});
  const refused = await ask(client).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'too_many_requests', status: 429 });
  expect(String(refused)).toMatch(/5 codes within an hour.*ask again in (59|60) minutes/);
  await age(seller, '61 minutes');
  expect(await outcomes(Array.from({ length: 6 }, () => ask(client)))).toEqual({
    done: 5,
    too_many_requests: 1,
  });
  await age(seller, '61 minutes');
  await expect(ask(client)).rejects.toMatchObject({
    code: 'too_many_requests',
    message: expect.stringContaining('10 codes within a day'),
  });
  await age(seller, '23 hours');
  await forgetCounts();
  await expect(ask(client)).resolves.toMatchObject({ acknowledged: true });
});

test('a number gets five codes in a day, whoever asks, also from accounts that are deleted', async () => {
  await forgetCounts();
  const phone = newPhone();
  const sellers = await Promise.all(Array.from({ length: 8 }, () => shop.seller()));
  const [leaving, ...staying] = sellers;
  if (leaving === undefined) throw new Error('There is no seller.');
  await ask(leaving.client, phone);
  await leaving.client.call(deleteOwnAccount, { query: { email: leaving.email } });
  expect(await outcomes(staying.map(({ client }) => ask(client, phone)))).toEqual({
    done: 4,
    too_many_requests: 3,
  });
  await waitForEmptyQueue(shop.connection.pool);
  expect(texts.filter(({ to }) => to === phone).length).toBeLessThanOrEqual(5);
});

test('the shop sends as many codes in a day as are configured, and a refused one is counted nowhere', async () => {
  await forgetCounts();
  const sellers = await Promise.all(Array.from({ length: CODES_PER_DAY + 6 }, () => shop.seller()));
  const before = texts.length;
  expect(await outcomes(sellers.map(({ client }) => ask(client)))).toEqual({
    done: CODES_PER_DAY,
    too_many_requests: 6,
  });
  await waitForEmptyQueue(shop.connection.pool);
  expect(texts.length - before).toBe(CODES_PER_DAY);
  const { rows } = await query(`select subject = 'shop' as of_shop, sum(count)::int as count
                                  from phone_code_counts group by 1 order by 1`);
  expect(rows).toEqual([
    // By number, and by address.
    { of_shop: false, count: 2 * CODES_PER_DAY },
    { of_shop: true, count: CODES_PER_DAY },
  ]);
  // The next day.
  await query(`update phone_code_counts set day = day - 1`);
  await expect(ask((await shop.seller()).client)).resolves.toMatchObject({ acknowledged: true });
});

test('a change of the number of codes in a day applies at once', async () => {
  await forgetCounts();
  const sellers = await Promise.all(Array.from({ length: 3 }, () => shop.seller()));
  const askNext = async () => ask(sellers.pop()?.client ?? shop.visitor);
  await askNext();
  await shop.changeSettings({ smsCodesPerDay: 1 });
  await expect(askNext()).rejects.toMatchObject({
    code: 'too_many_requests',
    message: expect.stringContaining('The shop has sent all the codes'),
  });
  await shop.changeSettings({ smsCodesPerDay: CODES_PER_DAY });
  await askNext();
});

test('people at one address get a tenth of the codes of a day, others still get theirs', async () => {
  const large = await startTestShop({
    proxies: 1,
    settings: { smsCodesPerDay: 200 },
  });
  try {
    const sellers = await Promise.all(Array.from({ length: 23 }, () => large.seller()));
    const askFrom = async (address: string, { token }: Person) => {
      const response = await fetch(`${large.origin}/api/myPhone/codes`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
          'x-forwarded-for': address,
        },
        body: JSON.stringify({ phone: newPhone() }),
      });
      return response.status;
    };
    const statuses = await Promise.all(sellers.slice(0, 22).map((seller) => askFrom('198.51.100.7', seller)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const [last] = sellers.slice(-1);
    if (last === undefined) throw new Error('There is no seller.');
    expect(await askFrom('203.0.113.9', last)).toBe(200);
  } finally {
    await large.close();
  }
});

test('a seller whose email address is not confirmed gets no code', async () => {
  const seller = await shop.seller('Una Unproven', { email_verified: false });
  const before = texts.length;
  await expect(ask(seller.client)).rejects.toMatchObject({
    code: 'not_allowed',
    message: expect.stringContaining('confirm your email address first'),
  });
  await waitForEmptyQueue(shop.connection.pool);
  expect(texts).toHaveLength(before);
});

test('a code that a later one has replaced before it was sent is not sent, and not counted', async () => {
  await forgetCounts();
  const { client, userId } = await shop.seller();
  const phones = [newPhone(), newPhone()];
  const ids: string[] = [];
  // In one transaction, so that no job can begin between them.
  await shop.connection.database.transaction().execute(async (transaction) => {
    for (const phone of phones) {
      await takeDailyQuota(transaction, SHOP_SUBJECT, CODES_PER_DAY);
      const id = await insert(transaction, userId, phone);
      ids.push(id);
      await shop.enqueue(transaction, sendPhoneCode, { id });
    }
  });
  await waitForEmptyQueue(shop.connection.pool);
  expect(texts.filter(({ to }) => phones.includes(to)).map(({ to }) => to)).toEqual(phones.slice(1));
  const { rows } = await query('select state from phone_codes where id = any($1) order by number', [ids]);
  expect(rows).toEqual([{ state: 'not_sent' }, { state: 'sent' }]);
  const { rows: counts } = await query(`select count from phone_code_counts where subject = 'shop'`);
  expect(counts).toEqual([{ count: 1 }]);
  expect(await client.call(readOwnPhone, {})).toMatchObject({
    code: { phone: formatPhone(phones[1] ?? '') },
  });
});

test('codes of the day before and counts of earlier days are removed', async () => {
  const seller = await shop.seller();
  await forgetCounts();
  await ask(seller.client);
  await age(seller, '25 hours');
  await query('update phone_code_counts set day = day - 2');
  await ask(seller.client);
  await removeOld(shop.connection.database);
  const { rows } = await query('select from phone_codes where user_id = $1', [seller.userId]);
  expect(rows).toHaveLength(1);
  const { rows: counts } = await query('select from phone_code_counts');
  // Of the shop, the address and the number.
  expect(counts).toHaveLength(3);
});

test('a shop without a hook offers nothing, and sends nothing', async () => {
  const without = await startTestShop({ dependencies: async () => ({ sms: null }) });
  try {
    const { client } = await without.seller();
    expect(await client.call(readOwnPhone, {})).toEqual({ offered: false, confirmed: null, code: null });
    await expect(ask(client)).rejects.toMatchObject({ code: 'phone_checks_off', status: 409 });
  } finally {
    await without.close();
  }
});
