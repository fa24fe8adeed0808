import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createSeller,
  expectRed,
  expectToast,
  newEmail,
  newName,
  password,
  register,
  signIn,
} from './actions.ts';

/** Expects the provider's message in red below the fields. */
async function expectFailure(page: Page, sentence: string) {
  const failure = page.locator('form').getByRole('alert').filter({ hasText: sentence });
  await expect(failure).toHaveText(sentence);
  await expectRed(failure);
  const under = await failure.boundingBox();
  const field = await page.getByLabel('Password', { exact: true }).boundingBox();
  expect(under?.y).toBeGreaterThan(field?.y ?? Number.POSITIVE_INFINITY);
}

test('/category/{id} sends a visitor to /login and comes back to itself afterwards: “Welcome back {name}”', async ({
  page,
}) => {
  await page.goto('/category/HP?from=mail#list');
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, 'buyer@coomercio.example');
  await expect(page).toHaveURL(/\/category\/HP\?from=mail#list$/);
  await expectToast(page, 'Welcome back Jonas Weber');
});

test('the login page says why it is needed, also after it was loaded again', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/dashboard/myOrders');
  await expect(page.getByText('Log in to see your orders.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Log in to see your orders.')).toBeVisible();
});

test('“Sell yours” registers a seller, says what it costs, and goes on to Add Product', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sell yours' }).click();
  await expect(page).toHaveURL('/register?as=seller');
  // As the server renders it, too.
  await page.reload();
  const role = page.getByLabel('Register As');
  await expect(role).toHaveValue('Seller');
  await expect(role).toHaveAccessibleDescription(/^Listing is free.* You are paid .*hand-over/);
  const google = page.getByText('Google makes a new account a buyer’s.');
  await expect(google).toBeVisible();
  await role.selectOption('Buyer');
  await expect(google).toHaveCount(0);
  await role.selectOption('Seller');
  await page.getByLabel('Name', { exact: true }).fill('Sina Seller');
  await page.getByLabel('Email', { exact: true }).fill(newEmail('sina'));
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page).toHaveURL('/dashboard/addProduct');
  await expect(page.getByRole('heading', { name: 'Add Product', level: 1 })).toBeVisible();
});

test('a visitor who asks a seller logs in to ask by name', { tag: '@long' }, async ({ page }) => {
  await page.goto(`/laptop/${await createLaptop(await createSeller(), { name: newName('Latitude 7420') })}`);
  await page.getByRole('link', { name: 'Ask Sofia' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Log in to ask Sofia.')).toBeVisible();
});

test('the login page says what it is for, and leads to the laptops that everybody can see', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByText('Log in to book, pay and sell.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the laptops without an account' })).toHaveAttribute(
    'href',
    '/laptops',
  );
  await page.goto('/category/HP');
  await expect(page.getByText('Log in to see HP laptops.')).toBeVisible();
  await page.getByRole('link', { name: 'See HP laptops without an account' }).click();
  await expect(page).toHaveURL('/laptops?brand=HP');
});

test('/dashboard/myWishlist by way of Google comes back to itself, too, and registers a buyer', async ({
  page,
}) => {
  await page.goto('/dashboard/myWishlist');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: /gina\.google@example\.com/ }).click();
  await expect(page).toHaveURL(/\/dashboard\/myWishlist$/);
  await expect(page.getByRole('link', { name: 'My Wishlist' })).toBeVisible();
});

test('a page requested on 127.0.0.1 redirects to the public origin, where Google sign-in works', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto(`http://127.0.0.1:${process.env.JOURNEY_PORT}/login?from=elsewhere`);
  await expect(page).toHaveURL('/login?from=elsewhere');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: /gina\.google@example\.com/ }).click();
  await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
});

test.describe('a failure of the identity provider is shown in red under the form', () => {
  test.use({ expectedConsoleErrors: /status of (401|409)/ });

  test('of /login, which says what is missing: “Email Address is required”, “Password is required”', async ({
    page,
  }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByText('Email Address is required', { exact: true })).toBeVisible();
    await expect(page.getByText('Password is required', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused();

    await page.getByLabel('Email', { exact: true }).fill('buyer@coomercio.example');
    await page.getByLabel('Password', { exact: true }).fill('Wrong#123');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expectFailure(page, 'The email address or the password is not right.');
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('buyer@coomercio.example');
  });

  test('of /register, which keeps what was typed', async ({ page }) => {
    await page.goto('/register');
    await page.getByLabel('Name', { exact: true }).fill('Jonas Again');
    await page.getByLabel('Email', { exact: true }).fill('buyer@coomercio.example');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expectFailure(page, 'An account with this email address exists already. Please log in instead.');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Jonas Again');
  });
});

test('/register says what is missing: “Name is required”, “Email Address is required”, “Password is required”, and holds the password rule', async ({
  page,
}) => {
  await page.goto('/register');
  const submit = page.getByRole('button', { name: 'Register', exact: true });
  const field = page.getByLabel('Password', { exact: true });
  await submit.click();
  for (const message of ['Name is required', 'Email Address is required', 'Password is required']) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await field.fill('A#1');
  await submit.click();
  await expect(page.getByText('Password must be 6 character or longer', { exact: true })).toBeVisible();
  await field.fill('abcdef');
  await submit.click();
  await expect(
    page.getByText('Password must be contain a capital letter and a special character.', { exact: true }),
  ).toBeVisible();
  await field.fill(password);
  await submit.click();
  await expect(page.getByText('Password must be')).toHaveCount(0);
});

test.describe('signing out in one tab', () => {
  // A request that the other tab makes before it knows of the sign-out is refused.
  test.use({ expectedConsoleErrors: /status of 401 .*\/api\// });

  test('signs out the others', async ({ page, context }) => {
    await register(page, { name: 'Tara Tabs', email: newEmail('tara'), role: 'Buyer' });
    const other = await context.newPage();
    await other.goto('/dashboard/myOrders');
    await expect(other.getByRole('heading', { name: 'My Orders' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
    await expect(other).toHaveURL(/\/login/);
    await expect(page.getByRole('link', { name: 'Login', exact: true }).first()).toBeVisible();
  });
});
