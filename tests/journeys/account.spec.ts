import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  confirmAddress,
  expectToast,
  newEmail,
  password,
  readEmailLink,
  register,
  signIn,
  startSession,
} from './actions.ts';
import { confirmPassword, setUpAuthenticator, totpCode } from './authenticator.ts';

async function openAccount(page: Page) {
  await page.goto('/dashboard/account');
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
}

test('the email sent after a registration confirms the address', async ({ page }) => {
  const email = newEmail('vera');
  await register(page, { name: 'Vera Verified', email, role: 'Buyer' });
  await openAccount(page);
  await expect(page.getByText('Not confirmed')).toBeVisible();
  await confirmAddress(page, email);
  expect(page.url()).not.toContain('#');
  await openAccount(page);
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
});

test.describe('an address confirmed in another browser', { tag: '@long' }, () => {
  // The first browser gets 401 with its next call, because its session has ended.
  test.use({ expectedConsoleErrors: /status of 401/ });

  test('requires a new password there and ends the first session', async ({ page, openVisitor }) => {
    const email = newEmail('dana');
    await register(page, { name: 'Dana Desk', email, role: 'Buyer' });
    const phone = await openVisitor();
    await confirmAddress(phone, email);
    await expect(phone.getByText('The account was registered in another browser.')).toBeVisible();
    await phone.getByLabel('New Password').fill(password);
    await phone.getByRole('button', { name: 'Save the new password' }).click();
    await phone.getByRole('link', { name: 'Go to Login' }).click();
    await signIn(phone, email);
    await expect(phone.getByText('Welcome back Dana Desk')).toBeVisible();
    await openAccount(phone);
    await expect(phone.getByText('Confirmed', { exact: true })).toBeVisible();

    // The first session has ended: somebody else could have registered the address.
    await page.goto('/dashboard/account');
    await expect(page.getByRole('heading', { name: 'Login Now!' })).toBeVisible();
  });
});

test('a password reset by email signs every device out', async ({ page, openVisitor }) => {
  const email = newEmail('olivia');
  await startSession(page, { name: 'Olivia Oblivious', email, role: 'Buyer' });
  const other = await openVisitor();
  await other.goto('/login');
  await other.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(other.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await other.getByLabel('Email', { exact: true }).fill(email);
  await other.getByRole('button', { name: 'Send the link' }).click();
  await expect(other.getByText(/If there is an account for/)).toBeVisible();
  await other.goto(await readEmailLink(email, 'Choose a new password'));
  await other.getByLabel('New Password').fill('Kettle#9Marble');
  await other.getByRole('button', { name: 'Save the new password' }).click();
  await other.getByRole('link', { name: 'Go to Login' }).click();
  await expect(other.getByRole('heading', { name: 'Login Now!' })).toBeVisible();
  await other.getByLabel('Email', { exact: true }).fill(email);
  await other.getByLabel('Password', { exact: true }).fill('Kettle#9Marble');
  await other.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(other.getByText('Welcome back Olivia Oblivious')).toBeVisible();
  await openAccount(other);
  await expect(other.getByText('This device')).toHaveCount(1);
  await expect(other.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
});

test('sign-in requires the authenticator app or a recovery code until the app is removed', async ({
  page,
  openVisitor,
}) => {
  const email = newEmail('theo');
  await startSession(page, { name: 'Theo Twofactor', email, role: 'Seller' });
  await openAccount(page);
  const { key, codes } = await setUpAuthenticator(page);
  await expect(page.getByText('On', { exact: true })).toBeVisible();

  const phone = await openVisitor();
  await phone.goto('/dashboard/addProduct');
  await signIn(phone, email);
  await expect(phone.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(phone.getByRole('textbox', { name: 'Code' })).toBeFocused();
  await phone.getByRole('textbox', { name: 'Code' }).fill(totpCode(key, 1));
  await phone.getByRole('button', { name: 'Continue' }).click();
  await expect(phone).toHaveURL(/\/dashboard\/addProduct$/);

  const desk = await openVisitor();
  await desk.goto('/login');
  await signIn(desk, email);
  await desk.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
  await desk.getByRole('button', { name: 'Continue' }).click();
  await expect(desk.getByText('Welcome back Theo Twofactor')).toBeVisible();

  await openAccount(page);
  await expect(page.getByText('9 left')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
  await confirmPassword(page);
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
});

test.describe('in the dark theme', () => {
  test.use({ colorScheme: 'dark' });

  test('the QR code stays dark on a light background', { tag: '@long' }, async ({ page }) => {
    await startSession(page, { name: 'Tara Twilight', email: newEmail('tara'), role: 'Buyer' });
    await openAccount(page);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await confirmPassword(page);
    const [ground, modules] = await page
      .getByRole('img', { name: 'QR code for your authenticator app' })
      .evaluate((code) => {
        const { backgroundColor, color } = getComputedStyle(code);
        return [backgroundColor, color].map((rgb) =>
          (rgb.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0),
        );
      });
    expect(ground).toBeGreaterThan(3 * 180);
    expect(modules).toBeLessThan(3 * 50);
  });
});

test('a passkey is added and signs in without a password, also from the autofill of the email field', async ({
  page,
  context,
}) => {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await startSession(page, { name: 'Petra Passkey', email: newEmail('petra'), role: 'Buyer' });
  await openAccount(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmPassword(page);
  await test.step('recovery codes stay until the user confirms keeping them', async () => {
    const codes = page.getByRole('alertdialog', { name: 'Your recovery codes' });
    await expect(codes.getByRole('listitem')).toHaveCount(10);
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await expect(codes).toBeHidden();
  });
  await expect(page.getByRole('button', { name: /^Remove the passkey/ })).toBeVisible();

  const signOut = () => page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  const openLogin = () => page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
  await test.step('the login page offers it in the autofill, where the virtual authenticator chooses it at once', async () => {
    await signOut();
    await openLogin();
    await expectToast(page, 'Welcome back Petra Passkey');
  });
  await test.step('the button ends the offer and asks for the passkey', async () => {
    await signOut();
    // Otherwise the message of the first sign-in could be taken for that of the second.
    await expect(page.getByText('Welcome back Petra Passkey', { exact: true })).toBeHidden();
    const simulatePresence = (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await simulatePresence(false);
    const offered = page.waitForResponse('**/sign-in/passkey/options');
    await openLogin();
    await offered;
    const field = page.getByLabel('Email', { exact: true });
    await expect(field).toHaveAttribute('autocomplete', 'username webauthn');
    await simulatePresence(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expectToast(page, 'Welcome back Petra Passkey');
  });
});

test.describe('another device', () => {
  // The other device gets 401 with its next call and with the next token renewal.
  test.use({ expectedConsoleErrors: /status of 401/ });

  test('is listed and can be signed out immediately', { tag: '@long' }, async ({ page, openVisitor }) => {
    const email = newEmail('dora');
    await startSession(page, { name: 'Dora Devices', email, role: 'Buyer' });
    const other = await openVisitor();
    await other.goto('/dashboard/myOrders');
    await signIn(other, email);
    await expect(other.getByRole('heading', { name: 'My Orders' })).toBeVisible();
    await openAccount(page);
    await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
    await expect(page.getByText('Chrome on Linux is signed out.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);

    await other.getByRole('link', { name: 'My Wishlist' }).click();
    await expect(other.getByText('Your session has ended. Please log in again.')).toBeVisible();
    await signIn(other, email);
    await expect(other.getByRole('heading', { name: 'My Wishlist' })).toBeVisible();
  });
});

test.describe('a commonly used password', () => {
  test.use({ expectedConsoleErrors: /status of 422/ });

  test('is refused at registration with a message, and the form keeps its values', { tag: '@long' }, async ({
    page,
  }) => {
    await page.goto('/register');
    await page.getByLabel('Name', { exact: true }).fill('Gus Guessable');
    await page.getByLabel('Email', { exact: true }).fill(newEmail('gus'));
    await page.getByLabel('Password', { exact: true }).fill('Password1!');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'tried first' })).toBeVisible();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Gus Guessable');
  });
});
