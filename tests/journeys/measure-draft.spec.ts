import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { thinkpad, writeTree } from '#server/certification/inspections/testing/linux-tree.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  expectToast,
  fillLaptop,
  longUnless,
  newEmail,
  newName,
  startSession,
} from './actions.ts';
import { addButton, registerSeller } from './photo-form.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../inspect/linux.sh');

/** Runs the script as the page says, against a prepared tree, and sends its report. */
async function measure(page: Page): Promise<void> {
  const command = await page.getByText(/sudo sh measure\.sh/).textContent();
  const code = command?.trim().split(' ').at(-1) ?? '';
  const { origin } = new URL(page.url());
  const folder = await writeTree(thinkpad);
  try {
    await run('sh', [script, origin, code, '--file'], {
      cwd: folder,
      env: { PATH: process.env.PATH, INSPECT_ROOT: folder },
    });
    const response = await fetch(`${origin}/measurements`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: await readFile(join(folder, 'laptop-report.txt')),
    });
    expect(response.status).toBe(200);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const width of [1440, 390]) {
  test(
    `at ${width} px a measured draft fills the form, keeps what was typed, and is listed as measured`,
    longUnless(width === 1440),
    async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      const name = newName('ThinkPad T14');
      await registerSeller(page);
      await page.goto('/dashboard/addProduct');
      await fillLaptop(page, { name, brand: 'Dell' });
      await page.getByLabel('Processor', { exact: true }).fill('');
      const memory = page.getByLabel('Memory', { exact: true });
      await memory.fill('32 GB');

      await page.getByRole('button', { name: 'Measure this laptop' }).press('Enter');
      await page.getByRole('button', { name: 'Get a code', exact: true }).press('Enter');
      await expect(page.getByText(/^Waiting for the report until/)).toBeVisible();
      await measure(page);

      await expect(page.getByText('The report has arrived.')).toBeVisible();
      await expect(page.getByLabel('Processor', { exact: true })).toHaveValue('Intel Core i5-10310U');
      await expect(page.getByLabel('Storage', { exact: true })).toHaveValue('512 GB SSD');
      await expect(memory, 'what was typed is kept').toHaveValue('32 GB');
      await expect(
        page.getByText(/^The measurement is here\. Filled in: .*To compare: Memory/),
      ).toBeAttached();
      await expect(page.getByText('32 GB said, 16 GB measured', { exact: true })).toBeVisible();
      await expect(page.getByText('This listing will not be called measured:')).toBeVisible();

      await page.getByRole('button', { name: 'Use the measured value for Memory: 16 GB' }).press('Enter');
      await expect(memory).toHaveValue('16 GB');
      await expect(memory).toBeFocused();
      await expect(page.getByText('Buyers will see that this laptop was measured.')).toBeVisible();
      await expect(page.getByText(/No field says anything else than what was measured\.$/)).toBeVisible();

      // The tab has the draft's id, and the server its measurement.
      await page.reload();
      await expect(memory).toHaveValue('16 GB');
      await expect(page.getByText('Buyers will see that this laptop was measured.')).toBeVisible();
      await page.getByLabel('Product Photo').setInputFiles('demo/photos/dell-latitude-7420-open.webp');
      await addButton(page).click();
      await expectToast(page, `${name} is added successfully`);
      await page
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await page.getByText('All that the laptop reported').click();
      await expect(page.getByText('ThinkPad T14 Gen 1')).toBeVisible();
    },
  );
}

test('deleting the measurement keeps the code for the slip', { tag: '@long' }, async ({ page }) => {
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  await page.getByRole('button', { name: 'Measure this laptop' }).click();
  await page.getByRole('button', { name: 'Get a code', exact: true }).click();
  const slip = page.getByText(/^Write on it: /);
  await expect(slip).toBeVisible();
  const text = (await slip.textContent()) ?? '';
  await measure(page);
  const remove = page.getByRole('button', { name: 'Delete the measurement' });
  await remove.click();
  await expect(page.getByRole('heading', { name: 'Measured by the laptop itself' })).toBeFocused();
  await expect(remove).toBeHidden();
  await expect(slip).toHaveText(text);
});

test.describe('a draft that was deleted', () => {
  test.use({ expectedConsoleErrors: /status of 404/ });

  test('is said, and the laptop can be listed without it', { tag: '@long' }, async ({ page }) => {
    const name = newName('ThinkPad T14');
    await registerSeller(page);
    await page.goto('/dashboard/addProduct');
    await fillLaptop(page, { name, brand: 'Dell' });
    await page.evaluate(() => {
      const key = Object.keys(sessionStorage).find((each) => each.endsWith(':new-laptop'));
      sessionStorage.setItem(`coomercioMeasured:${key}`, crypto.randomUUID());
    });
    await page.reload();
    await expect(
      page.getByText(/^The draft with its measurement and its code for the slip is no longer kept\./),
    ).toBeVisible();
    await page.getByLabel('Product Photo').setInputFiles('demo/photos/dell-latitude-7420-open.webp');
    await addButton(page).click();
    await expectToast(page, `${name} is added successfully`);
  });
});

test('Edit Product shows what the laptop measured beside its fields, and changes nothing by itself', {
  tag: '@long',
}, async ({ page }) => {
  const session = await startSession(page, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  const name = newName('ThinkPad T14');
  const laptopId = await createLaptop(session, { name });
  await page.goto(`/dashboard/measure/${laptopId}`);
  await page.getByRole('button', { name: 'Get a code' }).click();
  await measure(page);
  await expect(page.getByText('The report has arrived.')).toBeVisible();

  await page.goto(`/dashboard/editProduct/${laptopId}`);
  const processor = page.getByLabel('Processor', { exact: true });
  await expect(
    page.getByText('Intel Core i5-1145G7 said, Intel Core i5-10310U measured', { exact: true }),
  ).toBeVisible();
  await expect(processor).toHaveValue('Intel Core i5-1145G7');
  await page.getByRole('button', { name: 'Use all measured values' }).press('Enter');
  await expect(processor).toHaveValue('Intel Core i5-10310U');
  await expect(page.getByText('Buyers will see that this laptop was measured.')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, `${name} is changed.`);
});
