import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  bookLaptop,
  card,
  chooseInRow,
  createLaptop,
  createSeller,
  createUser,
  deleteInRow,
  expectNoOverflow,
  expectToast,
  listLaptop,
  newEmail,
  newName,
  newPersonName,
  startSession,
  startSessionOf,
} from './actions.ts';
import { buyLaptop } from './sale.ts';

test('a buyer books a laptop, sells one with the same account, sees both parts and cannot buy the own one', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  const own = newName('Swift');
  const other = own.replace('Swift', 'Aspire');
  await createLaptop(await createSeller(), { name: other, brand: 'Acer' });
  const person = { name: newPersonName('Bo'), email: newEmail('bo'), role: 'Buyer' as const };
  await startSession(page, person);
  await page.goto('/category/Acer');
  await bookLaptop(page, other);

  const drawer = page.getByRole('navigation', { name: 'Dashboard' });
  await test.step('“I want to sell too” says what it costs, and opens Add Product at once', async () => {
    await page.goto('/dashboard/account');
    await expect(page.getByText('You buy with this account. It can sell as well.')).toContainText(
      'Listing is free.',
    );
    await drawer.getByRole('link', { name: 'Sell yours' }).click();
    await expect(page.getByRole('heading', { name: 'Sell here, too', level: 1 })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Listing is free.');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'I want to sell too' }).click();
    await expectToast(page, 'You can sell here now, too, with the same account.');
    await expect(page.getByRole('heading', { name: 'Add Product', level: 1 })).toBeVisible();
  });
  await listLaptop(page, { name: own, brand: 'Acer' });

  await test.step('the dashboard has both parts', async () => {
    for (const group of ['Buy', 'Sell'])
      await expect(drawer.getByRole('list', { name: group })).toBeVisible();
    await expect(drawer.getByRole('link', { name: 'Sell yours' })).toHaveCount(0);
    await expect(drawer.getByRole('link', { name: /^My Orders/ })).toHaveCount(1);
    await drawer.getByRole('link', { name: /^My Orders/ }).click();
    await expect(page.getByRole('row').filter({ hasText: other })).toBeVisible();
    await drawer.getByRole('link', { name: 'My Buyers' }).click();
    await expect(page.getByRole('heading', { name: 'My Buyers', level: 1 })).toBeVisible();
  });

  await test.step('the own laptop says so where others book and wish', async () => {
    await page.goto('/category/Acer');
    await expect(card(page, own)).toContainText('This is your laptop.');
    await expect(card(page, own).getByRole('button', { name: /Book now|Add to Wishlist/ })).toHaveCount(0);
    await expect(card(page, other).getByRole('button', { name: 'Book now' })).toBeDisabled();
    await page.goto(`/laptops?q=${own.replace('Swift ', '')}`);
    await expect(page.getByRole('button', { name: `Add to Wishlist: ${other}` })).toBeVisible();
    await expect(page.getByRole('button', { name: `Add to Wishlist: ${own}` })).toHaveCount(0);
    await page.getByRole('link', { name: own, exact: true }).click();
    await expect(page.getByText('This is your laptop.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Book now' })).toHaveCount(0);
  });

  await test.step('what waits is of both parts, and the sale’s page belongs to My Buyers', async () => {
    const buyer = await createUser({ name: newPersonName('Bea'), email: newEmail('bea'), role: 'Buyer' });
    const [, , laptopId = ''] = new URL(page.url()).pathname.split('/');
    const orderId = await buyLaptop(buyer, laptopId);
    await page.goto('/dashboard');
    for (const list of ['My Orders', 'My Buyers']) {
      await expect(drawer.getByRole('link', { name: new RegExp(`^${list}\\s*1\\s+waiting$`) })).toBeVisible();
    }
    await page.goto(`/dashboard/order/${orderId}`);
    await expect(drawer.locator('[aria-current]')).toContainText('My Buyers');
  });

  await test.step('an admin reads in both lists what a deletion ends', async () => {
    const admin = await openVisitor();
    await startSessionOf(admin, 'admin@coomercio.example');
    for (const [list, mark, consequence] of [
      ['allBuyers', 'Also sells', 'This person also sells: the unsold laptops leave the shop'],
      ['allSellers', 'Also buys', 'This person also buys: unpaid bookings of other laptops are cancelled'],
    ] as const) {
      await admin.goto(`/dashboard/${list}?search=${encodeURIComponent(person.email)}`);
      const row = admin.getByRole('row').filter({ hasText: person.name });
      await expect(row).toContainText(mark);
      if (list === 'allBuyers') await deleteInRow(row, person.name);
      else await chooseInRow(row, `Delete ${person.name}`);
      const dialog = admin.getByRole('alertdialog');
      await expect(dialog).toContainText(consequence);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  });
});
