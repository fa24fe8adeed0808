import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { thinkpad, writeTree } from '#server/certification/inspections/testing/linux-tree.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, expectNoOverflow, newEmail, newName, startSession } from './actions.ts';
import { findAxeViolations } from './axe.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../inspect/linux.sh');

test.use({ expectedConsoleErrors: /status of 422/ });

test('a seller measures a laptop that has no network: the script writes a file, which the page takes', {
  tag: '@long',
}, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const session = await startSession(page, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  const laptopId = await createLaptop(session, { name: newName('ThinkPad T14') });
  await page.goto(`/dashboard/measure/${laptopId}`);
  await page.getByRole('button', { name: 'Get a code' }).click();
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await expect(page.getByText('The command is copied.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Test the laptop in its browser',
    'Let the laptop report its parts',
    'See the report here',
  ]);
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain('sudo sh measure.sh');
  await expect(
    page.getByText(/^sudo asks for your password\. .* the memory only a lower bound/),
  ).toBeVisible();
  const code = command.split(' ').at(-1) ?? '';

  const folder = await writeTree(thinkpad);
  try {
    await run('sh', [script, new URL(page.url()).origin, code, '--file'], {
      cwd: folder,
      env: { PATH: process.env.PATH, INSPECT_ROOT: folder },
    });
    await page.getByText('No network on that laptop?').click();
    await page.getByLabel('Choose the file that it wrote').setInputFiles(join(folder, 'laptop-report.txt'));
    const measured = page.getByRole('region', { name: 'What was measured' });
    await expect(measured).toContainText('ThinkPad T14 Gen 1');
    await expect(measured).toContainText('89 % of its capacity when new');
    await expect(measured).toContainText('PF3…DE');
    await expect(measured).not.toContainText('PF3ABCDE');
    // The sample laptop is listed with another processor.
    await expect(measured.getByRole('alert')).toContainText(
      'listed as Intel Core i5-1145G7, measured Intel(R) Core(TM) i5-10310U',
    );
    await expect(measured).toContainText('Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz');
    await expect(measured).toContainText('Contradicted by the measurement');
    await expect(measured).toContainText('2 × 8 GB DDR4 at 2667 MT/s');
    await page.setViewportSize({ width: 390, height: 900 });
    await expectNoOverflow(page);
    expect(await findAxeViolations(page)).toEqual([]);

    await page.getByLabel('Choose the file that it wrote').setInputFiles(join(folder, 'laptop-report.txt'));
    await expect(page.getByText('The code of this report was used already')).toBeVisible();

    await page.getByRole('button', { name: 'Get another code' }).click();
    // By count: the code stands in two places, and `toBeHidden` refuses two elements.
    await expect(page.getByText(code)).toHaveCount(0);
    const anotherCode = await page.getByText(/^(?:[0-9A-Z]{4}-){2}[0-9A-Z]{4}$/).textContent();
    const report = await readFile(join(folder, 'laptop-report.txt'), 'utf8');
    await page.getByLabel('Choose the file that it wrote').setInputFiles({
      name: 'laptop-report.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(report.replace(code, anotherCode ?? '').replace('PF3ABCDE', '7XK2PQ3M')),
    });
    await expect(measured).toContainText('7XK…3M');
    await expect(measured.getByRole('alert').first()).toContainText('this is another laptop');
  } finally {
    await rm(folder, { recursive: true });
  }
});
