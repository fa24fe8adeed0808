import { beforeAll, describe, expect, test } from 'vitest';
import { readMeasurement, readOwnMeasurement } from '#contract/certification/inspections.ts';
import { deleteOwnLaptop, listOwnLaptops, readLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { createPaymentIntent } from '#contract/sales/payments.ts';
import { readStoredFacts } from '#server/listings/catalogue/stored-facts.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { refreshLevels, retryFailedLevels } from './refresh-levels.ts';
import { type InspectionColumns, levelOf } from './rules.ts';
import { thinkpad } from './testing/linux-tree.ts';
import { measureAs } from './testing/measure.ts';

const measuredAt = new Date('2026-11-01T10:00:00Z');
const inspectedAt = new Date('2026-11-02T10:00:00Z');
const inspection: InspectionColumns = {
  kind: 'photos',
  decision: 'approved',
  inspected_at: inspectedAt,
  laptop_version: 3,
  measurement_id: 'first',
};

describe('the level of a laptop', () => {
  const noMeasurement = { measurementId: undefined };
  test.each<
    [
      string,
      { version?: number; measurementId?: string | undefined; inspection?: InspectionColumns | undefined },
      string,
      Date | null,
    ]
  >([
    ['without a measurement', noMeasurement, 'word', null],
    ['with a measurement', { inspection: undefined }, 'measured', measuredAt],
    ['with an approval from photos', {}, 'inspected_photos', inspectedAt],
    [
      'with an approval in hand',
      { inspection: { ...inspection, kind: 'hand' } },
      'inspected_hand',
      inspectedAt,
    ],
    ['with a refusal', { inspection: { ...inspection, decision: 'refused' } }, 'measured', measuredAt],
    ['edited after the approval', { version: 4 }, 'measured', measuredAt],
    ['measured again after the approval', { measurementId: 'next' }, 'measured', measuredAt],
  ])('%s', (_, changes, level, at) => {
    const {
      version,
      measurementId,
      inspection: decided,
    } = {
      ...{ version: 3, measurementId: 'first', inspection },
      ...changes,
    };
    const measurement =
      measurementId === undefined ? undefined : { id: measurementId, measured_at: measuredAt };
    expect(levelOf({ version }, measurement, decided)).toEqual({ level, at });
  });
});

const description = { Memory: '16 GB', Storage: '512 GB SSD', Display: '14.0"', Processor: 'Core i5-10310U' };
const serialFile = '/sys/class/dmi/id/product_serial';

/** A machine that no other file measures: the shop remembers its locks. */
const machine = {
  ...thinkpad,
  [serialFile]: 'PF3LEVEL\n',
  '/sys/class/dmi/id/board_serial': 'L1HFLEVEL\n',
  '/sys/block/nvme0n1/device/serial': 'S4ENNLEVEL\n',
};
const locked = {
  ...machine,
  '/sys/class/firmware-attributes/thinklmi/authentication/Admin/is_enabled': '1\n',
};

let shop: SharedShop;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  shop = await sharedShop();
  [seller, buyer] = await Promise.all([shop.seller(), shop.buyer()]);
});

const read = (_id: string) => shop.visitor.call(readLaptop, { params: { _id } });
const own = async (id: string) =>
  (await seller.client.call(listOwnLaptops, { query: {} })).find(({ _id }) => _id === id);
const found = async (id: string) =>
  (await shop.visitor.call(searchLaptops, { query: { limit: '100' } })).laptops.some(({ _id }) => _id === id);

test('a measurement raises the level, a contradiction lowers it, and a correction counts at once', async () => {
  const id = await shop.laptop(seller, { description, condition: 'Excellent' });
  expect(await read(id)).toMatchObject({ level: 'word' });
  await measureAs(shop, seller, id, machine);
  expect(await read(id)).toMatchObject({ level: 'measured', level_at: expect.any(String) });

  await changeListing(seller, id, { description: { ...description, Memory: '32 GB' } });
  const contradicted = await read(id);
  expect(contradicted.level).toBe('word');
  expect(contradicted).not.toHaveProperty('level_at');
  await changeListing(seller, id, { description: { ...description, Memory: '16 GB' } });
  expect(await read(id)).toMatchObject({ level: 'measured' });

  await expect
    .poll(async () => (await shop.visitor.call(searchLaptops, { query: { level: ['measured'] } })).laptops)
    .toContainEqual(expect.objectContaining({ _id: id, level: 'measured' }));
});

test('a report without processor or memory is kept for the seller, and the listing does not count as measured', async () => {
  const id = await shop.laptop(seller, { description });
  await measureAs(shop, seller, id, { ...machine, '/proc/cpuinfo': '' });
  expect(await read(id)).toMatchObject({ level: 'word' });
  const { measurement } = await seller.client.call(readOwnMeasurement, { params: { _id: id } });
  expect(measurement).toMatchObject({
    machine: { processor: null, memory: { value: 16 } },
    contradictions: [],
  });
  expect(await shop.visitor.call(readMeasurement, { params: { _id: id } })).toMatchObject({
    measurement: null,
  });
  await measureAs(shop, seller, id, machine);
  expect(await read(id)).toMatchObject({ level: 'measured' });
});

test('without administrator rights the memory is only a bound, which contradicts nothing and measures nothing', async () => {
  const id = await shop.laptop(seller, { description });
  const withoutRoot = Object.fromEntries(Object.entries(machine).filter(([path]) => !path.endsWith('DMI')));
  await measureAs(shop, seller, id, { ...withoutRoot, '/proc/meminfo': 'MemTotal:       11953766 kB\n' });
  const { measurement: own } = await seller.client.call(readOwnMeasurement, { params: { _id: id } });
  expect(own).toMatchObject({
    machine: { memory: { atLeast: 12, source: 'system' } },
    contradictions: [],
    comparisons: expect.arrayContaining([
      { fact: 'processor', state: 'measured' },
      { fact: 'memory', state: 'not_compared', reason: 'only_a_bound' },
    ]),
  });
  expect(await read(id)).toMatchObject({ level: 'word' });
  await measureAs(shop, seller, id, machine);
  expect(await read(id)).toMatchObject({ level: 'measured' });
});

test('a processor that the shop does not know by name does not make a listing measured', async () => {
  const id = await shop.laptop(seller, { description });
  await measureAs(shop, seller, id, { ...machine, '/proc/cpuinfo': 'model name\t: Special CPU 9000\n' });
  const { measurement: own } = await seller.client.call(readOwnMeasurement, { params: { _id: id } });
  expect(own).toMatchObject({ machine: { processor: { value: 'Special CPU 9000' } }, contradictions: [] });
  expect(await read(id)).toMatchObject({ level: 'word' });
});

describe('a laptop on which a lock was found', () => {
  test('is in no list, cannot be booked or paid, and is back once it was measured again', async () => {
    const id = await shop.laptop(seller, { description });
    const bookingId = await shop.booking(buyer, id);
    const prepare = () => buyer.client.call(createPaymentIntent, { body: { price: 549.99, bookingId } });
    const bookingStates = async () =>
      (await buyer.client.call(listBookings, { query: { email: buyer.email } })).map(({ state }) => state);
    const open = await prepare();
    await measureAs(shop, seller, id, locked);
    await waitForEmptyQueue(shop.connection.pool);

    await expect(read(id)).rejects.toMatchObject({ code: 'no_longer_for_sale', message: /lock was found/ });
    await expect.poll(() => found(id)).toBe(false);
    expect(await own(id)).toMatchObject({ state: 'Blocked', level: 'word', actions: ['delete'] });
    expect(await bookingStates()).toEqual(['Paused']);
    await expect(prepare()).rejects.toMatchObject({ code: 'sale_paused', message: /booking is kept/ });
    const other = await shop.buyer();
    await expect(shop.booking(other, id)).rejects.toThrow(/a lock was found/);
    expect(await shop.pay(open.clientSecret)).not.toMatchObject({ status: 'succeeded' });

    await measureAs(shop, seller, id, machine);
    await waitForEmptyQueue(shop.connection.pool);
    expect(await read(id)).toMatchObject({ level: 'measured' });
    await expect.poll(() => found(id)).toBe(true);
    expect(await bookingStates()).toEqual(['Unpaid']);
    await prepare();
    expect(shop.mails.filter(({ to }) => to === buyer.email).map(({ subject }) => subject)).toEqual([
      'EliteBook 840 G8 cannot be paid now',
      'EliteBook 840 G8 can be paid again',
    ]);
  });

  test('gives back a payment that arrives after the lock was found', async () => {
    const id = await shop.laptop(seller, { description });
    const bookingId = await shop.booking(buyer, id);
    // Before the payment exists: also the event of its creation would make the shop read that it has succeeded.
    await shop.cards.setFaults({ webhooks: { mode: 'hold' } });
    const { clientSecret } = await buyer.client.call(createPaymentIntent, {
      body: { price: 549.99, bookingId },
    });
    const { transactionId } = await shop.pay(clientSecret);
    await measureAs(shop, seller, id, locked);
    await waitForEmptyQueue(shop.connection.pool);
    await shop.cards.setFaults({});
    expect(await shop.cards.refundedCents(transactionId)).toBe(54_999);
    expect(await own(id)).toMatchObject({ state: 'Blocked', paid: false });
  });

  test.each([
    ['the same machine', {}, 'Blocked'],
    ['a machine without a serial number', { [serialFile]: '\n' }, 'Blocked'],
    ['another machine', { [serialFile]: 'ANOTHER1\n' }, 'Available'],
  ])('and a later report of %s that does not say anything about locks', async (_, files, state) => {
    const id = await shop.laptop(seller, { description });
    await measureAs(shop, seller, id, locked);
    const withoutLocks = Object.fromEntries(
      Object.entries({ ...machine, ...files }).filter(([path]) => !path.includes('firmware-attributes')),
    );
    await measureAs(shop, seller, id, withoutLocks);
    await measureAs(shop, seller, id, withoutLocks);
    expect(await own(id)).toMatchObject({ state });
  });

  test('stays blocked when it is withdrawn and sold again', async () => {
    const id = await shop.laptop(seller, { description });
    await measureAs(shop, seller, id, locked);
    await seller.client.call(deleteOwnLaptop, { params: { _id: id } });
    await seller.client.call(relistLaptop, { params: { _id: id }, body: {} });
    expect(await own(id)).toMatchObject({ state: 'Blocked' });
    expect(await found(id)).toBe(false);
  });
});

test('another battery floor changes the levels of measured laptops', async () => {
  const id = await shop.laptop(seller, { description, condition: 'Excellent' });
  await measureAs(shop, seller, id, machine);
  const { signal } = new AbortController();
  const refresh = (Excellent: number) =>
    refreshLevels(
      {
        database: shop.connection.database,
        enqueue: async () => undefined,
        shop: () => ({ ...defaultShopSettings, batteryFloors: { Excellent, Good: 80 } }),
      },
      signal,
    );
  await refresh(95);
  await expect.poll(async () => (await read(id)).level).toBe('word');
  await refresh(85);
  await expect.poll(async () => (await read(id)).level).toBe('measured');
  expect(await refresh(85)).toBe(0);
});

test('battery floors that are changed and changed back compute all levels again', async () => {
  const id = await shop.laptop(seller, { description });
  await measureAs(shop, seller, id, machine);
  const { batteryFloors } = defaultShopSettings;
  const dependencies = {
    database: shop.connection.database,
    enqueue: async () => undefined,
    shop: () => defaultShopSettings,
  };
  const { signal } = new AbortController();
  await refreshLevels(dependencies, signal);
  await shop.changeSettings({ batteryFloors: { Excellent: 99, Good: 98 } });
  // As a measurement between the two has computed it.
  await shop.connection.pool.query(`update laptops set level = 'word', level_at = null where id = $1`, [id]);
  await shop.changeSettings({ batteryFloors });
  await refreshLevels(dependencies, signal);
  await expect.poll(async () => (await read(id)).level).toBe('measured');
});

test('the level of a laptop whose facts could not be read is computed again after they were', async () => {
  const id = await shop.laptop(seller, { description });
  await measureAs(shop, seller, id, machine);
  const { database, pool } = shop.connection;
  const { signal } = new AbortController();
  const dependencies = {
    database,
    enqueue: async () => undefined,
    shop: () => ({ ...defaultShopSettings, batteryFloors: { Excellent: 85, Good: 80 } }),
  };
  await pool.query('update battery_floors set facts_version = 1');
  await pool.query(
    `update laptops set facts_version = 1, memory_gb = 8, level = 'word', level_at = null where id = $1`,
    [id],
  );
  await pool.query(
    `insert into failed_items (queue, item, attempts, failed_at, next_attempt_at)
     values ('facts of laptops', $1, 1, now(), now() + interval '1 hour')`,
    [id],
  );
  await expect(refreshLevels(dependencies, signal)).rejects.toThrow(/levels of some laptops/);
  const later = new Date(Date.now() + 2 * 60 * 60 * 1000);
  await readStoredFacts(database, signal, later);
  await retryFailedLevels(dependencies, signal, later);
  await expect.poll(async () => (await read(id)).level).toBe('measured');
});

test('levels are computed again once an earlier version’s facts are read again', async () => {
  const id = await shop.laptop(seller, { description });
  await measureAs(shop, seller, id, machine);
  const { database, pool } = shop.connection;
  const { signal } = new AbortController();
  const floors = () => ({ ...defaultShopSettings, batteryFloors: { Excellent: 85, Good: 80 } });
  const refresh = () => refreshLevels({ database, enqueue: async () => undefined, shop: floors }, signal);
  await refresh();
  // As an earlier version of the rules has read it and has computed its level.
  await pool.query('update battery_floors set facts_version = 1');
  await pool.query(
    `update laptops set facts_version = 1, memory_gb = 8, level = 'word', level_at = null where id = $1`,
    [id],
  );
  expect(await refresh()).toBeUndefined();
  expect(await read(id)).toMatchObject({ level: 'word' });
  await readStoredFacts(database, signal);
  expect(await refresh()).toBeGreaterThan(0);
  await expect.poll(async () => (await read(id)).level).toBe('measured');
  expect(await refresh()).toBe(0);
});
