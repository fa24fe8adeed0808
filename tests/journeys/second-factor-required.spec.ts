import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { TOKEN_KEY } from '#contract/people/accounts.ts';
import { runCommand, type ServerProcess, startServer } from '#tests/harness/operations/server-process.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { test as base, expect } from '#tests/harness/platform/browser.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { newEmail } from './actions.ts';
import { setUpAuthenticator, totpCode } from './authenticator.ts';
import { findAxeViolations } from './axe.ts';

const Emails = z.array(z.object({ subject: z.string() }));

interface OwnShop {
  running: ServerProcess;
  environment: Record<string, string> & { PORT: string; COOMERCIO_DATA: string };
}

/** Differs from the other journeys' password: without demo data, passwords with the shop's name are rejected. */
const password = 'Kettle#9Marble';

async function signIn(page: Page, email: string) {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Uses a separate shop, in which a second factor is demanded. */
const test = base.extend<{ baseURL: string }, { own: OwnShop }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures a fixture needs off this pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'coomercio-factor-'));
      // As root, PostgreSQL runs as another user, which needs access.
      await chmod(folder, 0o755);
      const port = await freeShopPort();
      const environment = {
        PORT: String(port),
        SANDBOX_PORT: String(port + 1),
        COOMERCIO_DATA: join(folder, 'data'),
        DEMO: '0',
      };
      const running = await startServer(environment);
      await use({ running, environment });
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: ({ own }, use) => use(`http://localhost:${own.environment.PORT}`),
});

// 401: the command line ends the admin's sessions.
test.use({ expectedConsoleErrors: /status of 40[13]/ });

test('who has the link of a new shop becomes its admin, must set up a second factor first, and the command line resets a lost one', {
  tag: '@long',
}, async ({ page, openVisitor, own: { environment, running } }) => {
  test.setTimeout(120_000);
  const email = newEmail('amy');
  const link = () => runCommand('server/operations/commands/admin.ts', ['owner-link'], environment);
  await page.goto((await link()).stdout.trim());
  await expect(page.getByText('Register to become the owner of this shop.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Amy Admin');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page.getByText('User created successfully')).toBeVisible();
  await page.getByRole('button', { name: 'Become the owner' }).click();
  await expect(page.getByRole('heading', { name: 'Coomercio is yours' })).toBeVisible();
  expect(await link()).toMatchObject({ code: 1, stderr: expect.stringContaining('has an admin') });
  await page.getByRole('link', { name: 'Go to the first steps' }).click();
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();

  const file = join(environment.COOMERCIO_DATA, 'second-factor.yaml');
  await writeFile(file, 'settings:\n  secondFactor: [owners, staff]\n');
  const setUp = await runCommand(
    'server/operations/commands/admin.ts',
    ['setup', '--file', file],
    environment,
  );
  expect(setUp).toMatchObject({ code: 0 });

  await page.goto('/dashboard/allSellers');
  await expect(page.getByRole('heading', { name: 'A second factor first' })).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
  expect(await findAxeViolations(page)).toEqual([]);
  for (const path of ['allBuyers', 'reportedItems', 'auditTrail']) {
    await expect(page.getByRole('navigation').locator(`a[href$="${path}"]`)).toHaveCount(0);
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { name: 'A second factor first' })).toBeVisible();
  }
  const listStatus = async () => {
    const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
    const answer = await fetch(`${running.origin}/api/sellers`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.status;
  };
  expect(await listStatus()).toBe(403);

  await page.getByRole('link', { name: 'Set one up on your account page' }).click();
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeVisible();
  const { key } = await setUpAuthenticator(page, password);
  await page.getByRole('link', { name: 'Audit Trail' }).click();
  await expect(page.getByRole('row').filter({ hasText: email })).toContainText('Made admin');
  await expect.poll(listStatus).toBe(200);

  const phone = await openVisitor();
  await phone.goto('/dashboard/allSellers');
  await signIn(phone, email);
  await phone.getByRole('textbox', { name: 'Code' }).fill(totpCode(key, 1));
  await phone.getByRole('button', { name: 'Continue' }).click();
  await expect(phone.getByRole('heading', { name: 'All Sellers' })).toBeVisible();

  const nobody = await runCommand(
    'server/operations/commands/admin.ts',
    ['reset-second-factor', 'nobody@people.example'],
    environment,
  );
  expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody signs in with') });
  const reset = await runCommand(
    'server/operations/commands/admin.ts',
    ['reset-second-factor', email],
    environment,
  );
  expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining('no second factor any more') });
  const inbox = `http://127.0.0.1:${Number(environment.PORT) + 3}`;
  await expect
    .poll(async () => {
      const answer = await fetch(`${inbox}/messages.json?to=${encodeURIComponent(email)}`);
      return Emails.parse(await answer.json()).map(({ subject }) => subject);
    })
    .toContain('Your second factor was reset');

  const again = await openVisitor();
  await again.goto('/dashboard/auditTrail');
  await signIn(again, email);
  await expect(again.getByRole('heading', { name: 'A second factor first' })).toBeVisible();
  await again.getByRole('link', { name: 'Set one up on your account page' }).click();
  await setUpAuthenticator(again, password);
  await again.getByRole('link', { name: 'Audit Trail' }).click();
  await expect(again.getByRole('row').filter({ hasText: 'Reset second factor' })).toContainText(email);
});

test('the command line reports that the shop must run', { tag: '@long' }, async ({
  own: { environment },
}) => {
  const { code, stderr } = await runCommand(
    'server/operations/commands/admin.ts',
    ['reset-second-factor', 'amy@people.example'],
    {
      ...environment,
      PORT: String(await freePorts(1)),
      PUBLIC_ORIGIN: `http://localhost:${environment.PORT}`,
    },
  );
  expect(code).toBe(1);
  expect(stderr).toContain('the shop must be running');
  expect(stderr).not.toContain('    at ');
});
