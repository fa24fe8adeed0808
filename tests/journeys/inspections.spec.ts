import { MAXIMUM_INSPECTION_PHOTOS } from '#contract/certification/inspection-queue.ts';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { readOwnLaptop } from '#contract/listings/catalogue.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createUser,
  expectNoOverflow,
  expectToast,
  newEmail,
  newName,
  newPersonName,
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
const three = ['dell-latitude-7420-closed', 'dell-xps-13-9310-open', 'hp-omen-16-open'];

/** A machine with the processor of the sample listing. */
const asListed = {
  ...thinkpad,
  '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
};

/** Lists a laptop, and measures it as the machine that it is listed as; each time with more charge cycles. */
async function createMeasured(times = 1): Promise<{ name: string; slipCode: string }> {
  const seller = await createUser({ name: newPersonName('Sofia'), email: newEmail('sofia'), role: 'Seller' });
  const name = newName('ThinkPad T14');
  const laptopId = await createLaptop(seller, { name, showsSlip: true });
  const origin = shopOrigin();
  for (let at = 1; at <= times; at += 1) {
    const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
    const machine = { ...asListed, '/sys/class/power_supply/BAT0/cycle_count': `${at}11\n` };
    await sendReport(origin, createReport(machine, code));
  }
  const { slipCode } = await seller.client.call(readOwnLaptop, { params: { _id: laptopId } });
  return { name, slipCode };
}

test('at 390 px an admin approves a measured laptop from photos, and buyers read what was not checked', async ({
  page,
}) => {
  const width = 390;
  await page.setViewportSize({ width, height: 900 });
  await startSessionOf(page, 'admin@coomercio.example');
  const { name, slipCode } = await createMeasured(2);
  await page.goto('/dashboard/inspections');
  await expect(page.getByRole('link', { name })).toBeVisible();

  await page.getByRole('link', { name }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'What the laptop reported' })).toContainText('PF3…DE');
  const slip = page.getByRole('region', { name: 'Slip with the code' });
  await expect(slip.getByRole('img', { name: 'The slip, photographed by the seller' })).toBeVisible();
  await expect(slip.getByText(slipCode, { exact: true })).toBeVisible();
  const remeasured = page.getByRole('region', { name: 'Changed since the measurement before' });
  await expect(remeasured).toContainText(/before: .*111 cycles/);
  await expect(remeasured).toContainText(/now: .*211 cycles/);
  expect(await findAxeViolations(page)).toEqual([]);

  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await page.getByRole('radio', { name: 'From photos' }).press('Space');
  await page.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await expect(
    page.getByText('An approval needs the photos, the marks and the price to be met'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Send back' }).press('Enter');
  await expect(page.getByText('Tell the seller why, in a sentence')).toBeVisible();

  const checklist = page.getByRole('group', { name: 'Checklist' });
  await expect(checklist.getByLabel('The slip has this laptop’s code')).toHaveAccessibleDescription(
    'The seller’s photo of the slip',
  );
  await expect(checklist).toContainText('Not checked. No browser test of the keyboard.');
  await expect(checklist).toContainText(
    'Not checked. No photo of the lid, the open laptop, the ports, the underside.',
  );
  await expect(checklist.getByRole('combobox')).toHaveCount(4);
  for (const item of await checklist.getByRole('combobox').all()) await item.selectOption('Met');
  const summary = page.getByRole('region', { name: 'After an approval, buyers read' });
  await expect(summary).toContainText('Inspected from photos');
  await expect(summary.getByText('Seen in the photos')).toHaveCount(3);
  await expect(summary.getByText('Not checked')).toHaveCount(6);
  await page.getByRole('button', { name: 'Approve' }).press('Enter');
  await expectToast(page, 'It is approved. Buyers now see it as inspected.');
  await expect(page.getByRole('heading', { name: 'Your decision' })).toBeFocused();
  const decisions = page.getByRole('region', { name: 'Decisions so far' });
  await expect(decisions).toContainText('Approved');
  await expect(decisions).toContainText('From photos');
  await page.goto('/dashboard/inspections?list=inspected');
  await expect(page.getByRole('row').filter({ hasText: 'Inspected from photos' }).first()).toBeVisible();
  await page.goBack();

  await page.getByRole('main').getByRole('link', { name }).click();
  await expect(
    page
      .getByRole('main')
      .getByRole('button', { name: /^Checked: Inspected from photos/ })
      .first(),
  ).toBeVisible();
  const inspection = page.getByRole('region', { name: 'Inspection by the shop' });
  await expect(inspection.getByText('Not checked')).toHaveCount(6);
  await page.getByRole('link', { name: 'Certificate', exact: true }).click();
  await expect(page.getByText('it has not had the laptop in hand')).toBeVisible();
  const certified = page.getByRole('region', { name: 'Inspection by the shop' });
  await expect(certified.getByText('Not checked')).toHaveCount(6);
  await expect(page.getByRole('region', { name: 'What is unknown' })).toContainText(
    '6 points that the shop has not checked',
  );
});

test('at 390 px an admin with the laptop in hand adds photos, and buyers see them as photos by the shop', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  const width = 390;
  await page.setViewportSize({ width, height: 844 });
  await startSessionOf(page, 'admin@coomercio.example');
  const { name } = await createMeasured();
  await page.goto('/dashboard/inspections');
  await page.getByRole('link', { name }).click();
  await page.getByRole('radio', { name: 'In hand' }).check();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Add at least one photo that you took of the laptop in hand')).toBeVisible();
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
  await expectToast(page, 'It is approved. Buyers now see it as inspected.');
  await expect(page.getByRole('region', { name: 'Decisions so far' }).getByRole('img')).toHaveCount(2);
  await expect(removals).toHaveCount(0);

  const address = await page.getByRole('main').getByRole('link', { name }).getAttribute('href');
  const visitor = await openVisitor();
  await visitor.setViewportSize({ width, height: 844 });
  await visitor.goto(address ?? '');
  const photos = visitor.getByRole('region', { name: 'Photos by the shop' }).getByRole('img');
  await expect(photos).toHaveCount(2);
  await expect(visitor.getByRole('button', { name: /^Checked: Inspected in hand/ }).first()).toBeVisible();
  const inspection = visitor.getByRole('region', { name: 'Inspection by the shop' });
  await expect(inspection.getByText('Passed, in hand')).toHaveCount(10);
  await photos.first().scrollIntoViewIfNeeded();
  await expect
    .poll(() => photos.first().evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeGreaterThan(0);
});
