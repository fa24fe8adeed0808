import type { Page } from '@playwright/test';
import type { Health } from '#contract/operations/health.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { expectNoOverflow, startSessionOf } from './actions.ts';
import { shown } from './amounts.ts';

const check = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

test('an admin sees which parts of the shop work, and that the providers are stand-ins', async ({ page }) => {
  await startSessionOf(page, 'admin@coomercio.example');
  await page.goto('/dashboard/health');
  await expect(check(page, 'Database')).toContainText('Fine');
  await expect(check(page, 'Database')).toContainText(/Connections\d+ of \d+/);
  await expect(check(page, 'Email')).toContainText(
    /Look at it.*The stand-in keeps all emails: nobody receives them\./,
  );
  await expect(check(page, 'SMS')).toContainText('A stand-in keeps all messages; none reaches a phone.');
  await expect(check(page, 'Card processor')).toContainText('no card is ever charged');
  await expect(check(page, 'Balance at the card processor')).toContainText(/Automatic payouts ?manual/);
  // The fee is the average of this run’s sales, of which every journey may add some, or the usual one before.
  await expect(check(page, 'Commission')).toContainText(
    new RegExp(
      `takes about (\\S+) .*commission is ${shown(0).replace(/[$.]/g, '\\$&')}, which leaves −\\1\\.`,
    ),
  );
  await expect(check(page, 'Backups')).toContainText('Look at it');
  await expect(check(page, 'Backups')).toContainText('Set BACKUP_TO and');
  await expect(check(page, 'Search')).toContainText('The search has all laptops.');
});

test('a check keeps the focus of its button, which does nothing meanwhile, and the page’s own refetch does not show', {
  tag: '@long',
}, async ({ page }) => {
  await startSessionOf(page, 'admin@coomercio.example');
  await page.clock.install();
  await page.goto('/dashboard/health');
  const again = page.getByRole('button', { name: 'Check again' });
  await again.focus();
  const checking = page.getByRole('button', { name: 'Checking' });
  const answers: (() => void)[] = [];
  await page.route('**/api/health', async (route) => {
    await new Promise<void>((answer) => answers.push(answer));
    await route.continue();
  });
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return answers.length;
    })
    .toBe(1);
  await expect(again).toBeFocused();
  answers[0]?.();
  await page.clock.runFor(1_000);

  await again.press('Enter');
  await expect(checking).toBeFocused();
  await expect(checking).toBeDisabled();
  await expect.poll(() => answers.length).toBe(2);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  answers[1]?.();
  await expect(again).toBeFocused();
  expect(answers).toHaveLength(2);
});

const broken: Health = {
  checkedAt: '2026-11-23T08:00:00.000Z',
  state: 'broken',
  checks: [
    {
      subject: 'email',
      state: 'broken',
      finding: `The mail server failed: connect ECONNREFUSED ${'a'.repeat(80)}.example:465`,
      advice: 'See whether SMTP_URL is right and the mail server runs.',
      figures: [],
    },
  ],
};

test('what does not work comes first, then what needs a look', { tag: '@long' }, async ({ page }) => {
  await startSessionOf(page, 'admin@coomercio.example');
  const part = (subject: string, state: string) => ({
    subject,
    state,
    finding: 'Found.',
    advice: null,
    figures: [],
  });
  await page.route('**/api/health', (route) =>
    route.fulfill({
      json: {
        ...broken,
        checks: [
          part('shop', 'fine'),
          part('database', 'look'),
          part('jobs', 'fine'),
          part('backups', 'broken'),
          part('email', 'look'),
        ],
      },
    }),
  );
  await page.goto('/dashboard/health');
  await expect(page.getByRole('main').getByRole('listitem').getByRole('heading')).toHaveText([
    'Backups',
    'Database',
    'Email',
    'Shop',
    'Jobs',
  ]);
});

for (const width of [390, 768, 1440]) {
  test(`a broken part at ${width} px says what to do, and the page asks again`, { tag: '@long' }, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await startSessionOf(page, 'admin@coomercio.example');
    let answer = broken;
    await page.route('**/api/health', (route) => route.fulfill({ json: answer }));
    await page.goto('/dashboard/health');
    const main = page.getByRole('main');
    await expect(main.getByRole('status')).toHaveText('Something does not work');
    await expect(check(page, 'Email')).toContainText('Broken');
    await expect(check(page, 'Email')).toContainText('See whether SMTP_URL is right');
    await expectNoOverflow(page);
    answer = { ...broken, state: 'fine', checks: [] };
    await main.getByRole('button', { name: 'Check again' }).press('Enter');
    await expect(main.getByRole('status')).toHaveText('Everything works');
  });
}

test.describe('a check that cannot be loaded', () => {
  test.use({ expectedConsoleErrors: /status of 503/ });

  test('says so, and is asked for again', { tag: '@long' }, async ({ page }) => {
    await startSessionOf(page, 'admin@coomercio.example');
    let isAway = true;
    await page.route('**/api/health', (route) =>
      isAway
        ? route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            json: {
              title: 'Away',
              status: 503,
              detail: 'The database is away.',
              code: 'database_unavailable',
            },
          })
        : route.fulfill({ json: broken }),
    );
    await page.goto('/dashboard/health');
    const alert = page.getByRole('alert').filter({ hasText: 'We could not load the shop’s health' });
    await expect(alert).toContainText('The database is away.');
    isAway = false;
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(check(page, 'Email')).toContainText('Broken');
  });
});
