// A lock that was found on a machine is remembered, whatever listing, draft or account it is measured for next.
import { beforeAll, expect, test } from 'vitest';
import { readOwnMeasurement } from '#contract/certification/inspections.ts';
import {
  createDraftCode,
  createLaptopDraft,
  readDraftMeasurement,
} from '#contract/certification/laptop-drafts.ts';
import { createSameLaptopCode } from '#contract/certification/same-laptop.ts';
import { deleteOwnLaptop, listOwnLaptops, readLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { removeMeasurementsOf } from './steps.ts';
import { thinkpad } from './testing/linux-tree.ts';
import { createReport, type MachineFiles, measureAs, sendReport } from './testing/measure.ts';

const description = { Memory: '16 GB', Storage: '512 GB SSD', Display: '14.0"', Processor: 'Core i5-10310U' };
const lockFile = '/sys/class/firmware-attributes/thinklmi/authentication/Admin/is_enabled';
const serialFile = '/sys/class/dmi/id/product_serial';
const boardFile = '/sys/class/dmi/id/board_serial';
const driveFile = '/sys/block/nvme0n1/device/serial';

let machines = 0;
/** A machine with serial numbers of its own, in three reports: with a lock, without one, and without saying anything of it. */
function newMachine() {
  machines += 1;
  const files: MachineFiles = {
    ...thinkpad,
    [serialFile]: `PF3ABC${machines}${machines}DE\n`,
    [boardFile]: `L1HF0AB${machines}${machines}CD\n`,
    [driveFile]: `S4ENNX0N12${machines}${machines}56\n`,
  };
  const without = (...paths: string[]): MachineFiles =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path)));
  return {
    locked: { ...files, [lockFile]: '1\n' },
    released: { ...files, [lockFile]: '0\n' },
    silent: without(lockFile),
    /** As the script reports it without root. */
    withoutSerial: without(lockFile, serialFile, boardFile),
    withoutAnySerial: without(lockFile, serialFile, boardFile, driveFile),
    /** A machine whose firmware has a number of the board only. */
    boardOnly: without(lockFile, serialFile),
    boardOnlyLocked: { ...without(serialFile), [lockFile]: '1\n' },
    /** What somebody can forge who has read the serial number on the outside. */
    forged: { ...without(boardFile, driveFile), [lockFile]: '1\n' },
  };
}

let shop: SharedShop;
let seller: Person;
let other: Person;
beforeAll(async () => {
  shop = await sharedShop();
  [seller, other] = await Promise.all([shop.seller(), shop.seller()]);
});

const own = (id: string) => ({ params: { _id: id } });
const stateOf = async (owner: Person, id: string) =>
  (await owner.client.call(listOwnLaptops, { query: { limit: '100' } })).find(({ _id }) => _id === id)?.state;
const withdraw = (owner: Person, id: string) => owner.client.call(deleteOwnLaptop, own(id));

async function measured(owner: Person, files: MachineFiles): Promise<string> {
  const id = await shop.laptop(owner, { description });
  await measureAs(shop, owner, id, files);
  return id;
}

async function measuredDraft(owner: Person, files: MachineFiles): Promise<string> {
  const { insertedId: draftId } = await owner.client.call(createLaptopDraft, {});
  const { code } = await owner.client.call(createDraftCode, own(draftId));
  await sendReport(shop.origin, createReport(files, code));
  return draftId;
}

test('a lock stays found in a new listing, also of another account, until a report says that it is not there', async () => {
  const machine = newMachine();
  const first = await measured(seller, machine.locked);
  expect(await stateOf(seller, first)).toBe('Blocked');
  await withdraw(seller, first);

  const next = await measured(seller, machine.silent);
  expect(await stateOf(seller, next)).toBe('Blocked');
  const { measurement } = await seller.client.call(readOwnMeasurement, own(next));
  expect(measurement?.machine.locks.firmwarePassword).toBe('locked');
  await withdraw(seller, next);

  const ofOther = await measured(other, machine.silent);
  expect(await stateOf(other, ofOther)).toBe('Blocked');
  await measureAs(shop, other, ofOther, machine.released);
  expect(await stateOf(other, ofOther)).toBe('Available');
  await measureAs(shop, other, ofOther, machine.silent);
  expect(await stateOf(other, ofOther)).toBe('Available');
  expect(await stateOf(other, await measured(other, machine.silent))).toBe('Available');
});

test('a report without a serial number does not shed a lock of a machine that its parts tell', async () => {
  const machine = newMachine();
  await withdraw(seller, await measured(seller, machine.locked));
  const next = await measured(other, machine.withoutSerial);
  expect(await stateOf(other, next)).toBe('Blocked');
  // Nothing tells which machine it is, so that it may be the one before.
  await measureAs(shop, other, next, machine.withoutAnySerial);
  expect(await stateOf(other, next)).toBe('Blocked');
  await measureAs(shop, other, next, machine.released);
  expect(await stateOf(other, next)).toBe('Available');
});

test('a lock that a draft found stays found in the next draft and in its listing', async () => {
  const machine = newMachine();
  await measuredDraft(seller, machine.locked);
  const draftId = await measuredDraft(other, machine.silent);
  const { measurement } = await other.client.call(readDraftMeasurement, own(draftId));
  expect(measurement?.machine.locks.firmwarePassword).toBe('locked');
  const id = await shop.laptop(other, { description, draftId });
  expect(await stateOf(other, id)).toBe('Blocked');
});

test('a lock that was found after a draft was measured counts for the listing of the draft', async () => {
  const machine = newMachine();
  const draftId = await measuredDraft(other, machine.released);
  await measuredDraft(seller, machine.locked);
  const id = await shop.laptop(other, { description, draftId });
  expect(await stateOf(other, id)).toBe('Blocked');
});

test('a draft keeps its lock when it is measured again without a serial number', async () => {
  const machine = newMachine();
  const draftId = await measuredDraft(seller, machine.locked);
  const { code } = await seller.client.call(createDraftCode, own(draftId));
  await sendReport(shop.origin, createReport(machine.withoutAnySerial, code));
  const id = await shop.laptop(seller, { description, draftId });
  expect(await stateOf(seller, id)).toBe('Blocked');
});

test('a lock blocks the seller’s other listings of the machine at once, and those of other sellers when they are measured', async () => {
  const machine = newMachine();
  const before = await measured(seller, machine.released);
  const foreign = await measured(other, machine.released);
  await measuredDraft(seller, machine.locked);
  expect(await stateOf(seller, before)).toBe('Blocked');
  // The serial number in a report can be forged: nobody takes another seller's laptop out of the shop with it.
  expect(await stateOf(other, foreign)).toBe('Available');
  expect(await shop.visitor.call(readLaptop, own(foreign))).toMatchObject({ level: 'measured' });
  await measureAs(shop, other, foreign, machine.silent);
  expect(await stateOf(other, foreign)).toBe('Blocked');
  await measureAs(shop, other, foreign, machine.released);
  expect(await stateOf(other, foreign)).toBe('Available');
});

test('a lock outlives the account of the seller who found it, without anything else of the account', async () => {
  const machine = newMachine();
  const leaving = await shop.seller();
  await withdraw(leaving, await measured(leaving, machine.locked));
  await shop.connection.database
    .transaction()
    .execute((transaction) => removeMeasurementsOf(transaction, leaving.userId));
  const next = await measured(other, machine.silent);
  expect(await stateOf(other, next)).toBe('Blocked');
});

test('of two reports at once of one machine, none loses the lock', async () => {
  for (let round = 0; round < 4; round += 1) {
    const machine = newMachine();
    const [one, two] = await Promise.all([
      shop.laptop(seller, { description }),
      shop.laptop(seller, { description }),
    ]);
    await Promise.all([
      measureAs(shop, seller, one, machine.locked),
      measureAs(shop, seller, two, machine.silent),
    ]);
    expect(await stateOf(seller, one)).toBe('Blocked');
    expect(await stateOf(seller, two)).toBe('Blocked');
  }
});

test('a lock that was found with the serial number alone counts for the seller who found it, and for nobody else', async () => {
  const machine = newMachine();
  const attacked = await measured(other, machine.silent);
  const draftId = await measuredDraft(other, machine.silent);
  await measuredDraft(seller, machine.forged);
  // Many laptops never report that a lock is not there, so that nothing would release it.
  await measureAs(shop, other, attacked, machine.silent);
  expect(await stateOf(other, attacked)).toBe('Available');
  expect(await stateOf(other, await shop.laptop(other, { description, draftId }))).toBe('Available');
  expect(await stateOf(seller, await measured(seller, machine.silent))).toBe('Blocked');
});

test('a report with the serial number alone does not make a lock unknown to other sellers', async () => {
  const machine = newMachine();
  await measuredDraft(seller, machine.locked);
  await measuredDraft(seller, machine.forged);
  expect(await stateOf(other, await measured(other, machine.silent))).toBe('Blocked');
});

test('a lock that is found at a hand-over which does not take place blocks the laptop when it is for sale again', async () => {
  const machine = newMachine();
  const sale = await sellLaptop(shop, { seller, laptopId: await measured(seller, machine.silent) });
  const { code } = await seller.client.call(createSameLaptopCode, own(sale.orderId));
  await sendReport(shop.origin, createReport(machine.locked, code));
  await seller.client.call(cancelSale, {
    ...own(sale.orderId),
    body: { text: 'The buyer did not want it.' },
  });
  await seller.client.call(relistLaptop, { ...own(sale.laptopId), body: {} });
  expect(await stateOf(seller, sale.laptopId)).toBe('Blocked');
});

test('a lock blocks the seller’s other listings of a machine that has no serial number but a board', async () => {
  const machine = newMachine();
  const before = await measured(seller, machine.boardOnly);
  const foreign = await measured(other, machine.boardOnly);
  await measuredDraft(seller, machine.boardOnlyLocked);
  expect(await stateOf(seller, before)).toBe('Blocked');
  expect(await stateOf(other, foreign)).toBe('Available');
});
