import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectToast, newEmail, startSession } from './actions.ts';

// Browsers subscribe at push services of their makers, which tests cannot reach, so the subscription is replaced.
// web/notifications/service-worker.test.ts delivers messages.

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
    // Without a screen, the browser permits nothing.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Object.assign(Notification, { requestPermission: async () => 'granted' });
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

test('a person turns push messages to this browser on and off, and signing out ends them', {
  tag: '@long',
}, async ({ page, context }) => {
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
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect.poll(() => isSubscribed(page)).toBe(false);
});

test('a browser that blocks notifications says how to allow them', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await context.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' }),
  );
  await startSession(page, buyer());
  await page.goto('/dashboard/notifications');
  await expect(page.getByText('Notifications of this shop are blocked in this browser.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notify me in this browser' })).toHaveCount(0);
});
