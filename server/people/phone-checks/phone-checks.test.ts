import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { readHealth } from '#contract/operations/health.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { deleteSeller, listSellers, verifySeller } from '#contract/operations/user-admin.ts';
import { askPhoneCode, confirmPhone, readOwnPhone, removePhone } from '#contract/people/phone-checks.ts';
import { readSeller } from '#contract/sales/seller-pages.ts';
import { startMail } from '#sandbox/mail/start.ts';
import type { SmsOutcome } from '#server/people/phone-checks/sms-sender.ts';
import { createSmsSender } from '#server/providers/sms.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { formatPhone } from '../phone-numbers.ts';
import { sendPhoneCode } from './actions.ts';
import { insert } from './store.ts';

const smsPrefixes = ['+351', '+34'];

let folder: string;
let mail: Awaited<ReturnType<typeof startMail>>;
let shop: TestShop;
let admin: Person;
/** What the hook answers in place of the stand-in; null for the stand-in itself. */
let outcome: SmsOutcome | null = null;
/** Called when the hook is asked. */
let onSend: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-sms-'));
  mail = await startMail({ smtpPort: 0, httpPort: 0, dataFolder: folder });
  const standIn = createSmsSender({ url: mail.sms.url, key: Buffer.from(mail.sms.key, 'base64') });
  shop = await startTestShop({
    dependencies: async () => ({
      sms: {
        sender: {
          send: async (message) => {
            await onSend();
            return outcome ?? standIn.send(message);
          },
        },
        needsPrefixes: true,
      },
    }),
    settings: { smsPrefixes, smsCodesPerDay: 1_000 },
  });
  admin = await shop.admin();
});
afterAll(async () => {
  await shop.close();
  await mail.close();
  await rm(folder, { recursive: true });
});

let serial = 0;
/** A number that no other test uses. */
function newPhone(): string {
  serial += 1;
  return `+351912${String(serial).padStart(6, '0')}`;
}

const query = (text: string, values: unknown[] = []) => shop.connection.pool.query(text, values);
const ask = ({ client }: Person, phone: string) => client.call(askPhoneCode, { body: { phone } });
const confirm = ({ client }: Person, code: string) => client.call(confirmPhone, { body: { code } });
const own = ({ client }: Person) => client.call(readOwnPhone, {});

const Texts = z.array(z.object({ to: z.array(z.string()), text: z.string() }));

/** The texts that the stand-in has received for a number, newest first. */
async function textsTo(phone: string): Promise<string[]> {
  await waitForEmptyQueue(shop.connection.pool);
  const response = await fetch(`${mail.inboxUrl}/messages.json?to=${encodeURIComponent(phone)}`);
  return Texts.parse(await response.json()).map(({ text }) => text);
}

/** The code of the latest text to a number. */
async function codeTo(phone: string): Promise<string> {
  const [text = ''] = await textsTo(phone);
  return /^(\d{6}) is your code for 127\.0\.0\.1\./.exec(text)?.[1] ?? '';
}

/** A code that is not the right one. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

async function confirmed(seller: Person, phone = newPhone()): Promise<string> {
  await ask(seller, phone);
  await confirm(seller, await codeTo(phone));
  return phone;
}

test('a number that is typed in international form is confirmed by the code that was sent to it', async () => {
  const seller = await shop.seller();
  expect(await own(seller)).toEqual({ offered: true, confirmed: null, code: null });
  const phone = newPhone();
  await ask(seller, `+351 (912) ${phone.slice(-6, -3)}-${phone.slice(-3)}`);
  const code = await codeTo(phone);
  expect(code).toMatch(/^\d{6}$/);
  const { code: sent } = await own(seller);
  expect(sent).toMatchObject({ phone: formatPhone(phone), state: 'sent', attemptsLeft: 5 });
  const minutes = (Date.parse(sent?.expiresAt ?? '') - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThanOrEqual(10);

  expect((await confirm(seller, `${code.slice(0, 3)} ${code.slice(3)}`)).modifiedCount).toBe(1);
  expect(await own(seller)).toEqual({
    offered: true,
    confirmed: { phone: formatPhone(phone), confirmedAt: expect.any(String) },
    code: null,
  });
  // A retry after a lost response succeeds, and another code does not.
  expect((await confirm(seller, code)).modifiedCount).toBe(0);
  await expect(confirm(seller, wrong(code))).rejects.toMatchObject({ code: 'wrong_code' });
});

test('neither the database nor the queue has the code, and the job has no number', async () => {
  const seller = await shop.seller();
  const phone = newPhone();
  await ask(seller, phone);
  const code = await codeTo(phone);
  const { rows: jobs } = await query(
    `select data from pgboss.job where data->>'type' = 'phone-checks.send-code'`,
  );
  expect(jobs.length).toBeGreaterThan(0);
  expect(JSON.stringify(jobs)).not.toContain(phone);
  for (const table of ['phone_codes', 'phone_code_counts', 'users', 'idempotency_keys']) {
    const { rows } = await query(`select to_jsonb(t)::text as row from ${table} t`);
    expect(rows.filter(({ row }) => new RegExp(`\\D${code}\\D`).test(row))).toEqual([]);
  }
  const { rows: counts } = await query('select subject from phone_code_counts');
  expect(JSON.stringify(counts)).not.toContain(phone.slice(1));
});

test('a request that is repeated with its idempotency key sends one text', async () => {
  const seller = await shop.seller();
  const phone = newPhone();
  const again = () => seller.client.call(askPhoneCode, { body: { phone }, idempotencyKey: phone });
  const first = await again();
  expect(await again()).toEqual(first);
  expect(await textsTo(phone)).toHaveLength(1);
});

test('the date is public on the laptops and the page of a verified seller at once, the number nowhere', async () => {
  const seller = await shop.seller('Pia Phone');
  const laptop = { params: { _id: await shop.laptop(seller) } };
  const shown = async () => {
    const [details, page] = [
      await shop.visitor.call(readLaptop, laptop),
      await shop.visitor.call(readSeller, { params: { sellerId: seller.userId } }),
    ];
    const buyersView = await (await shop.buyer()).client.call(readLaptop, laptop);
    return {
      text: JSON.stringify([details, page, buyersView]),
      dates: [details.seller_checks?.phone, page.checks?.phone],
    };
  };
  await admin.client.call(verifySeller, { params: { email: seller.email }, query: {} });
  expect((await shown()).dates).toEqual([null, null]);
  const phone = await confirmed(seller);
  const { confirmedAt = '' } = (await own(seller)).confirmed ?? {};
  const { text, dates } = await shown();
  expect(dates).toEqual([confirmedAt, confirmedAt]);
  expect(text).not.toContain(phone.slice(4));
  expect((await seller.client.call(removePhone, {})).deletedCount).toBe(1);
  expect((await shown()).dates).toEqual([null, null]);
  expect((await seller.client.call(removePhone, {})).deletedCount).toBe(0);
});

test('admins see the number, its date and who else has confirmed it; the asking seller learns nothing of others', async () => {
  const [first, second, other] = [
    await shop.seller('Fay First'),
    await shop.seller('Sy Second'),
    await shop.seller(),
  ];
  const phone = await confirmed(first);
  await ask(second, phone);
  expect(await own(second)).toMatchObject({
    confirmed: null,
    code: { phone: formatPhone(phone), state: expect.any(String) },
  });
  expect((await confirm(second, await codeTo(phone))).modifiedCount).toBe(1);
  await confirmed(other);
  const listed = async () => {
    const sellers = await admin.client.call(listSellers, { query: {} });
    return (person: Person) => sellers.find(({ _id }) => _id === person.userId);
  };
  const find = await listed();
  expect(find(first)).toMatchObject({ phone: { number: formatPhone(phone), alsoOf: [second.email] } });
  expect(find(second)).toMatchObject({ phone: { number: formatPhone(phone), alsoOf: [first.email] } });
  expect(find(other)).toMatchObject({ phone: { alsoOf: [] } });
  expect(find(first)?.checks.phone).toBe((await own(first)).confirmed?.confirmedAt);
  await second.client.call(removePhone, {});
  const after = await listed();
  expect(after(first)?.phone?.alsoOf).toEqual([]);
  expect(after(second)).toMatchObject({ phone: null, checks: { phone: null } });
});

test('another number replaces the confirmed one only with its code', async () => {
  const seller = await shop.seller();
  const [before, after] = [await confirmed(seller), newPhone()];
  await expect(ask(seller, before)).rejects.toMatchObject({
    errors: { phone: 'You have confirmed this number already' },
  });
  await ask(seller, after);
  const code = await codeTo(after);
  await expect(confirm(seller, wrong(code))).rejects.toMatchObject({ code: 'wrong_code' });
  expect((await own(seller)).confirmed?.phone).toBe(formatPhone(before));
  await confirm(seller, code);
  expect((await own(seller)).confirmed?.phone).toBe(formatPhone(after));
});

test('a code ends after ten minutes, with the next one, and with the removal of the number', async () => {
  const seller = await shop.seller();
  const phone = newPhone();
  const expire = () =>
    query(`update phone_codes set expires_at = now() - interval '1 second' where user_id = $1`, [
      seller.userId,
    ]);
  await ask(seller, phone);
  const first = await codeTo(phone);
  await expire();
  expect((await own(seller)).code).toBeNull();
  await expect(confirm(seller, first)).rejects.toMatchObject({ code: 'wrong_code' });
  await ask(seller, phone);
  const second = await codeTo(phone);
  await ask(seller, phone);
  const third = await codeTo(phone);
  await expect(confirm(seller, second)).rejects.toMatchObject({ code: 'wrong_code' });
  await seller.client.call(removePhone, {});
  await expect(confirm(seller, third)).rejects.toMatchObject({ code: 'wrong_code' });
  expect((await own(seller)).confirmed).toBeNull();
});

test('numbers elsewhere and in national form are refused at the field, and nothing is sent', async () => {
  const seller = await shop.seller();
  for (const phone of ['912345678', '+0912345678', '+351', '+35191234567', '+3519123456789', 'ring me']) {
    await expect(ask(seller, phone)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { phone: expect.any(String) },
    });
  }
  await expect(ask(seller, '+881612345678')).rejects.toMatchObject({
    code: 'invalid_input',
    errors: { phone: 'This shop sends codes only to numbers that begin with +351, +34' },
  });
  const { rows } = await query('select from phone_codes where user_id = $1', [seller.userId]);
  expect(rows).toEqual([]);
});

describe('when messages cost money and the owner', () => {
  afterEach(() => shop.changeSettings({ smsPrefixes }));

  test('has not said to which numbers, no code is sent and Health says so', async () => {
    const seller = await shop.seller();
    await shop.changeSettings({ smsPrefixes: [] });
    expect(await own(seller)).toMatchObject({ offered: false });
    await expect(ask(seller, newPhone())).rejects.toMatchObject({ code: 'phone_checks_off' });
    const { checks } = await admin.client.call(readHealth, {});
    expect(checks.find(({ subject }) => subject === 'sms')).toMatchObject({
      state: 'broken',
      finding: expect.stringContaining('No code is sent'),
    });
  });

  test.each([[[]], [['+34']]])(
    'names only %o, a code that waits for another number is not sent',
    async (left) => {
      const seller = await shop.seller();
      const phone = newPhone();
      await shop.changeSettings({ smsPrefixes: left });
      // As it was asked for before.
      await shop.connection.database.transaction().execute(async (transaction) => {
        const id = await insert(transaction, seller.userId, phone);
        await shop.enqueue(transaction, sendPhoneCode, { id });
      });
      expect(await textsTo(phone)).toEqual([]);
      expect((await own(seller)).code?.state).toBe('not_sent');
    },
  );
});

test('a hook that fails is said to the person, is asked once, and costs nothing of the day', async () => {
  const seller = await shop.seller();
  const phone = newPhone();
  const counted = async () => {
    const { rows } = await query("select count from phone_code_counts where subject = 'shop'");
    return rows[0]?.count;
  };
  const before = await counted();
  let asked = 0;
  onSend = async () => {
    asked += 1;
  };
  try {
    outcome = { kind: 'not_sent', reason: 'The SMS hook responded 503.' };
    await ask(seller, phone);
    await waitForEmptyQueue(shop.connection.pool);
    expect((await own(seller)).code).toMatchObject({ phone: formatPhone(phone), state: 'not_sent' });
    expect(await counted()).toBe(before);
    outcome = { kind: 'uncertain', reason: 'The SMS hook did not respond.' };
    await ask(seller, phone);
    await waitForEmptyQueue(shop.connection.pool);
    expect((await own(seller)).code).toMatchObject({ phone: formatPhone(phone), state: 'uncertain' });
    // As one that was sent: of the shop and of the number.
    expect(await counted()).toBe(before + 1);
    expect(asked).toBe(2);
  } finally {
    outcome = null;
    onSend = async () => undefined;
  }
});

test('a job that ended while the hook was asked does not ask it again', async () => {
  const seller = await shop.seller();
  const phone = newPhone();
  const { insertedId: id } = await ask(seller, phone);
  expect(await textsTo(phone)).toHaveLength(1);
  // As a killed process leaves it.
  await query(`update phone_codes set state = 'sending' where id = $1`, [id]);
  const enqueueAgain = () =>
    shop.connection.database
      .transaction()
      .execute((transaction) => shop.enqueue(transaction, sendPhoneCode, { id }));
  await enqueueAgain();
  expect(await textsTo(phone)).toHaveLength(1);
  expect((await own(seller)).code?.state).toBe('uncertain');
  // And one that ran to its end changes nothing when it runs again.
  await query(`update phone_codes set state = 'sent' where id = $1`, [id]);
  await enqueueAgain();
  expect(await textsTo(phone)).toHaveLength(1);
  expect((await own(seller)).code?.state).toBe('sent');
});

test('the export has the number and the codes; the end of an account removes both', async () => {
  const [leaving, ended] = [await shop.seller(), await shop.seller()];
  const phone = await confirmed(leaving);
  const other = await confirmed(ended);
  const { account, phoneCodes } = await leaving.client.call(readOwnData, {});
  expect(account).toMatchObject({ phone, phone_confirmed_at: (await own(leaving)).confirmed?.confirmedAt });
  expect(phoneCodes).toMatchObject([{ phone, state: 'sent', wrong_attempts: 0 }]);
  await leaving.client.call(deleteOwnAccount, { query: { email: leaving.email } });
  await admin.client.call(deleteSeller, { params: { _id: ended.userId } });
  for (const table of ['phone_codes', 'users']) {
    const { rows } = await query(`select from ${table} where phone = any($1)`, [[phone, other]]);
    expect(rows, table).toEqual([]);
  }
});
