import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { deleteOwnLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import {
  dismissReports,
  listReportedItems,
  reportLaptop,
  takeDownLaptop,
} from '#contract/listings/reports.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { compareLaptops } from './actions.ts';

let shop: SharedShop;
let admin: Person;
let seller: Person;
let other: Person;
beforeAll(async () => {
  shop = await sharedShop();
  [admin, seller, other] = [await shop.admin(), await shop.seller(), await shop.seller()];
});

const newSerial = () => `PF3A${randomBytes(4).toString('hex')}XYZ`;

interface Serials {
  machine?: string;
  board?: string;
}

async function measure(owner: Person, laptopId: string, { machine, board }: Serials): Promise<void> {
  const { code } = await owner.client.call(createMeasurementCode, { params: { _id: laptopId } });
  const sections = { sys_vendor: 'LENOVO', product_serial: machine, board_serial: board };
  const lines = Object.entries(sections).flatMap(([name, value]) =>
    value === undefined ? [] : [`== dmi/${name}`, `\t${value}`],
  );
  const response = await fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: ['laptop-report 1', `code ${code}`, 'system linux', ...lines, '== end', ''].join('\n'),
  });
  expect(response.status).toBe(200);
}

async function measured(owner: Person, serials: Serials): Promise<string> {
  const laptopId = await shop.laptop(owner);
  await measure(owner, laptopId, serials);
  return laptopId;
}

const compare = () => compareLaptops(shop.connection.database, new AbortController().signal);

/** What the shop itself reported of a laptop. */
async function findings(laptopId: string) {
  await compare();
  const items = await admin.client.call(listReportedItems, { query: { laptop: laptopId } });
  const reports = items.find(({ _id }) => _id === laptopId)?.reports ?? [];
  return reports.flatMap((report) =>
    report.by === 'shop'
      ? [{ reason: report.reason, other: report.otherLaptop._id, state: report.state }]
      : [],
  );
}

test('one machine in listings of two sellers is reported once, with the other listing, and not again after a dismissal', async () => {
  const machine = newSerial();
  const [one, two] = [await measured(seller, { machine }), await measured(other, { machine })];
  const report = (state: string) => ({ reason: 'Same laptop', state });
  expect(await findings(one)).toEqual([{ ...report('Open'), other: two }]);
  expect(await findings(two)).toEqual([{ ...report('Open'), other: one }]);

  const dismissal = { params: { _id: two }, body: { note: 'Known.' } };
  await expect(admin.client.call(dismissReports, dismissal)).resolves.toMatchObject({ modifiedCount: 1 });
  await measure(other, two, { machine });
  expect(await findings(two)).toEqual([{ ...report('Dismissed'), other: one }]);
});

test('reports of one machine that arrive at the same time are found in every order', async () => {
  for (let round = 0; round < 5; round += 1) {
    const machine = newSerial();
    const listings = [await shop.laptop(seller), await shop.laptop(other)] as const;
    await Promise.all([
      measure(seller, listings[0], { machine }),
      measure(other, listings[1], { machine }),
      compare(),
      compare(),
    ]);
    expect(await findings(listings[0])).toHaveLength(1);
    expect(await findings(listings[1])).toHaveLength(1);
  }
});

test('a placeholder is no serial number of a machine or a board', async () => {
  const serials = { machine: 'To be filled by O.E.M.', board: 'Default string' };
  const one = await measured(seller, serials);
  const two = await measured(other, serials);
  expect(await findings(one)).toEqual([]);
  expect(await findings(two)).toEqual([]);
});

test('a part in two machines for sale is a weaker report, and none when one has left the shop', async () => {
  const board = newSerial();
  const gone = await measured(seller, { machine: newSerial(), board });
  await seller.client.call(deleteOwnLaptop, { params: { _id: gone } });
  const one = await measured(seller, { machine: newSerial(), board });
  expect(await findings(one)).toEqual([]);
  const two = await measured(other, { machine: newSerial(), board });
  expect(await findings(two)).toEqual([{ reason: 'Same part', other: one, state: 'Open' }]);
});

test('a part’s number that many listings have is a placeholder', async () => {
  const board = newSerial();
  for (let count = 0; count < 5; count += 1) await measured(other, { machine: newSerial(), board });
  const last = await measured(seller, { machine: newSerial(), board });
  expect(await findings(last)).toEqual([]);
});

test('a machine is compared when it is listed again, and when somebody reports it as stolen', async () => {
  const machine = newSerial();
  const one = await measured(seller, { machine });
  await seller.client.call(deleteOwnLaptop, { params: { _id: one } });
  const two = await measured(seller, { machine });
  expect(await findings(two)).toEqual([]);

  await other.client.call(reportLaptop, { body: { productCode: two, reason: 'Stolen' } });
  await seller.client.call(relistLaptop, { params: { _id: one }, body: {} });
  expect(await findings(one)).toEqual([{ reason: 'Same laptop', other: two, state: 'Open' }]);
});

test('a laptop that was sold, refunded and sold again is compared with that of its last buyer, like all others', async () => {
  const machine = newSerial();
  const laptopId = await measured(seller, { machine });
  const phoneOf = async ({ bookingId }: Sale, phone: string) => {
    await shop.connection.pool.query('update bookings set phone = $2 where id = $1', [bookingId, phone]);
  };
  const first = await sellLaptop(shop, { seller, laptopId });
  await phoneOf(first, '+351 931 111 111');
  const body = { text: 'I cannot hand it over.' };
  await seller.client.call(cancelSale, { params: { _id: first.orderId }, body });
  await seller.client.call(relistLaptop, { params: { _id: laptopId }, body: {} });
  await phoneOf(await sellLaptop(shop, { seller, laptopId }), '+351 932 222 222');

  const measureNew = async (mobile_number: string) => {
    const owner = await shop.seller();
    const id = await shop.laptop(owner, { mobile_number });
    await measure(owner, id, { machine });
    return id;
  };
  expect(await findings(await measureNew('+351 932 222 222'))).toEqual([]);
  const ofFirstBuyer = await measureNew('+351 931 111 111');
  expect(await findings(ofFirstBuyer)).toContainEqual({
    reason: 'Same laptop',
    other: laptopId,
    state: 'Open',
  });
});

test('taking a laptop down that the shop reported sends no email to a reporter', async () => {
  const machine = newSerial();
  const one = await measured(seller, { machine });
  await measured(other, { machine });
  expect(await findings(one)).toHaveLength(1);
  const takeDown = { params: { _id: one }, body: { note: 'Listed twice.' } };
  await expect(admin.client.call(takeDownLaptop, takeDown)).resolves.toMatchObject({ modifiedCount: 1 });
  await expect
    .poll(() => shop.mails.filter(({ subject }) => subject.endsWith('was taken down')))
    .toHaveLength(1);
  expect(shop.mails.filter(({ subject }) => subject.startsWith('Your report of'))).toEqual([]);
});

test('a machine is compared with all its listings, however many there are, a step after the other', {
  tags: 'long',
}, async () => {
  const machine = newSerial();
  const oldest = await measured(other, { machine });
  await compare();
  // More than one step, and copies of the oldest listing, which is measured with the same serial number.
  const { rows } = await shop.connection.pool.query<{ id: string }>(
    `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents, resale_price_cents,
                          posted_time, use_time, mobile_number, condition)
     select brand, $2, name, location, images, description, original_price_cents, resale_price_cents,
            posted_time, use_time, mobile_number, condition
       from laptops, generate_series(1, 120) where id = $1
     returning id`,
    [oldest, seller.userId],
  );
  const copies = rows.map(({ id }) => id);
  await shop.connection.pool.query(
    `insert into measurements (laptop_id, measured_with, machine, machine_hash, part_hashes)
     select copy, measured_with, machine, machine_hash, part_hashes
       from measurements, unnest($2::uuid[]) as copy where laptop_id = $1`,
    [oldest, copies],
  );
  await shop.connection.pool.query('delete from laptops_to_compare');
  const newest = await measured(seller, { machine });
  await compare();
  const reported = await shop.connection.pool.query<{ id: string }>(
    `select other_laptop_id as id from reports where laptop_id = $1 and reason = 'Same laptop'`,
    [newest],
  );
  expect(new Set(reported.rows.map(({ id }) => id))).toEqual(new Set([oldest, ...copies]));
  const { rows: notes } = await shop.connection.pool.query('select from laptops_to_compare');
  expect(notes).toEqual([]);
});

test('a laptop that was reported as stolen is recognized after its seller’s account was deleted', async () => {
  const machine = newSerial();
  const leaving = await shop.seller();
  const stolen = await measured(leaving, { machine });
  const innocent = await measured(leaving, { machine: newSerial() });
  await (await shop.buyer()).client.call(reportLaptop, { body: { productCode: stolen, reason: 'Stolen' } });
  const { kept } = await leaving.client.call(deleteOwnAccount, { query: { email: leaving.email } });
  expect(kept).toEqual([expect.stringContaining('a laptop that somebody reported as stolen')]);
  const { rows } = await shop.connection.pool.query(
    'select laptop_id from measurements where laptop_id = any ($1)',
    [[stolen, innocent]],
  );
  expect(rows).toEqual([{ laptop_id: stolen }]);
  expect(await findings(await measured(other, { machine }))).toEqual([
    { reason: 'Same laptop', other: stolen, state: 'Open' },
  ]);
});
