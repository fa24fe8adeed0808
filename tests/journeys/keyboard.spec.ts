import type { Locator, Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createOwnLaptop,
  createSeller,
  createUser,
  newEmail,
  newName,
  password,
  startSession,
} from './actions.ts';

/** Returns the focused element's HTML when its focus is not visible, else null. Frames draw their own focus. */
async function findInvisibleFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return null;
    if (activeElement instanceof HTMLIFrameElement) return null;
    // The link of a tile draws its focus around the whole tile.
    const isOutlined = [null, '::after'].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(activeElement, part);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    return isOutlined ? null : activeElement.outerHTML;
  });
}

/** Presses Tab until `target` has the focus, and expects a visible focus at every stop. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < 120; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
    expect(await findInvisibleFocus(page), 'focus that cannot be seen').toBeNull();
  }
  throw new Error(`Tab does not lead to ${target}`);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

test('a buyer can log in, find, book and pay for a laptop by keyboard alone', async ({ page }) => {
  test.slow();
  const email = newEmail('kim');
  const name = await createOwnLaptop('Aspire 5', 'Acer');
  await createUser({ name: 'Kim Keys', email, role: 'Buyer' });

  await page.goto('/');
  await tabTo(page, page.getByRole('link', { name: 'Skip to the page' }));
  await tabTo(page, page.getByRole('link', { name: 'Login', exact: true }));
  await page.keyboard.press('Enter');
  await typeInto(page, 'Email', email);
  await typeInto(page, 'Password', password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Welcome back Kim Keys')).toBeVisible();
  await expect(page).toHaveURL('/');

  await tabTo(page, page.getByRole('link', { name: 'Acer See laptops' }));
  await page.keyboard.press('Enter');
  const book = page.getByRole('article', { name }).getByRole('button', { name: 'Book now' });
  await tabTo(page, book);
  await page.keyboard.press('Space');
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(book).toBeFocused();

  await page.keyboard.press('Enter');
  await typeInto(page, 'Phone Number', '+351 900 000 000');
  await typeInto(page, 'Meeting Location', 'Central Station');
  // The dialog traps the focus.
  await tabTo(page, dialog.getByRole('button', { name: 'Close' }));
  await tabTo(page, page.getByLabel('Meeting Location'));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Booking Successful. Please check your dashboard for payment.')).toBeVisible();
  await expect(page.getByRole('article', { name }).getByRole('link', { name, exact: true })).toBeFocused();

  await tabTo(page, page.getByRole('link', { name: `Booked · Pay for ${name}` }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Please pay $549.99 for ${name}`)).toBeVisible();
  const frame = page.frameLocator('iframe[name^="__privateStripeFrame"]').first();
  const fields = [
    ['cardnumber', '4242424242424242'],
    ['exp-date', '1234'],
    ['cvc', '123'],
    ['postal', '10001'],
  ] as const;
  for (const [field, text] of fields) {
    await tabTo(page, frame.locator(`[name=${field}]`));
    await page.keyboard.type(text);
  }
  await tabTo(page, page.getByRole('button', { name: 'Pay', exact: true }));
  await page.keyboard.press('Enter');
  const done = page.getByRole('heading', { name: 'Congrats! Your payment completed' });
  await expect(done).toBeVisible();
  await expect(done).toBeFocused();
});

test('a menu opens with the arrow keys and Enter, at its first or last item, and returns the focus', async ({
  page,
}) => {
  const laptop = await createLaptop(await createSeller(), { name: newName('Latitude') });
  await startSession(page, { name: 'Kim Keys', email: newEmail('kim'), role: 'Buyer' });
  await page.goto(`/dashboard/messages/new?laptop=${laptop}`);
  const button = page.getByRole('button', { name: 'More actions' });
  const items = page.getByRole('menuitem');
  for (const [key, at] of [
    ['ArrowDown', 0],
    ['ArrowUp', -1],
    ['Enter', 0],
  ] as const) {
    await button.press(key);
    await expect(items.nth(at), key).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(items).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await button.click();
  await expect(page.getByRole('menu')).toBeFocused();
  await button.click();
  await expect(items).toHaveCount(0);
});

test('a pending action keeps the focus of its button, and Enter does not repeat it', async ({ page }) => {
  const email = newEmail('kim');
  await createUser({ name: 'Kim Keys', email, role: 'Buyer' });
  await page.goto('/login');
  let requests = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/sign-in/email', async (route) => {
    requests += 1;
    await released;
    await route.continue();
  });
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).press('Enter');
  const pending = page.getByRole('button', { name: 'Logging in' });
  await expect(pending).toBeFocused();
  await expect(pending).toBeDisabled();
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await pending.dblclick({ force: true });
  release();
  await expect(page.getByText('Welcome back Kim Keys')).toBeVisible();
  expect(requests).toBe(1);
});

test('a visitor can look at the photos of a laptop, read what its condition means, log in and book it by keyboard alone', async ({
  page,
}) => {
  const email = newEmail('kim');
  const name = newName('Latitude');
  const id = await createLaptop(await createSeller(), { name });
  await createUser({ name: 'Kim Keys', email, role: 'Buyer' });

  await page.goto(`/laptop/${id}`);
  await tabTo(page, page.getByRole('button', { name: `Enlarge the photo of ${name}` }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tabTo(
    page,
    page.getByRole('article', { name }).getByRole('button', { name: 'Condition: Excellent' }),
  );
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Signs of use are faint/)).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Book now' }));
  await page.keyboard.press('Enter');
  await typeInto(page, 'Email', email);
  await typeInto(page, 'Password', password);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await typeInto(page, 'Phone Number', '+351 900 000 000');
  await typeInto(page, 'Meeting Location', 'Central Station');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: /^Pay \$/ }));
});
