import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  chooseInRow,
  createLaptop,
  createSeller,
  createUser,
  expectToast,
  newEmail,
  newName,
  plainPicture,
  startSessionOf,
} from './actions.ts';

// A name that another brand has is refused with 422.
test.use({ expectedConsoleErrors: /status of 422/ });

const admin = (page: Page) => startSessionOf(page, 'admin@coomercio.example');
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('an admin adds a brand with a logo, a seller uses it at once, and its addresses outlive a new name and a merge', {
  tag: '@long',
}, async ({ page, browser }) => {
  const [brand, renamed] = [newName('Brand'), newName('Renamed')];
  await admin(page);
  await page.goto('/dashboard/brands');
  await page.getByRole('button', { name: 'Add a brand' }).click();
  const adding = page.getByRole('dialog', { name: 'Add a brand' });
  await adding.getByLabel('Brand Name').fill('h.p.');
  await adding.getByLabel('Logo').setInputFiles(plainPicture.pathname);
  await adding.getByRole('button', { name: 'Save' }).click();
  await expect(adding.getByText('There is the brand HP, and this name looks like it.')).toBeVisible();
  await adding.getByLabel('Brand Name').fill(brand);
  await adding.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, `${brand} is added.`);
  await expect(row(page, brand).locator('img')).toHaveAttribute('src', /\/photos\//);

  const laptop = newName('Yoga');
  await createLaptop(await createSeller(), { name: laptop, brand });

  await chooseInRow(row(page, brand), `Edit: ${brand}`);
  const editing = page.getByRole('dialog', { name: `Edit ${brand}` });
  await editing.getByLabel('Brand Name').fill(renamed);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, `${renamed} is changed.`);
  await expect(row(page, renamed)).toContainText(`before: ${brand}`);

  const context = await browser.newContext();
  try {
    const buyer = await context.newPage();
    const session = await createUser({ name: 'Bea Buyer', email: newEmail('bea'), role: 'Buyer' });
    await session.signIn(context);
    await buyer.goto(`/category/${encodeURIComponent(brand)}`);
    await expect(buyer).toHaveURL(`/category/${encodeURIComponent(renamed)}`);
    await expect(buyer.getByRole('article').filter({ hasText: laptop })).toBeVisible();

    await chooseInRow(row(page, renamed), `Hide: ${renamed}`);
    await page.getByRole('button', { name: 'Hide it' }).click();
    await expectToast(page, `${renamed} is hidden.`);
    await buyer.goto('/');
    await expect(buyer.getByRole('link', { name: 'Acer' }).first()).toBeVisible();
    await expect(buyer.getByText(renamed)).toHaveCount(0);
    await buyer.goto(`/category/${encodeURIComponent(renamed)}`);
    await expect(buyer.getByRole('article').filter({ hasText: laptop })).toBeVisible();

    await chooseInRow(row(page, renamed), `Merge: ${renamed}`);
    const merging = page.getByRole('dialog', { name: `Merge ${renamed}` });
    await merging.getByLabel('Into which brand').selectOption('Acer');
    await merging.getByRole('button', { name: 'Merge', exact: true }).click();
    await expectToast(page, `${renamed} was merged.`);
    await buyer.goto(`/laptops?brand=${encodeURIComponent(brand)}&q=${encodeURIComponent(laptop)}`);
    await expect(buyer).toHaveURL(/\/laptops\?q=.*&brand=Acer$/);
    await expect(buyer.getByRole('link', { name: laptop }).first()).toBeVisible();
  } finally {
    await context.close();
  }

  await page.goto('/dashboard/auditTrail');
  await expect(row(page, `${renamed} into Acer`)).toContainText('Merged brands');
});

test('an admin writes a page, sees a preview, publishes it to the footer, restores a version and withdraws it', async ({
  page,
}) => {
  const title = newName('Opening hours');
  const slug = title.toLowerCase().replaceAll(' ', '-');
  await admin(page);
  await page.goto('/dashboard/pages');
  await page.getByRole('link', { name: 'New page' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Address').fill('Not an address');
  await page.getByLabel('Description').fill('When we are there.');
  await page.getByLabel('Text').fill('## Summer\n\nFrom **nine** to five.\n\n<script>alert(1)</script>');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('heading', { name: 'Summer' })).toBeVisible();
  await expect(preview).toContainText('<script>alert(1)</script>');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await expect(page.getByText('An address has small letters a to z')).toBeVisible();
  // What is typed outlives a reload.
  await page.getByLabel('Address').fill(slug);
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue(title);
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await expectToast(page, 'It is published.');
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  const editor = page.url();

  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: title }).click();
  await expect(page).toHaveURL(`/pages/${slug}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('From nine to five.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('From nine to five.')).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Coomercio`);
  const sitemap = await (await page.request.get('/sitemap-pages.xml')).text();
  expect(sitemap).toContain(`/pages/${slug}</loc>`);

  await page.goto(editor);
  await page.getByLabel('Text').fill('From ten to six.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'It is saved, and not published yet.');
  await expect(page.getByText('version 2 is not published')).toBeVisible();
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await expect(page.getByLabel('Text')).toHaveValue(/From \*\*nine\*\* to five/);
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expectToast(page, 'It is a draft again.');
  expect((await page.request.get(`/pages/${slug}`)).status()).toBe(404);
});

test('registration and the footer link the published terms and privacy', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/register');
  const note = page.getByText('By registering you agree to the');
  await expect(note.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/pages/terms');
  await expect(note.getByRole('link', { name: 'Privacy' })).toHaveAttribute('href', '/pages/privacy');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Returns and refunds' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Returns and refunds' })).toBeVisible();
});
