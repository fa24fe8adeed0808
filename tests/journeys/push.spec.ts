import type { BrowserContext, Page } from '@playwright/test';
import { book } from '#contract/bookings.ts';
import { listNotifications } from '#contract/notifications.ts';
import { expect, test } from '#tests/harness/browser.ts';
import {
  bell,
  createLaptop,
  createUser,
  expectToast,
  newEmail,
  shopOrigin,
  startSession,
} from './actions.ts';

// Browsers subscribe at push services of their makers, which tests cannot reach. The subscription is replaced, and messages
// are delivered to the service worker directly.

/** Replaces the subscription of all pages of a browser. Its state is in the local storage, under `testSubscription`. */
const replacePushService = (context: BrowserContext) =>
  context.addInitScript(() => {
    const subscription = {
      toJSON: () => ({
        endpoint: 'https://fcm.googleapis.com/fcm/send/test',
        keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
      }),
      unsubscribe: async () => {
        localStorage.removeItem('testSubscription');
        return true;
      },
    };
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        localStorage.setItem('testSubscription', 'yes');
        return subscription;
      },
      getSubscription: async () => (localStorage.getItem('testSubscription') === null ? null : subscription),
    });
  });

const isSubscribed = (page: Page) => page.evaluate(() => localStorage.getItem('testSubscription') !== null);

const buyer = () => ({ name: 'Pia Push', email: newEmail('pia'), role: 'Buyer' }) as const;

test('a person turns push messages to this browser on and off, and signing out ends them', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await replacePushService(context);
  await startSession(page, buyer());
  await page.goto('/dashboard/notifications');
  const turnOn = page.getByRole('button', { name: 'Notify me in this browser' });
  await turnOn.click();
  await expectToast(page, 'This browser shows your notifications.');
  expect(await isSubscribed(page)).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: 'Turn off in this browser' }).click();
  await expectToast(page, 'This browser shows no more notifications.');
  expect(await isSubscribed(page)).toBe(false);
  await turnOn.click();
  await expect(page.getByRole('button', { name: 'Turn off in this browser' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect.poll(() => isSubscribed(page)).toBe(false);
});

test('a browser that blocks notifications says how to allow them', async ({ page, context }) => {
  await context.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' }),
  );
  await startSession(page, buyer());
  await page.goto('/dashboard/notifications');
  await expect(page.getByText('Notifications of this shop are blocked in this browser.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notify me in this browser' })).toHaveCount(0);
});

test('a push message is shown, and closed when its notification is seen', async ({ page, context }) => {
  await context.grantPermissions(['notifications']);
  const seller = await startSession(page, { name: 'Pat Push', email: newEmail('pat'), role: 'Seller' });
  const productCode = await createLaptop(seller, { name: 'Pavilion' });
  const { client } = await createUser(buyer());
  await client.call(book, {
    body: { price: 549.99, phone: '+351 900 000 000', location: 'Station', productCode },
  });
  await page.goto('/blog');
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unseen');
  const [notification] = await seller.client.call(listNotifications, { query: {} });
  const { _id: id = '', title = '', body = '', path = '' } = notification ?? {};

  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration !== undefined) resolve(registration.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
  });
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: shopOrigin(),
    registrationId: await registered,
    data: JSON.stringify({ id, title, body, path }),
  });
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      return (await registration.getNotifications()).map(({ title, tag }) => ({ title, tag }));
    });
  await expect.poll(() => shown()).toEqual([{ title, tag: id }]);
  await bell(page).click();
  await page.getByRole('button', { name: 'Mark all as seen' }).click();
  await expect.poll(() => shown()).toEqual([]);
});
