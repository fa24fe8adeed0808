import { createMeasurementCode } from '#contract/inspections.ts';
import { thinkpad } from '#server/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/inspections/testing/measure.ts';
import { expect, test } from '#tests/harness/browser.ts';
import {
  createLaptop,
  createUser,
  expectToast,
  newEmail,
  newName,
  shopOrigin,
  startSessionOf,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';

test.use({ expectedConsoleErrors: /status of 422/ });

/** A machine with the processor of the sample listing. */
const asListed = {
  ...thinkpad,
  '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
};

/** Lists a laptop, and measures it as the machine that it is listed as; each time with more charge cycles. @returns its name */
async function createMeasured(times = 1): Promise<string> {
  const seller = await createUser({ name: newName('Sofia'), email: newEmail('sofia'), role: 'Seller' });
  const name = newName('ThinkPad T14');
  const laptopId = await createLaptop(seller, { name });
  const origin = shopOrigin();
  for (let at = 1; at <= times; at += 1) {
    const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
    const machine = { ...asListed, '/sys/class/power_supply/BAT0/cycle_count': `${at}11\n` };
    await sendReport(origin, await createReport(machine, origin, code));
  }
  return name;
}

for (const width of [390, 1440]) {
  test(`/dashboard/inspections at ${width} px: an admin approves a measured laptop by keyboard, and buyers see it as inspected`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await startSessionOf(page, 'admin@coomercio.example');
    const name = await createMeasured(2);
    await page.goto('/dashboard/inspections');
    await expect(page.getByRole('link', { name })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await findAxeViolations(page)).toEqual([]);

    await page.getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'What the laptop reported' })).toContainText('PF3…DE');
    const remeasured = page.getByRole('region', { name: 'Changed since the measurement before' });
    await expect(remeasured).toContainText(/before: .*111 cycles/);
    await expect(remeasured).toContainText(/now: .*211 cycles/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await findAxeViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('An approval needs every item of the checklist to be met')).toBeVisible();
    await page.getByRole('button', { name: 'Send back' }).press('Enter');
    await expect(page.getByText('Tell the seller why, in a sentence')).toBeVisible();

    for (const item of await page.getByRole('group', { name: 'Checklist' }).getByRole('combobox').all()) {
      await item.selectOption('Met');
    }
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await expectToast(page, 'It is approved. Buyers now see it as Inspected.');
    await expect(page.getByRole('heading', { name: 'Your decision' })).toBeFocused();
    await expect(page.getByRole('region', { name: 'Decisions so far' })).toContainText('Approved');

    await page.getByRole('main').getByRole('link', { name }).click();
    await expect(
      page
        .getByRole('main')
        .getByText(/^Inspected/)
        .first(),
    ).toBeVisible();
  });
}
