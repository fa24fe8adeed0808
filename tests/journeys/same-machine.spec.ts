// One machine in two listings: the shop reports both, and an admin reads why.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createSeller,
  expectNoOverflowAtAnyWidth,
  expectToast,
  newName,
  shopOrigin,
  startSessionOf,
} from './actions.ts';
import { expectNoViolations } from './axe.ts';

/** Lists a laptop of a new seller, and measures it as the machine with this serial number. @returns its name */
async function listMachine(start: string, serial: string): Promise<string> {
  const seller = await createSeller();
  const name = newName(start);
  const laptopId = await createLaptop(seller, { name });
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  // Serial numbers of board and drive that no other laptop has, so that only the machine is the same.
  const parts = {
    '/sys/class/dmi/id/board_serial': randomBytes(8).toString('hex'),
    '/sys/block/nvme0n1/device/serial': randomBytes(8).toString('hex'),
  };
  const files = { ...thinkpad, '/sys/class/dmi/id/product_serial': serial, ...parts };
  expect(await sendReport(shopOrigin(), createReport(files, code))).toContain('Received');
  return name;
}

const item = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test('a machine that two sellers list is reported with the reason, and both reports can be dismissed', {
  tag: '@long',
}, async ({ page: admin }) => {
  const serial = `PF${randomBytes(6).toString('hex')}`;
  const [first, second] = [await listMachine('Original', serial), await listMachine('Copy', serial)];
  await startSessionOf(admin, 'admin@coomercio.example');
  await expect(async () => {
    await admin.goto('/dashboard/reportedItems');
    await expect(item(admin, second)).toBeVisible({ timeout: 2000 });
  }).toPass();

  const report = item(admin, second).getByRole('row').filter({ hasText: 'Same laptop' });
  await expect(report).toContainText('Both laptops report the same maker and serial number.');
  await expect(report).toContainText('The other listing was measured with it first');
  await expect(report).toContainText('Another seller offers it at the same time.');
  await expect(report).toContainText('Reported by the shop');
  await expect(report.getByRole('link', { name: first })).toBeVisible();
  await expect(item(admin, first)).toContainText('This listing was measured with it first');
  // The serial number itself is nowhere.
  await expect(admin.getByRole('main')).not.toContainText(serial, { ignoreCase: true });

  await expectNoOverflowAtAnyWidth(admin);
  await expectNoViolations(admin);

  await item(admin, second).getByRole('button', { name: 'Dismiss' }).click();
  const dialog = admin.getByRole('dialog', { name: 'Dismiss the reports?' });
  // Nobody reported it, so nobody is told.
  await expect(dialog.getByRole('listitem')).toHaveText([
    'The open reports are closed, and the laptop stays in the shop.',
    'The seller is not told.',
  ]);
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expectToast(admin, `The reports of ${second} are dismissed.`);
  await expect(item(admin, second)).toContainText('Resolved');
  await expect(item(admin, first)).toContainText('1 open report');
});
