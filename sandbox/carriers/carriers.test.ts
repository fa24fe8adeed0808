// The rules of EasyPost's that the stand-in keeps, each with EasyPost's page about it or a recorded answer in its official client. Where
// the source says nothing, the stand-in may differ from EasyPost: none of what is untried was tried at EasyPost.
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

// Source: https://docs.easypost.com/docs/authentication
test('The key is the user name of Basic authentication, with an empty password; another one is answered with 401.', async () => {
  expect((await call('GET', 'shipments?page_size=1')).status).toBe(200);
  const wrong = `Basic ${Buffer.from('EZTKother:').toString('base64')}`;
  expect((await call('GET', 'shipments', undefined, { authorization: wrong })).status).toBe(401);
  expect((await call('GET', 'shipments', undefined, { authorization: '' })).status).toBe(401);
});

// Source: https://docs.easypost.com/docs/shipments
test('A shipment needs both addresses and a parcel, else 422 PARAMETER.REQUIRED. It is answered with 201 and its rates. Nothing is bought.', async () => {
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

// Source: https://docs.easypost.com/docs/parcels
// Untried: A second decimal is refused here. EasyPost may round it.
test('Weights are ounces and sizes inches, each with one decimal. The weight is required.', async () => {
  expect((await ship({ parcel: { ...parcel, weight: 15.44 } })).status).toBe(422);
  expect((await ship({ parcel: { length: 10, width: 8, height: 4 } })).status).toBe(422);
  const light = (await ship()).answer.rates[0].rate;
  expect(Number((await ship({ parcel: { ...parcel, weight: 80 } })).answer.rates[0].rate)).toBeGreaterThan(
    Number(light),
  );
});

// Source: https://docs.easypost.com/guides/address-verification-guide
// Untried: Which addresses exist. Here a street needs a number, and in the US a ZIP code and a state are checked by their form.
test('An address that is created with verify is answered with verifications.delivery: success, or errors with code, field and message.', async () => {
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

// Source: https://docs.easypost.com/docs/shipments/returns
test('With is_return the addresses stay those of the first shipment, and EasyPost switches them.', async () => {
  const shipment = await bought(undefined, { is_return: true });
  expect(shipment).toMatchObject({ is_return: true, from_address: home });
});

// Source: https://docs.easypost.com/guides/customs-guide
test('A parcel to another country needs customs information; without it no carrier offers a rate, and messages say why.', async () => {
  const { status, answer } = await ship({}, { country: 'PT', state: null, zip: '1000-001' });
  expect(status).toBe(201);
  expect(answer).toMatchObject({ rates: [], messages: [{ type: 'rate_error' }] });
});

// Source: https://docs.easypost.com/docs/errors
// Untried: The status of SHIPMENT.PURCHASE.IN_PROGRESS. Here it is 422.
test('A shipment is bought once, at one of its rates. Another purchase is answered with 422 SHIPMENT.POSTAGE.EXISTS, one meanwhile with SHIPMENT.PURCHASE.IN_PROGRESS.', async () => {
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

// Source:
// https://github.com/EasyPost/easypost-node/tree/master/test/cassettes/Shipment-Service_2987889512/buys-a-shipment-with-insuranceAmount_1751540137
test('A bought shipment has fees: LabelFee, PostageFee and, when insured, InsuranceFee, as decimals with five places.', async () => {
  const { fees, selected_rate } = await bought();
  expect(fees).toMatchObject([
    { type: 'LabelFee', amount: '0.00000' },
    { type: 'PostageFee', amount: `${selected_rate.rate}000` },
  ]);
});

// Source: https://docs.easypost.com/docs/shipments/shipping-insurance
// Untried: How a fraction of a cent is rounded. Here it is rounded up.
test('Insurance is a part of the purchase. It costs 1 % of the value and at least 1.00.', async () => {
  const premium = async (insurance: string) => (await bought(insurance)).fees[2];
  expect(await premium('549.99')).toMatchObject({ type: 'InsuranceFee', amount: '5.50000' });
  expect(await premium('20.00')).toMatchObject({ amount: '1.00000' });
});

// Source: https://docs.easypost.com/docs/shipments#converting-the-label-format-of-a-shipment
test('postage_label.label_url leads to the label in options.label_format; /label?file_format=PDF converts it. The URL needs no key.', async () => {
  const { id, postage_label } = await bought();
  expect(postage_label).toMatchObject({ label_size: '4x6', label_file_type: 'application/pdf' });
  const response = await fetch(postage_label.label_url);
  const [page] = (await PDFDocument.load(await response.arrayBuffer())).getPages();
  expect(page?.getSize()).toEqual({ width: 288, height: 432 });
  expect(
    (await call('GET', `shipments/${id}/label?file_format=PDF`)).answer.postage_label.label_pdf_url,
  ).toBe(postage_label.label_url);
});

// Source: https://docs.easypost.com/docs/shipments/shipping-refund
// Untried: Whether fees of the insurance are refunded with it. Here they are.
test('The price of a label is asked back by /refund. refund_status is then submitted, and later refunded or rejected; a parcel that was scanned is rejected. not_applicable: the carrier bills a label when it scans the parcel.', async () => {
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

// Source: https://docs.easypost.com/docs/scan-form
// Untried: How a breach is answered: here with 422 SCAN_FORM.CREATE.FAILURE, a code from
// https://github.com/EasyPost/easypost-csharp/issues/76. Whether addresses are compared by their content, as here, or by id. In
// which time zone the day begins: here in UTC. Which carriers have ScanForms: here USPS. Whether a parcel that was scanned is
// refused, as here, and whether a label on a ScanForm can still be refunded, as here.
test('Labels of one origin address, one carrier account and the day are put on a ScanForm by /scan_forms, each once and not when refunded. It has their tracking_codes and the form_url of one document, and each shipment has it as scan_form.', async () => {
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

// Source: https://docs.easypost.com/docs/trackers
test('A bought shipment has a tracker with a status and its details. Each change sends the event tracker.updated.', async () => {
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

// Source: https://docs.easypost.com/guides/webhooks-guide
// Untried: How often and when an event is repeated. Here five times, after 1, 2, 4, 8 and 16 s.
test('Events bear X-Hmac-Signature: hmac-sha256-hex= and the HMAC of the body with the webhook’s secret in NFKD. An answer outside 2xx is repeated.', async () => {
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

// Source: https://docs.easypost.com/docs/reports
// Untried: The format of amounts. Here they are decimals with two places.
test('A shipment report is a CSV file with id, tracking_code, label_fee, postage_fee, insurance_fee and refund_status, among others.', async () => {
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
