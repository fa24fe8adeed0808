import { readFile } from 'node:fs/promises';
import { submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { measure } from '#server/certification/certificates/testing/measure.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { sampleBrowser, sampleResults } from '#server/certification/inspections/testing/sample-check.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  approveFromPhotos,
  createLaptop,
  createUser,
  expectNoOverflowAtAnyWidth,
  newEmail,
  newName,
} from './actions.ts';
import { findAxeViolations } from './axe.ts';
import { readStructuredData } from './public-pages.ts';

/** A machine with the processor of the sample listing. */
const asListed = {
  ...thinkpad,
  '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
};

test('a stranger reads a laptop’s certificate, saves it and verifies it without the network', async ({
  page,
  context,
}) => {
  await page.goto('/');
  const { origin } = new URL(page.url());
  const session = await createUser({
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  const name = newName('EliteBook <b>840</b>');
  const laptopId = await createLaptop(session, { name });
  const seller = { client: session.client };
  await measure({ origin }, seller, laptopId, { health: 93 });
  await measure({ origin }, seller, laptopId, { health: 91 });

  await page.goto(`/laptop/${laptopId}`);
  const history = page.getByRole('region', { name: 'The battery over time' });
  await expect(history.getByRole('row')).toHaveCount(3);
  await expect(history).toContainText('45.5 Wh');
  await expect(page.getByText('Measured: memory', { exact: true })).toBeVisible();
  expect(JSON.stringify(await readStructuredData(page))).toContain(
    `"hasDigitalProductPassport":"${origin}/c/${laptopId}"`,
  );
  await page.getByRole('link', { name: 'Certificate', exact: true }).click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('region', { name: 'Battery' })).toContainText('91 % of its capacity when new');
  await expect(page.getByRole('region', { name: 'What is unknown' })).toContainText('Activation Lock');
  expect(await page.locator('script[src]').count()).toBe(0);
  await expectNoOverflowAtAnyWidth(page);
  expect(await findAxeViolations(page)).toEqual([]);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the certificate' }).click();
  const saved = await readFile(await (await downloading).path(), 'utf8');
  await page.getByRole('link', { name: 'Open the page that verifies' }).click();
  await page.getByRole('heading', { name: 'Verify a certificate' }).waitFor();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  const choose = (content: string) =>
    page.getByLabel('The certificate’s file').setInputFiles({
      name: 'certificate.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
  await choose(saved);
  await page.getByRole('button', { name: 'Verify' }).click();
  const result = page.getByRole('main').getByRole('status').last();
  await expect(result).toContainText('The certificate is genuine');
  await expect(result).toContainText('Cannot be known');
  await expect(result).toContainText(name);
  expect(await findAxeViolations(page)).toEqual([]);

  await choose(saved.replace(/"jws":"([^.]+)\.(.)/, (_all, header, first) => `"jws":"${header}.${first}A`));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(result).toContainText('Do not rely on this certificate');
  await choose('x'.repeat(1_000_000));
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(result).toContainText('too large');
  await context.setOffline(false);

  await changeListing(seller, laptopId, { description: { Memory: '64 GB' } });
  await page.goto(`/c/${laptopId}`);
  await expect(page.getByRole('alert')).toContainText('no longer confirms the listing');
  // Nothing says that it is measured, as it does before.
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(page.getByText('Measured', { exact: true })).toHaveCount(0);
});

test('a certificate with every test, its notes, an inspection and several versions prints on one A4 page', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/');
  const { origin } = new URL(page.url());
  const session = await createUser({ name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  const name = newName('ThinkPad T14 Gen 1 with the long name that its seller gave to it');
  const laptopId = await createLaptop(session, { name, showsSlip: true });
  let code = '';
  for (const cycles of [211, 311, 411]) {
    ({ code } = await session.client.call(createMeasurementCode, { params: { _id: laptopId } }));
    const machine = { ...asListed, '/sys/class/power_supply/BAT0/cycle_count': `${cycles}\n` };
    await sendReport(origin, createReport(machine, code));
    await page.request.get(`/c/${laptopId}`);
  }
  const note =
    'Not on this keyboard: AltRight, ContextMenu, Home, Insert, NumLock, PageUp, PageDown, Pause, ScrollLock.';
  const results = sampleResults().map((result) => ({
    ...{ ...result, note },
    ...(result.name === 'graphics' && { outcome: 'skipped' as const }),
  }));
  await session.client.call(submitBrowserCheck, { body: { code, results, browser: sampleBrowser } });
  const met = 'met' as const;
  await approveFromPhotos(laptopId, {
    ...{ slip: met, screen: met, keyboard: met, touchpad: met, camera: met, sound: met },
  });

  await page.goto(`/c/${laptopId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('region', { name: 'What is unknown' })).toContainText(
    '1 skipped browser test (Graphics)',
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    // A4 in points.
    expect(pdf).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  }
});
