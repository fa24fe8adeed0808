import type { Locator, Page } from '@playwright/test';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import {
  createReport,
  type MachineFiles,
  sendReport,
} from '#server/certification/inspections/testing/measure.ts';
import { changeListing, readForm } from '#tests/harness/listings/change-listing.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectLargeTargets, expectNoOverflow, expectNoOverflowAtAnyWidth, shopOrigin } from './actions.ts';
import { expectNoViolations } from './axe.ts';
import { createSale, type JourneySale } from './sale.ts';

const phone = { width: 390, height: 844 };

/** A machine with the processor of the sample listing. */
const measured = {
  ...thinkpad,
  '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
};

const section = (page: Page) => page.getByRole('region', { name: 'What to check' });
/** A row of what to check, by its title. */
const row = (page: Page, title: string) =>
  section(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const checks = (page: Page) => section(page).getByRole('list', { name: 'Checks' }).locator('> li');

/** Expects that nothing in a part of the page is wider than the part, and the part no wider than the window. */
async function expectFits(part: Locator): Promise<void> {
  const { right, tooWide } = await part.evaluate((element) => {
    const { right: end } = element.getBoundingClientRect();
    const inside = [...element.querySelectorAll('*')].filter(
      (each) => each.getBoundingClientRect().right > end,
    );
    return { right: end, tooWide: inside.map(({ outerHTML }) => outerHTML.slice(0, 80)) };
  });
  expect(tooWide).toEqual([]);
  expect(right).toBeLessThanOrEqual(phone.width);
}

/** Doubles the size of texts, as a browser's setting does. */
const doubleTexts = (page: Page) =>
  page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));

/** Sells a laptop that was measured, and opens its order for its seller. */
async function sellMeasured(seller: Page, buyer: Page): Promise<JourneySale> {
  const sale = await createSale(seller, buyer, async ({ client }, laptopId) => {
    const { code } = await client.call(createMeasurementCode, { params: { _id: laptopId } });
    await sendReport(shopOrigin(), createReport(measured, code));
    const { image } = await readForm({ client }, laptopId);
    await changeListing({ client }, laptopId, { captions: { [image]: 'A scratch beside the hinge' } });
  });
  await seller.addInitScript(() => {
    const value = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
    Object.defineProperty(navigator, 'userAgent', { value });
  });
  await seller.goto(sale.path);
  await section(seller).getByText('Measure again', { exact: true }).click();
  // The system of the laptop, not that of the phone.
  await expect(section(seller).getByLabel('The laptop runs')).toHaveValue('linux');
  return sale;
}

/**
 * Takes a new code from the page, and runs the script for Linux with it on a machine with these files.
 * @param beforeRun runs when the page shows the code
 */
async function measureWithNewCode(
  page: Page,
  files: MachineFiles,
  beforeRun: (code: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const code = section(page).getByText(/^[0-9A-Z]{4,5}(-[0-9A-Z]{4,5})+$/);
  const [before = ''] = await code.allTextContents();
  await section(page)
    .getByRole('button', { name: /^Get (a|another) code$/ })
    .click();
  await expect(code).not.toHaveText(before);
  const shown = (await code.textContent()) ?? '';
  await beforeRun(shown);
  const report = createReport(files, shown);
  expect(await sendReport(shopOrigin(), report)).toContain('Received');
}

test('a seller measures the laptop on the spot, and both see that it is the same', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await sellMeasured(seller, buyer);

  await test.step('the buyer compares the laptop with what was measured and named before the sale', async () => {
    await buyer.setViewportSize(phone);
    await buyer.goto(sale.path);
    await expect(row(buyer, 'Serial number')).toContainText('PF3…DE');
    await expect(row(buyer, 'Battery')).toContainText('89 % of its capacity when new');
    await expect(row(buyer, 'Model, processor, memory and drive')).toContainText(
      'i5-1145G7 @ 2.60GHz, 16 GB',
    );
    await expect(row(buyer, 'Locks')).toContainText('Not found: Firmware (BIOS) password.');
    await expect(row(buyer, 'Locks')).toContainText('Unknown: Absolute Persistence (Computrace)');
    await expect(row(buyer, 'Flaws and marks')).toContainText('“One small scratch on the lid.”');
    await section(buyer)
      .getByRole('button', { name: /A scratch beside the hinge/ })
      .click();
    const photo = buyer.getByRole('dialog');
    await expect(photo.getByText('A scratch beside the hinge')).toBeVisible();
    await buyer.keyboard.press('Escape');
    await section(buyer).getByText('How to have it measured again').click();
    await expect(section(buyer).getByText('When there is a code')).toBeVisible();
  });

  await measureWithNewCode(seller, measured, async (code) => {
    // On the buyer's page, without a reload.
    await expect(section(buyer).getByText(code.slice(-4), { exact: true })).toBeVisible();
    await expectLargeTargets(section(buyer));
    await expectLargeTargets(section(seller));
    await expectNoOverflow(buyer);
  });
  // The page shows it without being reloaded.
  await expect(checks(seller)).toHaveText([/^The same laptop/]);
  await expect(section(seller).getByText('The report has arrived.')).toBeVisible();
  // The code of this check is not one of the tests in the browser.
  await expect(section(seller).getByRole('link', { name: 'open the tests' })).toHaveCount(0);
  await expectNoOverflow(seller);
  await expectNoViolations(seller);

  await expect(checks(buyer)).toHaveText([/^The same laptop/]);
  await expect(section(buyer).getByText('Measure again', { exact: true })).toHaveCount(0);
  await expectNoViolations(buyer);
  await expectNoOverflowAtAnyWidth(buyer);
  await buyer.setViewportSize(phone);
  await doubleTexts(buyer);
  await expectFits(section(buyer));
});

test('another laptop is shown with what differs, and one without a serial number is not called the same', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  const sale = await sellMeasured(seller, buyer);
  await measureWithNewCode(seller, {
    ...measured,
    '/sys/class/dmi/id/product_serial': 'To Be Filled By O.E.M.\n',
  });
  await expect(checks(seller)).toHaveText([/^Cannot be told/]);
  await expect(checks(seller)).toContainText(['Not read this time: Serial number.']);
  await measureWithNewCode(seller, {
    ...measured,
    '/sys/class/dmi/id/product_serial': 'PF9ZZZZZ\n',
    '/sys/class/power_supply/BAT0/cycle_count': '12\n',
  });
  await expect(checks(seller)).toHaveText([/^Something differs/, /^Cannot be told/]);

  await buyer.setViewportSize(phone);
  await buyer.goto(sale.path);
  const latest = checks(buyer).first();
  await expect(latest.getByRole('listitem')).toHaveText([
    'Serial number: PF3…DE before the sale, PF9…ZZ now',
    'Battery cycles: 211 cycles before the sale, 12 cycles now',
  ]);
  await expectNoOverflow(buyer);
  await expectNoViolations(buyer);
  // The buyer decides: the code for the hand-over is still there.
  await expect(buyer.getByRole('img', { name: 'Your code as a QR code' })).toBeVisible();
});
