import type { Page } from '@playwright/test';
import { createMeasurementCode } from '#contract/inspections.ts';
import { thinkpad } from '#server/inspections/testing/linux-tree.ts';
import { createReport, type MachineFiles, sendReport } from '#server/inspections/testing/measure.ts';
import { expect, test } from '#tests/harness/browser.ts';
import { expectNoOverflow, shopOrigin } from './actions.ts';
import { expectNoViolations } from './axe.ts';
import { createSale, type JourneySale } from './sale.ts';

const phone = { width: 390, height: 844 };

/** A machine with the processor of the sample listing. */
const measured = {
  ...thinkpad,
  '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
};

const section = (page: Page) => page.getByRole('region', { name: 'Check that it is the same laptop' });
const checks = (page: Page) => section(page).getByRole('list', { name: 'Checks' }).locator('> li');

/** Sells a laptop that was measured, and opens its order for its seller. */
async function sellMeasured(seller: Page, buyer: Page): Promise<JourneySale> {
  const sale = await createSale(seller, buyer, async ({ client }, laptopId) => {
    const { code } = await client.call(createMeasurementCode, { params: { _id: laptopId } });
    await sendReport(shopOrigin(), await createReport(measured, shopOrigin(), code));
  });
  await seller.goto(sale.path);
  await section(seller).getByText('Measure it now').click();
  return sale;
}

/** Takes a new code from the page, and runs the script for Linux with it on a machine with these files. */
async function measureWithNewCode(page: Page, files: MachineFiles): Promise<void> {
  const code = section(page).getByText(/^[0-9A-Z]{4,5}(-[0-9A-Z]{4,5})+$/);
  const [before = ''] = await code.allTextContents();
  await section(page)
    .getByRole('button', { name: /^Get (a|another) code$/ })
    .click();
  await expect(code).not.toHaveText(before);
  const report = await createReport(files, shopOrigin(), (await code.textContent()) ?? '');
  expect(await sendReport(shopOrigin(), report)).toContain('Received');
}

test('a seller measures the laptop on the spot, and both see that it is the same', async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  await seller.setViewportSize(phone);
  const sale = await sellMeasured(seller, buyer);
  await measureWithNewCode(seller, measured);
  // The page shows it without being reloaded.
  await expect(checks(seller)).toHaveText([/^The same laptop/]);
  await expect(section(seller).getByText('The report has arrived.')).toBeVisible();
  // The code of this check is not one of the tests in the browser.
  await expect(section(seller).getByRole('link', { name: 'open the tests' })).toHaveCount(0);
  await expectNoOverflow(seller);
  await expectNoViolations(seller);

  await buyer.goto(sale.path);
  await expect(checks(buyer)).toHaveText([/^The same laptop/]);
  await expect(section(buyer).getByText('Measure it now')).toHaveCount(0);
  await expectNoOverflow(buyer);
  await expectNoViolations(buyer);
});

test('another laptop is shown with what differs, and one without a serial number is not called the same', async ({
  page: buyer,
  openVisitor,
}) => {
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
