import { checkLabels, checkNames } from '#contract/certification/browser-checks.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectToast, fillLaptop, newName } from './actions.ts';
import { addButton, registerSeller } from './photo-form.ts';

test('at 390 px the code on Add Product also serves the tests in the browser, which the new laptop keeps', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const name = newName('ThinkPad T14');
  await registerSeller(page);
  await page.goto('/dashboard/addProduct');
  await page.getByRole('button', { name: 'Measure this laptop' }).click();
  await page.getByRole('button', { name: 'Get a code', exact: true }).click();
  const link = await page.getByRole('link', { name: 'open the tests' }).getAttribute('href');

  // Another browser, which is not signed in.
  const laptop = await openVisitor();
  await laptop.goto(link ?? '');
  await laptop.getByRole('button', { name: 'Start' }).click();
  await expect(laptop.getByText(/You are checking “your new laptop, slip [0-9A-Z]{5}”/)).toBeVisible();
  for (const check of checkNames) {
    await expect(laptop.getByRole('heading', { name: checkLabels[check] })).toBeFocused();
    const leave = check === 'touch' ? 'Continue' : 'Skip this test';
    await laptop.getByRole('button', { name: leave, exact: true }).click();
  }
  await laptop.getByRole('button', { name: 'Send the results' }).click();
  await expect(laptop.getByRole('heading', { name: 'The results were sent' })).toBeVisible();

  const tested = page.getByText('What was tested in its browser: 0 passed, 0 failed, 8 skipped');
  await expect(tested).toBeVisible();
  await tested.click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Refresh rate' })).toContainText('Skipped');

  await fillLaptop(page, { name });
  await addButton(page).click();
  await expectToast(page, `${name} is added successfully`);
  await page.getByRole('link', { name: `Measure ${name}` }).click();
  await expect(page.getByRole('region', { name: 'What was tested' })).toContainText('8 skipped');
});
