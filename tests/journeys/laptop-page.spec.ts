import type { Page } from '@playwright/test';
import { advertiseLaptop, deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { slugOf } from '#contract/listings/slug.ts';
import { plainAmount } from '#contract/platform/money.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createSeller,
  createUser,
  expectToast,
  newEmail,
  newName,
  openPayment,
  payButton,
  signIn,
  startSession,
  typeCard,
} from './actions.ts';
import { amount, currency, shown } from './amounts.ts';
import { fetchHtml, readStructuredData } from './public-pages.ts';

const pathOf = (id: string, name: string) => `/laptop/${id}/${slugOf(name)}`;

/** The button in the box beside the photos, or in the bar of phones. */
const bookNow = (page: Page, role: 'link' | 'button' = 'button') =>
  page.getByRole(role, { name: 'Book now', exact: true });

async function submitBooking(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name, exact: true });
  await dialog.getByLabel('Phone Number').fill('+351 900 000 000');
  await dialog.getByLabel('Meeting Location').fill('Central Station');
  await dialog.getByRole('button', { name: 'Submit', exact: true }).click();
  await expectToast(page, 'Booking Successful. Please check your dashboard for payment.');
}

test('a visitor opens a laptop on the home page and shares it; somebody signed out books it after logging in', async ({
  page,
  context,
  openVisitor,
  baseURL,
}) => {
  const name = newName('EliteBook');
  const seller = await createSeller();
  const _id = await createLaptop(seller, { name });
  await seller.client.call(advertiseLaptop, { params: { _id } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page).toHaveURL(pathOf(_id, name));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('link', { name: 'Share' }).click();
  await expectToast(page, 'The link is copied.');
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toBe(`${baseURL}${pathOf(_id, name)}`);

  const email = newEmail('bruno');
  await createUser({ name: 'Bruno Buyer', email, role: 'Buyer' });
  const buyer = await openVisitor();
  await buyer.goto(address);
  await buyer.getByRole('link', { name: 'Log in to see the phone number' }).click();
  await expect(buyer.getByText('Log in to see the seller’s phone number.')).toBeVisible();
  await buyer.goBack();
  const promise = buyer.getByRole('list', { name: 'What protects you' }).getByRole('listitem');
  await expect(promise).toHaveText([/^You pay the shop, not \S+$/, /before you give the code$/, /complain/]);
  await expect(buyer.getByRole('article').getByRole('link', { name: 'How it works' })).toHaveAttribute(
    'href',
    '/how-it-works',
  );
  await bookNow(buyer, 'link').click();
  await expect(buyer).toHaveURL('/login');
  await signIn(buyer, email);
  await expect(buyer).toHaveURL(`${pathOf(_id, name)}?book=yes`);
  await submitBooking(buyer, name);
  await expect(buyer.getByRole('heading', { level: 1, name })).toBeFocused();
  await expect(bookNow(buyer)).toHaveCount(0);
  await expect(buyer.getByRole('link', { name: '+351 912 345 678' })).toBeVisible();
  await buyer.getByRole('link', { name: `Pay ${shown(549.99)} for ${name}` }).click();
  await expect(buyer.getByText(`Please pay ${shown(549.99)} for ${name}`)).toBeVisible();
});

test('Back and Escape close the booking dialog and keep the page', { tag: '@long' }, async ({ page }) => {
  const name = newName('Latitude');
  const path = pathOf(await createLaptop(await createSeller(), { name }), name);
  await startSession(page, { name: 'Bina Buyer', email: newEmail('bina'), role: 'Buyer' });
  await page.goto(path);
  const dialog = page.getByRole('dialog', { name, exact: true });
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await bookNow(page).click();
    await expect(dialog).toBeVisible();
    await close();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(path);
  }
});

test('a visitor’s wish is added after logging in, but not by a link alone', { tag: '@long' }, async ({
  page,
  openVisitor,
}) => {
  const name = newName('Aspire');
  const path = pathOf(await createLaptop(await createSeller(), { name }), name);
  const email = newEmail('wanda');
  await createUser({ name: 'Wanda Wishes', email, role: 'Buyer' });
  const linked = await openVisitor();
  await linked.goto(`${path}?wish=yes`);
  await signIn(linked, email);
  await expect(linked).toHaveURL(path);
  await expect(linked.getByRole('button', { name: 'Add to Wishlist', exact: true })).toBeEnabled();

  await page.goto(path);
  await page.getByRole('link', { name: 'Add to Wishlist', exact: true }).click();
  await signIn(page, email);
  await expectToast(page, 'Product added to your wishlist. Please Check it on Dashboard.');
  await expect(page).toHaveURL(path);
  await expect(page.getByRole('button', { name: 'Add to Wishlist', exact: true })).toBeDisabled();
});

test('a visitor reports a laptop after logging in', { tag: '@long' }, async ({ page }) => {
  const name = newName('Swift');
  const path = pathOf(await createLaptop(await createSeller(), { name }), name);
  const email = newEmail('rita');
  await createUser({ name: 'Rita Reporter', email, role: 'Buyer' });
  await page.goto(path);
  await page.getByRole('link', { name: /^Report this item/ }).click();
  await signIn(page, email);
  const dialog = page.getByRole('dialog', { name: 'Report this item' });
  await dialog.getByLabel('Reason').selectOption('Not as described');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText(/Thank you/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^You reported this item/ })).toBeDisabled();
});

test('the seller of a laptop gets a link to My Products, another seller the reason', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  const name = newName('ProBook');
  const owner = await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
  const path = pathOf(await createLaptop(owner, { name }), name);
  await page.goto(path);
  await expect(page.getByText('This is your laptop.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'My Products' })).toHaveAttribute(
    'href',
    '/dashboard/myProducts',
  );
  await expect(page.getByText(/^Report this item/)).toHaveCount(0);

  const other = await openVisitor();
  await startSession(other, { name: 'Saul Seller', email: newEmail('saul'), role: 'Seller' });
  await other.goto(path);
  await expect(
    other.getByText('Booking and the wishlist are for buyers. You are signed in as a seller.'),
  ).toBeVisible();
  await expect(bookNow(other)).toHaveCount(0);
  await other.getByRole('button', { name: 'I want to buy too' }).click();
  await expect(bookNow(other)).toBeEnabled();
});

test('a URL without the right slug redirects permanently; the public HTML has no contact data', async ({
  request,
  baseURL,
}) => {
  const name = newName('Élite & Book');
  const _id = await createLaptop(await createSeller(), { name });
  for (const path of [
    `/laptop/${_id}`,
    `/laptop/${_id}/other`,
    `/laptop/${_id.toUpperCase()}/${slugOf(name)}`,
  ]) {
    const response = await request.get(`${path}?book=yes`, { maxRedirects: 0 });
    expect(response.status(), path).toBe(301);
    expect(response.headers().location).toBe(`${pathOf(_id, name)}?book=yes`);
  }
  const html = await fetchHtml(request, pathOf(_id, name));
  expect(html).toContain(`<link rel="canonical" href="${baseURL}${pathOf(_id, name)}"/>`);
  expect(html).not.toContain('912 345 678');
  expect(html).not.toMatch(/sofia[^"]*@people\.example/);
});

test('search engines get a product with an offer, and shared links a picture with its size', async ({
  page,
  baseURL,
}) => {
  const name = newName('Spin </script>');
  const _id = await createLaptop(await createSeller(), { name, brand: 'Acer', price: 321.5 });
  await page.goto(pathOf(_id, name));
  expect(await readStructuredData(page)).toMatchObject([
    {
      '@type': 'Product',
      name,
      url: `${baseURL}${pathOf(_id, name)}`,
      brand: { name: 'Acer' },
      offers: {
        price: plainAmount(amount(321.5)),
        priceCurrency: currency.code,
        availability: 'https://schema.org/InStock',
      },
    },
  ]);
  const property = (tag: string) => page.locator(`meta[property="${tag}"]`).getAttribute('content');
  expect(await property('og:type')).toBe('product');
  expect(await property('og:title')).toContain(name);
  expect(await property('og:image')).toMatch(/\/photos\/.*\.webp$/);
  expect(Number(await property('og:image:width'))).toBeGreaterThan(300);
  expect(Number(await property('og:image:height'))).toBeGreaterThan(200);
  expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/^.{40,180}$/);
});

test.describe('a laptop that is not for sale', () => {
  // The browser logs the responses.
  test.use({ expectedConsoleErrors: /status of (404|410)/ });

  test('responds with 404 when unknown and with 410 after its withdrawal, with a way on', async ({
    page,
  }) => {
    for (const id of [crypto.randomUUID(), 'nonsense']) {
      expect((await page.goto(`/laptop/${id}/thing`))?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'The page you are looking for does not exist.',
      );
    }
    const name = newName('Latitude');
    const seller = await createSeller();
    const _id = await createLaptop(seller, { name });
    await seller.client.call(deleteOwnLaptop, { params: { _id } });
    expect((await page.goto(pathOf(_id, name)))?.status()).toBe(410);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No longer for sale');
    await expect(page.getByText('This laptop has left the shop unsold.')).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await page.getByRole('link', { name: 'Choose another laptop' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('is shown as sold, with similar laptops', { tag: '@long' }, async ({ page, openVisitor }) => {
    const name = newName('Vostro');
    const seller = await createSeller();
    const path = pathOf(await createLaptop(seller, { name, brand: 'Dell' }), name);
    await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
    await page.goto(path);
    await bookNow(page).click();
    await submitBooking(page, name);
    await openPayment(page, name);
    await typeCard(page, '4242424242424242');
    await payButton(page).click();
    await expectToast(page, 'Payment successful');

    const visitor = await openVisitor();
    expect((await visitor.goto(path))?.status()).toBe(200);
    await expect(visitor.getByText(/^Sold on /)).toBeVisible();
    await expect(bookNow(visitor, 'link')).toHaveCount(0);
    expect(await readStructuredData(visitor)).toMatchObject([
      { offers: { availability: 'https://schema.org/SoldOut' } },
    ]);
    await visitor.getByRole('link', { name: 'See similar laptops' }).click();
    const similar = visitor.getByRole('region', { name: 'Similar laptops' });
    await expect(similar.getByRole('article').first()).toBeInViewport();
    await expect(similar.getByRole('link', { name, exact: true })).toHaveCount(0);
  });
});

test('on a phone name, price and condition are on the first screen, and a bar has Book now', async ({
  page,
}) => {
  const name = newName('EliteBook');
  const path = pathOf(await createLaptop(await createSeller(), { name }), name);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(
    page
      .getByRole('definition')
      .filter({ hasText: shown(549.99) })
      .first(),
  ).toBeInViewport({
    ratio: 1,
  });
  const condition = page.getByText('Excellent').first();
  await expect(condition).toBeInViewport({ ratio: 1 });
  await expect(bookNow(page, 'link')).toBeInViewport({ ratio: 1 });
  await expect(bookNow(page, 'link')).toHaveCount(1);
  const definition = page.getByText(/Signs of use are faint/);
  await expect(definition).toBeHidden();
  await condition.click();
  await expect(definition).toBeVisible();
});

test('a laptop’s page opens with a view transition', {
  tag: '@long',
}, async ({ page }) => {
  // One of its own: another journey may sell or withdraw the first laptop of the list meanwhile.
  const name = newName('Nitro');
  const id = await createLaptop(await createSeller(), { name });
  const link = page.locator(`main a[href^="/laptop/${id}"]:not([rel])`).first();
  // The search index follows the database.
  await expect(async () => {
    await page.goto(`/laptops?q=${encodeURIComponent(name)}`);
    await expect(link).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const path = (await link.getAttribute('href')) ?? '';
  await page.evaluate(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      document.documentElement.dataset.transitions = 'seen';
      return start(update);
    };
  });
  await link.click();
  await expect(page).toHaveURL(path);
  await expect(page.locator('html')).toHaveAttribute('data-transitions', 'seen');
});
