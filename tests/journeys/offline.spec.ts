import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createOwnLaptop, newEmail, startSession } from './actions.ts';
import { expectNoViolations } from './axe.ts';

test.use({ expectedConsoleErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });

/**
 * Ends being offline. Chromium tells the page that it is online before its network lets requests through; a navigation between the
 * two loads the page anew and is lost.
 */
async function comeBack(page: Page) {
  await page.context().setOffline(false);
  await expect
    .poll(() =>
      page.evaluate(() =>
        fetch('/robots.txt', { cache: 'no-store' }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    .toBe(true);
}

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
  const message = page.getByText('You are offline. Please try that again once you are back.');
  await expect(message).toBeVisible();
  const [navbar, place] = await Promise.all([page.getByRole('banner').boundingBox(), message.boundingBox()]);
  expect(place?.y, 'the message stands below the navbar').toBeGreaterThan(navbar?.height ?? Number.NaN);
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
  await expect(page.getByText('No orders yet')).toBeVisible();

  await comeBack(page);
  await expect(bar).toHaveCount(0);
  await page.getByRole('link', { name: 'My Wishlist' }).click();
  await expect(page.getByText('Your wishlist is empty')).toBeVisible();

  await test.step('a page of the dashboard that was opened before opens offline', async () => {
    await context.setOffline(true);
    await expect(bar).toBeVisible();
    await page.getByRole('link', { name: 'My Orders' }).click();
    await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
    await expect(page.getByText('No orders yet')).toBeVisible();
  });
});

test('offline a filter, the order and the next page wait for the connection', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await createOwnLaptop('EliteBook');
  await page.goto('/laptops');
  const filter = page.getByRole('checkbox', { name: /^HP/ });
  await expect(filter).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toHaveCount(0);
  await context.setOffline(true);
  const message = page.getByText('You are offline. Please try that again once you are back.');
  await filter.click();
  await expect(message).toBeVisible();
  await expect(filter).not.toBeChecked();
  await expect(page).toHaveURL('/laptops');
  await expect(page.getByRole('banner')).toBeVisible();
  await comeBack(page);
  await filter.click();
  await expect(page).toHaveURL(/brand=/);
  await expect(filter).toBeChecked();
});

test('offline, pointing at a laptop, focusing it and opening it keep the page', async ({ page, context }) => {
  await createOwnLaptop('EliteBook');
  await page.goto('/laptops');
  const laptop = page.getByRole('main').getByRole('article').getByRole('link').first();
  await expect(laptop).toBeVisible();
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toHaveCount(0);
  const loads: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url());
  });
  await context.setOffline(true);
  await laptop.hover();
  await laptop.focus();
  await laptop.click();
  await expect(page.getByText('You are offline. Please try that again once you are back.')).toBeVisible();
  await expect(page).toHaveURL('/laptops');
  expect(loads, 'the document is not loaded again').toEqual([]);
  await comeBack(page);
  await laptop.click();
  await expect(page).toHaveURL(/\/laptop\//);
});

test('offline a search keeps the page and the typed words', { tag: '@long' }, async ({ page, context }) => {
  await page.goto('/');
  await context.setOffline(true);
  const message = page.getByText('You are offline. Please try that again once you are back.');
  const field = page.getByRole('searchbox', { name: 'Find a laptop' });
  await field.fill('EliteBook');
  await field.press('Enter');
  await expect(message).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(field).toHaveValue('EliteBook');
  await comeBack(page);
  await field.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “EliteBook”');
});

test('offline the bell says so, and signing out stays until the connection is back', {
  tag: '@long',
}, async ({ page, context }) => {
  await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
  await page.goto('/dashboard/myOrders');
  await expect(page.getByText('No orders yet')).toBeVisible();
  const bell = page.getByRole('button', { name: 'Notifications' });
  await expect(bell).toBeVisible();
  await context.setOffline(true);
  await bell.click();
  const newest = page.getByRole('region', { name: 'Newest notifications' });
  await expect(
    newest.getByText('You are offline. Loading your notifications goes on once you are back.'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'You are signed out.' });
  await expect(heading).toBeFocused();
  await expectNoViolations(page);
  const ended = page.waitForResponse((response) => response.url().endsWith('/sign-out'));
  await context.setOffline(false);
  expect((await ended).ok(), 'the session ends at the provider too').toBe(true);
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveURL('/');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('offline the filters wait for the connection', { tag: '@long' }, async ({ page, context }) => {
    await page.goto('/laptops');
    const filters = page.getByRole('button', { name: 'Filters' });
    await expect(filters).toBeVisible();
    await context.setOffline(true);
    await filters.click();
    await expect(page.getByText('You are offline. Please try that again once you are back.')).toBeVisible();
    await expect(page).toHaveURL('/laptops');
  });
});

test('a page that cannot be loaded leaves the navigation, and opens by ‘Try again’', {
  tag: '@long',
}, async ({ page }) => {
  await createOwnLaptop('EliteBook');
  await page.goto('/laptops');
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toHaveCount(0);
  await page.route('**/laptops.data**', (route) => route.abort());
  await page.getByRole('checkbox', { name: /^HP/ }).click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Something went wrong on our side');
  await expect(heading).toBeFocused();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
  await expectNoViolations(page);
  await page.unroute('**/laptops.data**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('checkbox', { name: /^HP/ })).toBeChecked();
  await expect(heading).toBeFocused();
});

test.describe('a page that the shop refuses', () => {
  test.use({ expectedConsoleErrors: /status of (429|503)/ });

  for (const [status, title] of [
    [429, 'Too many requests'],
    [503, 'The shop is busy'],
  ] as const) {
    test(`with ${status} says why and when to try again`, async ({ page }) => {
      await page.goto('/');
      const sentence = 'There were many pages from your network. Please try again in a few seconds.';
      await page.route('**/blog.data**', (route) =>
        route.fulfill({ status, contentType: 'text/plain; charset=utf-8', body: sentence }),
      );
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click();
      const heading = page.getByRole('heading', { level: 1 });
      await expect(heading).toHaveText(title);
      await expect(heading).toBeFocused();
      await expect(page.getByText(sentence)).toBeVisible();
    });
  }
});

test.describe('a component that fails', () => {
  test.use({ expectedConsoleErrors: /no dates/ });

  test('leaves the tabs and the other parts of the page, and works after ‘Try again’', {
    tag: '@long',
  }, async ({ page }) => {
    await startSession(page, { name: 'Bruno Buyer', email: newEmail('bruno'), role: 'Buyer' });
    const entry = {
      _id: crypto.randomUUID(),
      topic: 'bookings',
      title: 'A',
      body: 'B',
      path: '/',
      at: '2026-11-24T10:00:00Z',
    };
    await page.route('**/api/notifications?**', (route) =>
      route.fulfill({ json: [{ ...entry, seen: true }] }),
    );
    const setDates = (work: boolean) =>
      page.evaluate((next) => document.dispatchEvent(new CustomEvent('dates', { detail: next })), work);
    await page.addInitScript(() => {
      const { get } = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format') ?? {};
      let work = false;
      document.addEventListener('dates', (event) => {
        work = event instanceof CustomEvent && event.detail === true;
      });
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
        get() {
          if (!work) throw new Error('no dates');
          return get?.call(this);
        },
      });
    });
    const tab = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Account' });

    await page.goto('/dashboard/notifications');
    const failure = page.getByRole('main').getByRole('alert');
    await expect(failure).toContainText('We could not show your notifications');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notifications');
    await expectNoViolations(page);
    await setDates(true);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(failure).toHaveCount(0);

    await setDates(false);
    await tab.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something went wrong on our side');
    await expect(
      page.getByRole('banner').getByRole('button', { name: 'Sign Out', exact: true }),
    ).toBeVisible();
    await expectNoViolations(page);
    await setDates(true);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account');
    await expect(tab).toHaveAttribute('aria-current', 'page');
  });
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
