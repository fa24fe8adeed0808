import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectNoOverflow, expectToast, startSessionOf } from './actions.ts';
import { expectNoViolationsInThemes } from './axe.ts';

/** Opens the settings as the demo's admin. */
async function openSettings(page: Page) {
  await startSessionOf(page, 'admin@coomercio.example');
  await page.goto('/dashboard/settings');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Coomercio');
}

const save = (page: Page) => page.getByRole('button', { name: 'Save settings' });

/** A wide picture. */
const logo = () =>
  sharp({ create: { width: 400, height: 100, channels: 3, background: '#0b5394' } })
    .png()
    .toBuffer();

test.describe('what is refused', () => {
  test.use({ expectedConsoleErrors: /status of 4(15|22)/ });

  test('an admin sees the shop in other colours and with a logo before saving, and is told what cannot be read', {
    tag: '@long',
  }, async ({ page }) => {
    await openSettings(page);
    await expect(page.getByLabel('Company')).toHaveValue('Demo Company (fictitious)');
    await page.getByLabel('Links, light theme').fill('#ffd9a0');
    await expect(page.getByRole('status').filter({ hasText: '“Links” on “Page”' })).toContainText(
      'a contrast of 1.2 in the light theme, and 4.5 is needed',
    );
    await page.getByLabel('Time zone').fill('Lisbon');
    await page.getByLabel('Countries in which laptops are sent').fill('US, Canada');
    await page.getByLabel('Beginnings of numbers to which codes are sent').fill('+351 34');
    await save(page).click();
    await expect(page.getByText('A time zone is one of the IANA')).toBeVisible();
    await expect(page.getByLabel('Countries in which laptops are sent')).toHaveAccessibleDescription(
      /A country is the two letters of ISO 3166/,
    );
    await expect(
      page.getByLabel('Beginnings of numbers to which codes are sent'),
    ).toHaveAccessibleDescription(/is \+ and at most 7 digits/);
    await expect(page.getByLabel('Links, light theme')).toHaveValue('#ffd9a0');

    await page.getByLabel('Logo').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await logo(),
    });
    await expect(page.getByRole('img', { name: 'Logo at the moment' })).toBeVisible();
    await page.getByLabel('Icon').setInputFiles({
      name: 'icon.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    });
    await expect(page.getByText('An SVG can be exported as PNG.')).toBeVisible();

    // Nothing typed is lost by a reload.
    await page.reload();
    await expect(page.getByLabel('Time zone')).toHaveValue('Lisbon');
    await expect(page.getByRole('img', { name: 'Logo at the moment' })).toBeVisible();
    await expectNoOverflow(page);
    // The preview shows the chosen colours, so they have to be readable.
    await page.getByLabel('Links, light theme').fill('#6d3a9c');
    await expectNoViolationsInThemes(page);
  });
});

test('a saved change is on the page at once and in the audit trail', async ({ page }) => {
  await openSettings(page);
  await page.getByLabel('Register number').fill('FN 1 (fictitious)');
  await save(page).click();
  await expectToast(page, 'The settings were saved, and apply now.');
  await expect(page.getByRole('contentinfo')).toContainText('Register number FN 1 (fictitious)');
  await page.goto('/dashboard/auditTrail');
  await expect(page.getByRole('main')).toContainText(
    'legal.registerNumber: nothing, now "FN 1 (fictitious)"',
  );
});
