// What was measured of a laptop counts until a buyer finds it otherwise, or it was away from the shop for long.
import { beforeAll, describe, expect, test } from 'vitest';
import { listCertificateVersions, readCertificateStatus } from '#contract/certification/certificates.ts';
import { readInspection } from '#contract/certification/inspection-queue.ts';
import { readMeasurement, readOwnMeasurement } from '#contract/certification/inspections.ts';
import { createDraftCode, createLaptopDraft } from '#contract/certification/laptop-drafts.ts';
import {
  deleteOwnLaptop,
  listOwnLaptops,
  readLaptop,
  readOwnLaptop,
  relistLaptop,
} from '#contract/listings/catalogue.ts';
import { MAXIMUM_ABSENCE_DAYS } from '#contract/listings/levels.ts';
import { listNotifications } from '#contract/people/notifications.ts';
import * as complaints from '#contract/sales/complaints.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { thinkpad } from './testing/linux-tree.ts';
import { createReport, measureAs, sendReport } from './testing/measure.ts';

const description = { Memory: '16 GB', Storage: '512 GB SSD', Display: '14.0"', Processor: 'Core i5-10310U' };

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const own = (laptopId: string) => ({ params: { _id: laptopId } });
const read = (laptopId: string) => shop.visitor.call(readLaptop, own(laptopId));
const certificate = (laptopId: string) => shop.visitor.call(readCertificateStatus, own(laptopId));
const relist = (laptopId: string) => seller.client.call(relistLaptop, { ...own(laptopId), body: {} });
const levelOf = async (laptopId: string) =>
  (await shop.connection.pool.query<{ level: string }>('select level from laptops where id = $1', [laptopId]))
    .rows[0]?.level;

/** A measured laptop with a certificate, which is issued when it is read. */
async function measuredLaptop(): Promise<string> {
  const laptopId = await shop.laptop(seller, { description });
  await measureAs(shop, seller, laptopId, thinkpad);
  expect(await certificate(laptopId)).toMatchObject({ latestVersion: 1, revoked: null });
  return laptopId;
}

async function soldLaptop(): Promise<Sale> {
  return sellLaptop(shop, { seller, laptopId: await measuredLaptop() });
}

const complain = ({ buyer, orderId }: Sale, kind: complaints.ComplaintKind) =>
  buyer.client.call(complaints.complain, { ...own(orderId), body: { kind, text: 'The screen stays dark.' } });
const answer = ({ orderId }: Sale, move: (typeof complaints.sellerAnswers)[number]) =>
  seller.client.call(complaints.answerAsSeller, { ...own(orderId), body: { move } });

/** The buyer complains, the seller agrees, and the laptop is back. */
async function sendBack(sale: Sale, kind: complaints.ComplaintKind): Promise<void> {
  await complain(sale, kind);
  await answer(sale, 'accept');
  if (complaints.isAboutOwnLaptop(kind)) await answer(sale, 'confirm_return');
}

describe('a laptop that comes back as not working', () => {
  test('loses its level and its certificate, and is sold again once it was measured', async () => {
    const sale = await soldLaptop();
    const { laptopId } = sale;
    expect(await read(laptopId)).toMatchObject({ level: 'measured' });
    await sendBack(sale, 'does_not_work');

    expect(await levelOf(laptopId)).toBe('word');
    expect(await certificate(laptopId)).toMatchObject({
      latestVersion: 1,
      revoked: { reason: 'returned', at: expect.any(String) },
    });
    await expect(shop.visitor.call(readMeasurement, own(laptopId))).rejects.toMatchObject({
      code: 'no_longer_for_sale',
    });
    const admin = await shop.admin();
    await expect(admin.client.call(readInspection, own(laptopId))).rejects.toMatchObject({
      code: 'not_found',
    });
    // Its seller still sees what was measured, and why it does not count.
    expect(await seller.client.call(readOwnMeasurement, own(laptopId))).toMatchObject({
      measurement: { machine: { memory: { value: 16 } } },
      ended: 'returned',
    });

    await waitForEmptyQueue(shop.connection.pool);
    const mail = shop.mails.findLast(({ subject }) => subject === 'EliteBook 840 G8 is yours again');
    expect(mail?.text).toContain('measure it on My Products');
    expect(mail?.text).toContain('Its buyer found it not working, so what was measured');
    expect(mail?.text).toContain('its certificate is revoked');
    const notices = await seller.client.call(listNotifications, { query: {} });
    expect(notices.find(({ title }) => title === mail?.subject)?.body).toMatch(
      /Measure the laptop before you sell it again/,
    );
    const [withdrawn] = await seller.client.call(listOwnLaptops, { query: { list: 'withdrawn' } });
    expect(withdrawn).toMatchObject({ _id: laptopId, actions: ['measure'] });
    expect(await seller.client.call(readOwnLaptop, own(laptopId))).toMatchObject({ actions: ['measure'] });
    await expect(relist(laptopId)).rejects.toMatchObject({
      code: 'not_measured',
      message: expect.stringContaining(
        'sent EliteBook 840 G8 back or did not take it, so it must be measured first',
      ),
    });

    await measureAs(shop, seller, laptopId, thinkpad);
    expect(await seller.client.call(readOwnMeasurement, own(laptopId))).toMatchObject({ ended: null });
    expect(await relist(laptopId)).toMatchObject({ modifiedCount: 1 });
    expect(await read(laptopId)).toMatchObject({ level: 'measured' });
    expect(await certificate(laptopId)).toMatchObject({ latestVersion: 2, revoked: null });
    const { versions } = await shop.visitor.call(listCertificateVersions, own(laptopId));
    expect(versions.map(({ revoked }) => revoked?.reason ?? null)).toEqual([null, 'returned']);
    // Only what was measured since counts.
    const { batteryPoints } = await shop.visitor.call(readMeasurement, own(laptopId));
    expect(batteryPoints).toHaveLength(1);
  });

  test.each(['not_as_described', 'locked', 'not_taken'] as const)(
    'or as %s loses its level',
    async (kind) => {
      const sale = await soldLaptop();
      await sendBack(sale, kind);
      expect(await levelOf(sale.laptopId)).toBe('word');
      expect((await certificate(sale.laptopId)).revoked?.reason).toBe('returned');
      await expect(relist(sale.laptopId)).rejects.toMatchObject({ code: 'not_measured' });
    },
  );

  test('by an admin’s decision, or by the words of the buyer to the bank, loses its level', async () => {
    const decided = await soldLaptop();
    await complain(decided, 'not_taken');
    const admin = await shop.admin();
    await admin.client.call(complaints.decideComplaint, {
      ...own(decided.orderId),
      body: { move: 'decide_refund', text: 'The screen is dark in the photo.' },
    });
    expect(await levelOf(decided.laptopId)).toBe('word');

    const disputed = await soldLaptop();
    await shop.connection.pool.query(
      `insert into disputes (card_dispute_id, booking_id, transaction_id, amount_cents, reason, state, closed_at)
       values ('dp_1', $1, $2, 54999, 'product_unacceptable', 'lost', now())`,
      [disputed.bookingId, disputed.transactionId],
    );
    const body = { text: 'The bank has the money.' };
    await seller.client.call(complaints.cancelSale, { ...own(disputed.orderId), body });
    expect(await levelOf(disputed.laptopId)).toBe('word');
    // No bank knows it, and other tests count all money of this shop.
    await shop.connection.pool.query(`delete from disputes where card_dispute_id = 'dp_1'`);
  });

  test('also in the seller’s other listings of the same machine, and in drafts that were measured before', async () => {
    const { insertedId: draftId } = await seller.client.call(createLaptopDraft, {});
    const { code } = await seller.client.call(createDraftCode, own(draftId));
    await sendReport(shop.origin, createReport(thinkpad, code));
    const other = await measuredLaptop();
    const foreign = await shop.seller();
    const foreignLaptop = await shop.laptop(foreign, { description });
    await measureAs(shop, foreign, foreignLaptop, thinkpad);

    const sale = await soldLaptop();
    await sendBack(sale, 'does_not_work');
    expect(await read(other)).toMatchObject({ level: 'word' });
    expect((await certificate(other)).revoked?.reason).toBe('returned');
    const listed = await shop.laptop(seller, { description, draftId });
    expect(await read(listed)).toMatchObject({ level: 'word' });
    // The serial number can be forged, so that another seller's listing keeps its level.
    expect(await read(foreignLaptop)).toMatchObject({ level: 'measured' });
    await measureAs(shop, seller, listed, thinkpad);
    expect(await read(listed)).toMatchObject({ level: 'measured' });
  });

  test('is never for sale without a measurement, by the schema', async () => {
    const sale = await soldLaptop();
    await sendBack(sale, 'does_not_work');
    const set = (column: string) =>
      shop.connection.pool.query(`update laptops set ${column} where id = $1`, [sale.laptopId]);
    await expect(set(`state = 'available'`)).rejects.toMatchObject({ constraint: 'returned_is_measured' });
    await expect(set(`level = 'measured', level_at = now() - interval '1 hour'`)).rejects.toMatchObject({
      constraint: 'level_has_evidence',
    });
  });
});

describe('a laptop that comes back for another reason keeps its level', () => {
  const expectKept = async (laptopId: string) => {
    expect((await certificate(laptopId)).revoked?.reason).toBe('withdrawn');
    expect(await relist(laptopId)).toMatchObject({ modifiedCount: 1 });
    expect(await read(laptopId)).toMatchObject({ level: 'measured' });
    expect(await certificate(laptopId)).toMatchObject({ latestVersion: 2, revoked: null });
  };

  test('when it was not handed over', async () => {
    const sale = await soldLaptop();
    await sendBack(sale, 'not_handed_over');
    await expectKept(sale.laptopId);
  });

  test('when the seller cancels, also after a complaint that the buyer took back', async () => {
    const sale = await soldLaptop();
    await complain(sale, 'not_taken');
    const body = { move: 'withdraw' as const };
    await sale.buyer.client.call(complaints.answerAsBuyer, { ...own(sale.orderId), body });
    await seller.client.call(complaints.cancelSale, { ...own(sale.orderId), body: { text: 'I keep it.' } });
    await expectKept(sale.laptopId);
  });
});

describe('a laptop that is sold again after a withdrawal', () => {
  const measuredDaysAgo = (laptopId: string, days: number) =>
    shop.connection.pool.query(
      `update measurements set measured_at = now() - $2 * interval '1 day' where laptop_id = $1`,
      [laptopId, days],
    );
  /** Lets all times of a withdrawn laptop be longer ago. */
  const age = async (laptopId: string, days: number) => {
    await measuredDaysAgo(laptopId, days);
    await shop.connection.pool.query(
      `update laptops set state_since = state_since - $2 * interval '1 day', created_at = created_at - $2 * interval '1 day',
                          level_at = level_at - $2 * interval '1 day' where id = $1`,
      [laptopId, days],
    );
    await shop.connection.pool.query(
      `update orders set placed_at = placed_at - $2 * interval '1 day' where laptop_id = $1`,
      [laptopId, days],
    );
  };
  const withdraw = (laptopId: string) => seller.client.call(deleteOwnLaptop, own(laptopId));

  test('of a long time counts as measured only when it is measured again', async () => {
    const laptopId = await measuredLaptop();
    await withdraw(laptopId);
    await age(laptopId, MAXIMUM_ABSENCE_DAYS + 1);
    expect(await relist(laptopId)).toMatchObject({ modifiedCount: 1 });
    expect(await read(laptopId)).toMatchObject({ level: 'word' });
    expect((await certificate(laptopId)).revoked?.reason).toBe('withdrawn');
    expect(await seller.client.call(readOwnMeasurement, own(laptopId))).toMatchObject({ ended: 'absent' });
    await measureAs(shop, seller, laptopId, thinkpad);
    expect(await read(laptopId)).toMatchObject({ level: 'measured' });
    expect(await certificate(laptopId)).toMatchObject({ latestVersion: 2, revoked: null });
  });

  test('of a long time counts as measured when it was measured shortly before', async () => {
    const laptopId = await measuredLaptop();
    await withdraw(laptopId);
    await age(laptopId, MAXIMUM_ABSENCE_DAYS + 1);
    await measureAs(shop, seller, laptopId, thinkpad);
    await relist(laptopId);
    expect(await read(laptopId)).toMatchObject({ level: 'measured' });
  });

  test('of a short time keeps its level, also when it was measured long before', async () => {
    const laptopId = await measuredLaptop();
    await age(laptopId, MAXIMUM_ABSENCE_DAYS + 1);
    await withdraw(laptopId);
    await relist(laptopId);
    expect(await read(laptopId)).toMatchObject({ level: 'measured' });
  });

  test('that followed a long sale loses its level', async () => {
    const sale = await soldLaptop();
    await age(sale.laptopId, MAXIMUM_ABSENCE_DAYS + 1);
    await seller.client.call(complaints.cancelSale, { ...own(sale.orderId), body: { text: 'I keep it.' } });
    await relist(sale.laptopId);
    expect(await read(sale.laptopId)).toMatchObject({ level: 'word' });
  });
});
