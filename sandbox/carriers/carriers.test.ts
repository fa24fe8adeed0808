// The stand-in for EasyPost keeps the rules of `rules.ts`, each by its name.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { rules } from './rules.ts';
import { startCarriers } from './start.ts';

const keys = { apiKey: 'EZTKkey', webhookSecret: 'sécret' };
const authorization = `Basic ${Buffer.from('EZTKkey:').toString('base64')}`;
/** What the shop got, and how often it refuses an event. */
const events: { body: string; signature: unknown }[] = [];
let refusals = 0;
const receiver = createServer(async (request, response) => {
  const body = (await buffer(request)).toString('utf8');
  events.push({ body, signature: request.headers['x-hmac-signature'] });
  refusals -= 1;
  response.writeHead(refusals >= 0 ? 503 : 200).end();
});

let folder: string;
let webhookUrl: string;
let fake: Awaited<ReturnType<typeof startCarriers>>;
const start = () => startCarriers({ port: 0, dataFolder: folder, webhookUrl, ...keys });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-carriers-'));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port }: Pick<AddressInfo, 'port'> = Object(receiver.address());
  webhookUrl = `http://127.0.0.1:${port}/`;
  fake = await start();
});
beforeEach(() => events.splice(0));
afterAll(async () => {
  await fake.close();
  receiver.close();
  await rm(folder, { recursive: true });
});

/** Calls the API. @returns the status and the answer */
async function call(method: 'GET' | 'POST', path: string, body?: object, headers = { authorization }) {
  const response = await fetch(`${fake.origin}/v2/${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: Object(await response.json()) };
}

const home = {
  name: 'Jack',
  street1: '388 Townsend St',
  city: 'San Francisco',
  state: 'CA',
  zip: '94107',
  country: 'US',
};
const parcel = { length: 10, width: 8, height: 4, weight: 15.4 };
const addressId = async (changes = {}) =>
  (await call('POST', 'addresses', { address: { ...home, ...changes } })).answer.id;

async function ship(changes: object = {}, to: object = {}) {
  const [from, other] = [await addressId(), await addressId(to)];
  const shipment = { from_address: { id: from }, to_address: { id: other }, parcel, ...changes };
  return call('POST', 'shipments', { shipment });
}

async function bought(insurance?: string, changes: object = {}) {
  const { answer } = await ship({ options: { label_format: 'PDF' }, ...changes });
  const rate = { id: answer.rates[0].id };
  return (
    await call('POST', `shipments/${answer.id}/buy`, { rate, ...(insurance !== undefined && { insurance }) })
  ).answer;
}

const control = (id: string, status: string) =>
  fetch(`${fake.origin}/control/shipments/${id}/${status}`, { method: 'POST' });

test(rules.authentication.rule, async () => {
  expect((await call('GET', 'shipments?page_size=1')).status).toBe(200);
  const wrong = `Basic ${Buffer.from('EZTKother:').toString('base64')}`;
  expect((await call('GET', 'shipments', undefined, { authorization: wrong })).status).toBe(401);
  expect((await call('GET', 'shipments', undefined, { authorization: '' })).status).toBe(401);
});

test(rules.shipment.rule, async () => {
  const { status, answer } = await ship();
  expect(status).toBe(201);
  expect(answer).toMatchObject({ tracking_code: null, postage_label: null, selected_rate: null, fees: [] });
  expect(answer.rates[0]).toMatchObject({
    carrier: 'USPS',
    rate: expect.stringMatching(/^\d+\.\d\d$/),
    currency: 'USD',
  });
  for (const shipment of [
    undefined,
    { parcel },
    { from_address: { id: 'adr_1' }, to_address: { id: 'adr_2' }, parcel },
  ]) {
    expect(await call('POST', 'shipments', { shipment })).toMatchObject({
      status: 422,
      answer: { error: { code: 'PARAMETER.REQUIRED' } },
    });
  }
});

test(rules.units.rule, async () => {
  expect((await ship({ parcel: { ...parcel, weight: 15.44 } })).status).toBe(422);
  expect((await ship({ parcel: { length: 10, width: 8, height: 4 } })).status).toBe(422);
  const light = (await ship()).answer.rates[0].rate;
  expect(Number((await ship({ parcel: { ...parcel, weight: 80 } })).answer.rates[0].rate)).toBeGreaterThan(
    Number(light),
  );
});

test(rules.verification.rule, async () => {
  const verify = async (changes: object) =>
    (await call('POST', 'addresses', { address: { ...home, ...changes }, verify: true })).answer.verifications
      .delivery;
  expect(await verify({})).toMatchObject({ success: true, errors: [] });
  expect(await verify({ street1: '000 unknown street' })).toMatchObject({
    success: false,
    errors: [{ code: 'E.ADDRESS.NOT_FOUND', field: 'address', message: 'Address not found' }],
  });
  expect(await verify({ street1: 'Townsend St' })).toMatchObject({ errors: [{ field: 'street1' }] });
  expect(await verify({ zip: '9410' })).toMatchObject({ errors: [{ field: 'zip' }] });
  expect(await verify({ state: 'California' })).toMatchObject({ errors: [{ field: 'state' }] });
  expect((await call('POST', 'addresses', { address: home })).answer.verifications).toEqual({});
});

test(rules.returns.rule, async () => {
  const shipment = await bought(undefined, { is_return: true });
  expect(shipment).toMatchObject({ is_return: true, from_address: home });
});

test(rules.international.rule, async () => {
  const { status, answer } = await ship({}, { country: 'PT', state: null, zip: '1000-001' });
  expect(status).toBe(201);
  expect(answer).toMatchObject({ rates: [], messages: [{ type: 'rate_error' }] });
});

test(rules.buying.rule, async () => {
  const { answer } = await ship();
  const buy = (id: string) => call('POST', `shipments/${answer.id}/buy`, { rate: { id } });
  expect((await buy('rate_of_another')).status).toBe(404);
  await fetch(`${fake.origin}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fault: 'slow' }),
  });
  const both = await Promise.all([buy(answer.rates[0].id), buy(answer.rates[0].id)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(both.find(({ status }) => status === 422)?.answer.error.code).toBe('SHIPMENT.PURCHASE.IN_PROGRESS');
  expect(await buy(answer.rates[0].id)).toMatchObject({
    status: 422,
    answer: { error: { code: 'SHIPMENT.POSTAGE.EXISTS' } },
  });
  // Also after a restart.
  await fake.close();
  fake = await start();
  expect((await call('GET', `shipments/${answer.id}`)).answer.tracking_code).toMatch(/^94001/);
});

test(rules.fees.rule, async () => {
  const { fees, selected_rate } = await bought();
  expect(fees).toMatchObject([
    { type: 'LabelFee', amount: '0.00000' },
    { type: 'PostageFee', amount: `${selected_rate.rate}000` },
  ]);
});

test(rules.insurance.rule, async () => {
  const premium = async (insurance: string) => (await bought(insurance)).fees[2];
  expect(await premium('549.99')).toMatchObject({ type: 'InsuranceFee', amount: '5.50000' });
  expect(await premium('20.00')).toMatchObject({ amount: '1.00000' });
});

test(rules.label.rule, async () => {
  const { id, postage_label } = await bought();
  expect(postage_label).toMatchObject({ label_size: '4x6', label_file_type: 'application/pdf' });
  const response = await fetch(postage_label.label_url);
  const [page] = (await PDFDocument.load(await response.arrayBuffer())).getPages();
  expect(page?.getSize()).toEqual({ width: 288, height: 432 });
  expect(
    (await call('GET', `shipments/${id}/label?file_format=PDF`)).answer.postage_label.label_pdf_url,
  ).toBe(postage_label.label_url);
});

test(rules.refund.rule, async () => {
  const refund = async (id: string) =>
    (await call('POST', `shipments/${id}/refund`, {})).answer.refund_status;
  const unused = await bought();
  expect(await refund(unused.id)).toBe('submitted');
  await control(unused.id, 'refunded');
  expect((await call('GET', `shipments/${unused.id}`)).answer).toMatchObject({
    refund_status: 'refunded',
    fees: [{ refunded: true }, { refunded: true }],
  });
  const used = await bought();
  await control(used.id, 'in_transit');
  expect(await refund(used.id)).toBe('rejected');
  const late = await bought();
  expect(await refund(late.id)).toBe('submitted');
  await control(late.id, 'in_transit');
  await control(late.id, 'refunded');
  expect((await call('GET', `shipments/${late.id}`)).answer).toMatchObject({
    refund_status: 'rejected',
    fees: [{ refunded: false }, { refunded: false }],
  });
  expect((await call('POST', `shipments/${(await ship()).answer.id}/refund`, {})).status).toBe(422);
});

test(rules.manifest.rule, async () => {
  const create = (...shipments: { id: string }[]) =>
    call('POST', 'scan_forms', { scan_form: { shipments: shipments.map(({ id }) => ({ id })) } });
  const two = [await bought(), await bought()];
  const { status, answer } = await create(...two);
  expect(status).toBe(200);
  expect(answer).toMatchObject({
    object: 'ScanForm',
    status: 'created',
    tracking_codes: two.map(({ tracking_code }) => tracking_code),
    address: home,
  });
  expect((await PDFDocument.load(await (await fetch(answer.form_url)).arrayBuffer())).getPageCount()).toBe(1);
  expect((await call('GET', `scan_forms/${answer.id}`)).answer).toEqual(answer);
  expect((await call('GET', `shipments/${two[1].id}`)).answer.scan_form).toEqual(answer);

  const other = await bought();
  const refused = async (...shipments: { id: string }[]) => {
    expect(await create(...shipments)).toMatchObject({
      status: 422,
      answer: { error: { code: 'SCAN_FORM.CREATE.FAILURE' } },
    });
  };
  await refused(other, two[0]);
  await refused();
  await refused(other, { id: 'shp_of_another' });
  await refused(other, (await ship()).answer);
  const scanned = await bought();
  await control(scanned.id, 'in_transit');
  await refused(other, scanned);
  const refunded = await bought();
  await call('POST', `shipments/${refunded.id}/refund`, {});
  await refused(other, refunded);
  const from = { id: await addressId({ street1: '417 Montgomery Street' }) };
  await refused(other, await bought(undefined, { from_address: from }));
  const unbought = (await ship()).answer;
  const ups = unbought.rates.find(({ carrier }: { carrier: string }) => carrier === 'UPS');
  const ofUps = (await call('POST', `shipments/${unbought.id}/buy`, { rate: { id: ups.id } })).answer;
  await refused(other, ofUps);
  await refused(ofUps);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  await refused(other, await bought());
  vi.useRealTimers();
  expect((await create(other)).status).toBe(200);
  expect((await call('GET', 'scan_forms/sf_of_another')).status).toBe(404);
});

test(rules.tracker.rule, async () => {
  const { id } = await bought();
  await control(id, 'delivered');
  expect((await call('GET', `shipments/${id}`)).answer.tracker).toMatchObject({
    status: 'delivered',
    tracking_details: [{ status: 'delivered' }],
  });
  const sent = events
    .map(({ body }) => JSON.parse(body))
    .find(({ description }) => description === 'tracker.updated');
  expect(sent).toMatchObject({
    object: 'Event',
    result: { object: 'Tracker', shipment_id: id, status: 'delivered' },
  });
});

test(rules.signature.rule, async () => {
  const { id } = await bought();
  await expect.poll(() => events.length).toBe(1);
  refusals = 1;
  await control(id, 'in_transit');
  // The one that was refused, and its repetition.
  await expect.poll(() => events.length, { timeout: 5_000 }).toBe(3);
  expect(events[2]?.body).toBe(events[1]?.body);
  for (const { body, signature } of events) {
    const digest = createHmac('sha256', 'sécret'.normalize('NFKD')).update(body).digest('hex');
    expect(signature).toBe(`hmac-sha256-hex=${digest}`);
  }
});

test(rules.report.rule, async () => {
  const { id, tracking_code } = await bought('549.99');
  const [header, ...lines] = (await (await fetch(`${fake.origin}/report.csv`)).text()).split('\n');
  expect(header).toBe(
    'id,tracking_code,created_at,carrier,label_fee,postage_fee,insurance_fee,refund_status',
  );
  expect(lines.some((line) => line.startsWith(`${id},${tracking_code},`) && line.endsWith(',5.50,'))).toBe(
    true,
  );
});

test('the control page shows what was bought, as text', async () => {
  await bought(undefined, { reference: '<script>' });
  const page = await (await fetch(fake.origin)).text();
  expect(page).toContain('Out for delivery');
  expect(page).not.toContain('<script>');
});
