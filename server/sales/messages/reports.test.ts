import { beforeAll, expect, test } from 'vitest';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { complain } from '#contract/sales/complaints.ts';
import * as contract from '#contract/sales/message-reports.ts';
import { openConversation, sendMessage } from '#contract/sales/messages.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: SharedShop;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

async function pair() {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  const { insertedId: id } = await buyer.client.call(openConversation, { body: { bookingId } });
  return { buyer, seller, id };
}
const send = ({ client }: Person, _id: string, text: string) =>
  client.call(sendMessage, { params: { _id }, body: { text } });
const report = async ({ client }: Person, _id: string, note = 'She wants money outside the shop.') =>
  (await client.call(contract.reportConversation, { params: { _id }, body: { note } })).insertedId;
const readBy = ({ client }: Person, _id: string, cursor?: string) =>
  client.page(contract.readReportedMessages, {
    params: { _id },
    query: { limit: 2, ...(cursor !== undefined && { cursor }) },
  });
const trail = async () =>
  (await admin.client.call(listAuditTrail, { query: {} })).filter(({ act }) => act.includes('essages'));

test('an admin reads a reported conversation up to the report, and the audit trail says so', async () => {
  const { buyer, seller, id } = await pair();
  await send(buyer, id, 'Is it there?');
  await send(seller, id, 'Send me gift cards.');
  await send(buyer, id, 'No.');
  const reportId = await report(buyer, id);
  await send(buyer, id, 'My secret.');
  const before = (await trail()).length;
  const [listed] = await admin.client.call(contract.listConversationReports, { query: {} });
  expect(listed).toMatchObject({
    ...{ _id: reportId, reporterName: 'Ana', reportedName: 'Marta', state: 'Open' },
    note: 'She wants money outside the shop.',
  });
  expect(JSON.stringify(listed)).not.toContain('gift cards');
  expect(await trail()).toHaveLength(before);

  const first = await readBy(admin, reportId);
  const second = await readBy(admin, reportId, first.next ?? '');
  expect([...first.items, ...second.items]).toMatchObject([
    { by: 'buyer', name: 'Ana', text: 'No.' },
    { by: 'seller', name: 'Marta', text: 'Send me gift cards.' },
    { by: 'buyer', name: 'Ana', text: 'Is it there?' },
  ]);
  const entries = (await trail()).slice(0, (await trail()).length - before);
  const recorded = {
    act: 'Read messages',
    subject: `EliteBook 840 G8: Ana, ${buyer.email} and Marta, ${seller.email}`,
    note: `Because of the report ${reportId}.`,
  };
  expect(entries).toMatchObject([recorded, recorded]);
});

test('an admin who asks for a later page without the first one is recorded as well', async () => {
  const { buyer, id } = await pair();
  await send(buyer, id, 'Is it there?');
  const reportId = await report(buyer, id);
  const before = (await trail()).length;
  expect((await readBy(admin, reportId, '2147483647')).items).toMatchObject([{ text: 'Is it there?' }]);
  expect(await trail()).toHaveLength(before + 1);
});

test('what was not reported is not read by an admin', async () => {
  const { buyer, id } = await pair();
  await send(buyer, id, 'Private.');
  await expect(readBy(admin, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(
    admin.client.call(contract.readMessagesOfComplaint, { params: { _id: id }, query: {} }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test('a person reports a conversation of one’s own with messages, once until it is resolved', async () => {
  const { buyer, seller, id } = await pair();
  await expect(report(buyer, id)).rejects.toMatchObject({ code: 'message_refused' });
  await send(seller, id, 'Send me gift cards.');
  await expect(report(await shop.buyer(), id)).rejects.toMatchObject({ code: 'not_found' });
  const reports = await Promise.allSettled([report(buyer, id), report(buyer, id), report(seller, id)]);
  expect(reports.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { message: expect.stringContaining('You have reported this conversation already') } },
  ]);
  const reportId = reports.find((one) => one.status === 'fulfilled')?.value ?? '';
  const resolve = () =>
    admin.client.call(contract.resolveConversationReport, {
      params: { _id: reportId },
      body: { note: 'Warned.' },
    });
  expect(await resolve()).toMatchObject({ modifiedCount: 1 });
  expect(await resolve()).toMatchObject({ modifiedCount: 0 });
  expect((await trail())[0]).toMatchObject({ act: 'Resolved report of messages', note: 'Warned.' });
  await report(buyer, id, 'Again.');
  const data = await buyer.client.call(readOwnData, {});
  expect(data.messageReports.map(({ note }) => note)).toContain('Again.');
});

test('an admin reads the messages of an order with a complaint', async () => {
  const sale = await sellLaptop(shop);
  const params = { _id: sale.orderId };
  const { insertedId: id } = await sale.buyer.client.call(openConversation, {
    body: { bookingId: sale.bookingId },
  });
  await send(sale.seller, id, 'The battery is new.');
  const read = () =>
    admin.client.call(contract.readMessagesOfComplaint, { params: { _id: sale.orderId }, query: {} });
  await expect(read()).rejects.toMatchObject({ code: 'not_found' });
  const body = { kind: 'not_as_described', text: 'The battery is old.' } as const;
  await sale.buyer.client.call(complain, { params, body });
  expect(await read()).toMatchObject([{ by: 'seller', text: 'The battery is new.' }]);
  expect((await trail())[0]).toMatchObject({ note: 'Because of a complaint about the order.' });
});

test('the note of a person who has left stays until the report is resolved, and the person is told so', async () => {
  const { seller, id, buyer } = await pair();
  await send(seller, id, 'Send me gift cards.');
  const reportId = await report(buyer, id);
  const { kept } = await buyer.client.call(deleteOwnAccount, { query: { email: buyer.email } });
  expect(kept).toContain('The text of your report, without your name.');
  const note = async () => {
    const { rows } = await shop.connection.pool.query('select note from message_reports where id = $1', [
      reportId,
    ]);
    return rows[0]?.note;
  };
  expect(await note()).toBe('She wants money outside the shop.');
  await admin.client.call(contract.resolveConversationReport, {
    params: { _id: reportId },
    body: { note: '' },
  });
  expect(await note()).toBe('');
});
