import { expect, test } from '#tests/harness/browser.ts';
import { newEmail, password, register, signIn } from './people.ts';

test('a guarded page sends to the login and comes back to itself afterwards', async ({ page }) => {
  await page.goto('/category/HP?from=mail#list');
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, 'buyer@coomercio.example');
  await expect(page).toHaveURL(/\/category\/HP\?from=mail#list$/);
  await expect(page.getByText('Welcome back Jonas Weber')).toBeVisible();
});

test('the same by way of Google, which registers a buyer', async ({ page }) => {
  await page.goto('/dashboard/myWishlist');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: /gina\.google@example\.com/ }).click();
  await expect(page).toHaveURL(/\/dashboard\/myWishlist$/);
  await expect(page.getByRole('link', { name: 'My Wishlist' })).toBeVisible();
});

test.describe('the login form', () => {
  test.use({ expectedConsoleErrors: /status of 401/ });

  test('says what is missing, says what the provider refuses, and keeps what was typed', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByText('Email Address is required')).toBeVisible();
    await expect(page.getByText('Password is required')).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused();

    await page.getByLabel('Email', { exact: true }).fill('buyer@coomercio.example');
    await page.getByLabel('Password', { exact: true }).fill('Wrong#123');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('buyer@coomercio.example');
  });
});

test('the registration form holds the password rule to the letter', async ({ page }) => {
  await page.goto('/register');
  const submit = page.getByRole('button', { name: 'Register', exact: true });
  const field = page.getByLabel('Password', { exact: true });
  await submit.click();
  for (const message of ['Name is required', 'Email Address is required', 'Password is required']) {
    await expect(page.getByText(message)).toBeVisible();
  }
  await field.fill('A#1');
  await submit.click();
  await expect(page.getByText('Password must be 6 character or longer')).toBeVisible();
  await field.fill('abcdef');
  await submit.click();
  await expect(
    page.getByText('Password must be contain a capital letter and a special character.'),
  ).toBeVisible();
  await field.fill(password);
  await submit.click();
  await expect(page.getByText('Password must be')).toHaveCount(0);
});

test('signing out in one tab signs out the others', async ({ page, context }) => {
  await register(page, { name: 'Tara Tabs', email: newEmail('tara'), role: 'Buyer' });
  const other = await context.newPage();
  await other.goto('/dashboard/myOrders');
  await expect(other.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(other).toHaveURL(/\/login/);
  await expect(page.getByRole('link', { name: 'Login', exact: true }).first()).toBeVisible();
});

test('a page that is not for one’s role says so, inside the dashboard', async ({ page }) => {
  await register(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  const ofOthers = ['addProduct', 'myProducts', 'myBuyers', 'allSellers', 'allBuyers', 'reportedItems'];
  for (const path of [...ofOthers, 'auditTrail']) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Not for your account' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'My Orders', exact: true })).toBeVisible();
  }
});

test('an unknown page is answered with 404 and a way home', async ({ page }) => {
  const response = await page.request.get('/no/such/page');
  expect(response.status()).toBe(404);
  expect(await response.text()).toContain('The page you are looking for does not exist.');
});
