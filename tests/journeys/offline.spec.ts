import { expect, test } from '#tests/harness/browser.ts';
import { newEmail, register } from './people.ts';

test.use({ expectedConsoleErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });

test('without a connection the page stays and says so, other pages wait, and all goes on when it is back', async ({
  page,
  context,
}) => {
  await register(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/dashboard/myOrders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  const bar = page.getByText('You are offline. What is on this page stays; anything new has to wait.');
  await expect(bar).toHaveCount(0);

  await context.setOffline(true);
  await expect(bar).toBeVisible();
  await page.getByRole('link', { name: 'My Wishlist' }).click();
  await expect(page.getByText('You are offline. That page opens once you are back.')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
  await expect(page.getByText('No orders yet')).toBeVisible();

  await context.setOffline(false);
  await expect(bar).toHaveCount(0);
  await page.getByRole('link', { name: 'My Wishlist' }).click();
  await expect(page.getByText('Your wishlist is empty')).toBeVisible();
});

test('a list that cannot be fetched is tried three times more, then says what failed and offers to try again', async ({
  page,
  context,
}) => {
  await register(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/dashboard/myOrders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  let tries = 0;
  await page.route('**/api/wishlists?**', (route) => {
    tries += 1;
    return route.abort();
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('link', { name: 'My Wishlist' }).click();
  /** Lets the page's clock run until the next try. @returns the milliseconds that it took */
  async function nextTry(): Promise<number> {
    const before = tries;
    let passed = 0;
    await expect
      .poll(
        async () => {
          if (tries > before) return true;
          passed += 50;
          await page.clock.runFor(50);
          return false;
        },
        { intervals: [10] },
      )
      .toBe(true);
    return passed;
  }
  await nextTry();
  for (const pause of [1000, 2000, 4000]) {
    const passed = await nextTry();
    expect(passed).toBeGreaterThanOrEqual(pause);
    expect(passed).toBeLessThan(pause * 1.5);
  }
  await page.clock.resume();
  const alert = page.getByRole('alert').filter({ hasText: 'We could not load your wishlist' });
  await expect(alert).toContainText('The shop cannot be reached.');
  expect(tries).toBe(4);

  await context.setOffline(true);
  await expect(alert).toContainText('You are offline.');
  await page.unroute('**/api/wishlists?**');
  await context.setOffline(false);
  await expect(page.getByText('Your wishlist is empty')).toBeVisible();
});
