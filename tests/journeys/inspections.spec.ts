import { readOwnLaptop } from '#contract/catalogue.ts';
import { MAXIMUM_INSPECTION_PHOTOS } from '#contract/inspection-desk.ts';
import { createMeasurementCode } from '#contract/inspections.ts';
import { thinkpad } from '#server/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/inspections/testing/measure.ts';
import { expect, test } from '#tests/harness/browser.ts';
import {
  createLaptop,
  createUser,
  expectNoOverflow,
  expectToast,
  newEmail,
  newName,
  shopOrigin,
  startSessionOf,
} from './actions.ts';
import { expectNoViolations, findAxeViolations } from './axe.ts';
import { picture } from './photo-form.ts';

test.use({
  // Playwright's trace fetches a photo that could not be shown, which the page's policy forbids.
  expectedConsoleErrors: /status of 422|Connecting to 'blob:/,
});

/** The names of three demo photos. */
const three = ['dell-latitude-7420-open', 'dell-xps-13-9310-open', 'hp-omen-16-open'];

/** A machine with the processor of the sample listing. */
const asListed = {
  ...thinkpad,
  '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
};

/** Lists a laptop, and measures it as the machine that it is listed as; each time with more charge cycles. */
async function createMeasured(times = 1): Promise<{ name: string; slipCode: string }> {
  const seller = await createUser({ name: newName('Sofia'), email: newEmail('sofia'), role: 'Seller' });
  const name = newName('ThinkPad T14');
  const laptopId = await createLaptop(seller, { name, showsSlip: true });
  const origin = shopOrigin();
  for (let at = 1; at <= times; at += 1) {
    const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
    const machine = { ...asListed, '/sys/class/power_supply/BAT0/cycle_count': `${at}11\n` };
    await sendReport(origin, await createReport(machine, origin, code));
  }
  const { slipCode } = await seller.client.call(readOwnLaptop, { params: { _id: laptopId } });
  return { name, slipCode };
}

for (const width of [390, 1440]) {
  test(`/dashboard/inspections at ${width} px: an admin approves a measured laptop by keyboard, and buyers see it as inspected`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await startSessionOf(page, 'admin@coomercio.example');
    const { name, slipCode } = await createMeasured(2);
    await page.goto('/dashboard/inspections');
    await expect(page.getByRole('link', { name })).toBeVisible();
    await expectNoOverflow(page);
    expect(await findAxeViolations(page)).toEqual([]);

    await page.getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'What the laptop reported' })).toContainText('PF3…DE');
    const slip = page.getByRole('region', { name: 'Slip with the code' });
    await expect(slip.getByRole('img', { name: 'The slip, photographed by the seller' })).toBeVisible();
    await expect(slip.getByText(slipCode, { exact: true })).toBeVisible();
    const remeasured = page.getByRole('region', { name: 'Changed since the measurement before' });
    await expect(remeasured).toContainText(/before: .*111 cycles/);
    await expect(remeasured).toContainText(/now: .*211 cycles/);
    await expectNoOverflow(page);
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
        .getByRole('button', { name: /^Checked: Inspected/ })
        .first(),
    ).toBeVisible();
  });
}

test('at 390 px an admin adds photos to an approval, and buyers see them as photos by the shop', async ({
  page,
  openVisitor,
}) => {
  const width = 390;
  await page.setViewportSize({ width, height: 844 });
  await startSessionOf(page, 'admin@coomercio.example');
  const { name } = await createMeasured();
  await page.goto('/dashboard/inspections');
  await page.getByRole('link', { name }).click();
  const field = page.getByLabel('Your photos');
  await field.setInputFiles(three.map(picture));
  const removals = page.getByRole('button', { name: /^Remove .*\.webp$/ });
  await expect(removals).toHaveCount(3);
  await page.getByRole('button', { name: `Remove ${three[1]}.webp` }).press('Enter');
  await expect(page.getByText(`${three[1]}.webp is removed.`)).toBeVisible();
  await expect(field).toBeFocused();
  const tooMany = Array.from({ length: 5 }, (_, at) => ({
    name: `${at}.webp`,
    mimeType: 'image/webp',
    buffer: Buffer.from(`photo ${at}`),
  }));
  await field.setInputFiles(tooMany);
  await expect(removals).toHaveCount(MAXIMUM_INSPECTION_PHOTOS);
  for (let at = 0; at < 4; at += 1) await page.getByRole('button', { name: `Remove ${at}.webp` }).click();
  await expect(removals).toHaveCount(2);
  await expectNoViolations(page);
  await expectNoOverflow(page);

  for (const item of await page.getByRole('group', { name: 'Checklist' }).getByRole('combobox').all()) {
    await item.selectOption('Met');
  }
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'It is approved. Buyers now see it as Inspected.');
  await expect(page.getByRole('region', { name: 'Decisions so far' }).getByRole('img')).toHaveCount(2);
  await expect(removals).toHaveCount(0);

  const address = await page.getByRole('main').getByRole('link', { name }).getAttribute('href');
  const visitor = await openVisitor();
  await visitor.setViewportSize({ width, height: 844 });
  await visitor.goto(address ?? '');
  const photos = visitor.getByRole('region', { name: 'Photos by the shop' }).getByRole('img');
  await expect(photos).toHaveCount(2);
  await photos.first().scrollIntoViewIfNeeded();
  await expect
    .poll(() => photos.first().evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeGreaterThan(0);
});
