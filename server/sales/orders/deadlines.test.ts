import { expect, onTestFinished, test } from 'vitest';
import { clockDays } from '#contract/money/order-states.ts';
import { defaultDeadlines } from '#contract/platform/deadlines.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { startTestShop } from '#tests/harness/operations/shop.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

const DAY_MS = 24 * 3_600_000;

test('chosen deadlines apply to later sales, within bounds, and orders keep their dates', async () => {
  const shop = await startTestShop();
  onTestFinished(() => shop.close());
  const [seller, buyer] = [await shop.seller(), await shop.buyer()];
  /** After how many days the money of an order is released. */
  const daysOf = async (_id: string) => {
    const { dueAt, timeline } = await buyer.client.call(readOrder, { params: { _id } });
    const paidAt = timeline.find(({ event }) => event === 'paid')?.at ?? '';
    return Math.round((Date.parse(dueAt ?? '') - Date.parse(paidAt)) / DAY_MS);
  };
  const { orderId: before } = await sellLaptop(shop, { seller, buyer });
  expect(await daysOf(before)).toBe(7);

  await shop.changeSettings({ deadlines: { ...defaultDeadlines, hold: 3, looking: 60 } });
  const { orderId: after } = await sellLaptop(shop, { seller, buyer });
  expect(await daysOf(after)).toBe(3);
  expect(await daysOf(before)).toBe(7);
  // What sentences say.
  expect(clockDays('released')).toBe(60);

  const short = { ...defaultDeadlines, looking: 2 };
  await expect(shop.changeSettings({ deadlines: short })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: { 'settings.deadlines.looking': 'This is a whole number of days from 3 to 60' },
  });
});
