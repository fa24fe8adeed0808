import { expect, test } from '#tests/harness/browser.ts';
import { newEmail, startSession } from './actions.ts';

test.use({ expectedConsoleErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });

test('offline the page stays with a notice and navigation waits for the connection', async ({
  page,
  context,
}) => {
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/dashboard/myOrders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  const bar = page.getByText(
    'You are offline. This page stays as it is; nothing can be loaded or sent until you are back.',
  );
  await expect(bar).toHaveCount(0);

  await context.setOffline(true);
  await expect(bar).toBeVisible();
  await page.getByRole('link', { name: 'My Wishlist' }).click();
  const message = page.getByText('You are offline. Please open that page again once you are back.');
  await expect(message).toBeVisible();
  const [navbar, place] = await Promise.all([page.getByRole('banner').boundingBox(), message.boundingBox()]);
  expect(place?.y, 'the message stands below the navbar').toBeGreaterThan(navbar?.height ?? Number.NaN);
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
  await expect(page.getByText('No orders yet')).toBeVisible();

  await context.setOffline(false);
  await expect(bar).toHaveCount(0);
  await page.getByRole('link', { name: 'My Wishlist' }).click();
  await expect(page.getByText('Your wishlist is empty')).toBeVisible();
});

test('a failed list is retried three times, then shows the failure and a retry button', async ({
  page,
  context,
}) => {
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/dashboard/myOrders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  const wishlist = page.getByRole('link', { name: 'My Wishlist' });
  // The drawer requests the user's roles; a pending request would time out when the clock jumps.
  await expect(wishlist).toBeVisible();
  await page.route('**/api/wishlists?**', (route) => route.abort());
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  // Measured in the page, because this process sees its clock with a delay.
  const tries = await page.evaluateHandle(() => {
    /** In milliseconds of the page's clock. */
    const seen = { left: [] as number[], failed: [] as number[] };
    const fetchFromShop = window.fetch;
    window.fetch = async (input, init) => {
      const watched = new Request(input, init).url.includes('/api/wishlists?');
      if (watched) seen.left.push(Date.now());
      try {
        return await fetchFromShop(input, init);
      } catch (error) {
        if (watched) seen.failed.push(Date.now());
        throw error;
      }
    };
    return seen;
  });
  await wishlist.click();
  await expect
    .poll(
      async () => {
        await page.clock.runFor(100);
        return (await tries.jsonValue()).failed.length;
      },
      { intervals: [10], timeout: 30_000 },
    )
    .toBe(4);
  const { left, failed } = await tries.jsonValue();
  expect(left.slice(1).map((moment, index) => moment - (failed[index] ?? 0))).toEqual([1000, 2000, 4000]);
  await page.clock.resume();
  const alert = page.getByRole('alert').filter({ hasText: 'We could not load your wishlist' });
  await expect(alert).toContainText('The shop cannot be reached.');
  expect((await tries.jsonValue()).left).toHaveLength(4);

  await context.setOffline(true);
  await expect(alert).toContainText('You are offline.');
  await page.unroute('**/api/wishlists?**');
  await context.setOffline(false);
  await expect(page.getByText('Your wishlist is empty')).toBeVisible();
});
