import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { startBootstrappedShop } from '#tests/harness/operations/bootstrapped-shop.ts';
import { findChromium } from '#tests/harness/platform/chromium.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { runWithCleanup } from '#tests/harness/platform/run-with-cleanup.ts';
import { captureScreenshot, captureScreenshots, openSignedInContext } from './capture.ts';
import { contactSheet } from './contact-sheet.ts';
import { compressPicture, readmePictures } from './readme-pictures.ts';
import { createActivity } from './shop-activity.ts';
import { type AccountName, accounts, type DemoShop, type View, views } from './views.ts';

const root = join(import.meta.dirname, '../..');
/** Ports of the shop and of its stand-ins; the mail catcher's is the fourth. */
const PORTS = 5;
/** Time limit of a run, in milliseconds. */
const RUN_TIMEOUT_MS = 8 * 60_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Starts a demo shop with activity in a temporary folder. */
async function openDemoShop(cleanup: AsyncDisposableStack): Promise<DemoShop> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-screenshots-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  const port = await freePorts(PORTS);
  const secret = randomBytes(24).toString('hex');
  const server = await startBootstrappedShop({ port, dataFolder: join(folder, 'data'), secret, demo: true });
  cleanup.defer(server.stop);
  const origin = `http://localhost:${port}`;
  return { origin, mailUrl: `http://127.0.0.1:${port + 3}`, ...(await createActivity(origin)) };
}

/** Returns a function that opens each account's browser context on first use. */
function createContexts(browser: Browser, origin: string) {
  const opened = new Map<AccountName, Promise<BrowserContext>>();
  return (account: AccountName): Promise<BrowserContext> => {
    const context = opened.get(account) ?? openSignedInContext(browser, account, origin);
    opened.set(account, context);
    return context;
  };
}

async function openView(view: View, shop: DemoShop, contextFor: ReturnType<typeof createContexts>) {
  const page = await (await contextFor(view.account)).newPage();
  await view.open(page, shop);
  return page;
}

/** Captures all views in all viewports and themes, concurrently for each account. @returns the files written */
async function captureViews(shop: DemoShop, browser: Browser, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const contextFor = createContexts(browser, shop.origin);
  const accountNames = Object.keys(accounts);
  const written = await Promise.all(
    accountNames.map(async (name) => {
      const files: string[] = [];
      for (const view of views.filter(({ account }) => account === name)) {
        const page = await openView(view, shop, contextFor);
        const fullPage = view.viewportOnly !== true;
        files.push(...(await captureScreenshots(page, view.name, fullPage, (file) => join(folder, file))));
        await page.close();
      }
      return files;
    }),
  );
  await writeFile(join(folder, 'index.html'), contactSheet(views));
  return [...written.flat(), 'index.html'].map((file) => join(folder, file));
}

/** Captures the README's pictures. @returns the files written */
async function captureReadmePictures(shop: DemoShop, browser: Browser): Promise<string[]> {
  const contextFor = createContexts(browser, shop.origin);
  const written: string[] = [];
  for (const { file, view: name, viewport, theme } of readmePictures) {
    const view = views.find((candidate) => candidate.name === name);
    if (view === undefined) throw new Error(`There is no view ${name}.`);
    const page = await openView(view, shop, contextFor);
    const path = join(root, 'docs/pictures', `${file}.webp`);
    await writeFile(path, await compressPicture(await captureScreenshot(page, viewport, theme, false)));
    written.push(path);
    await page.close();
  }
  return written;
}

async function run(cleanup: AsyncDisposableStack, readme: boolean, folder: string): Promise<void> {
  const started = performance.now();
  print('Starting a shop with demo data and activity …');
  const shop = await openDemoShop(cleanup);
  const browser = await chromium.launch({ ...(await findChromium()), chromiumSandbox: false });
  cleanup.defer(() => browser.close());
  print('Taking screenshots …');
  const files = readme
    ? await captureReadmePictures(shop, browser)
    : await captureViews(shop, browser, folder);
  for (const file of files) print(relative(process.cwd(), file));
  print(`${files.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { readme: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  await runWithCleanup({ timeoutMs: RUN_TIMEOUT_MS, name: 'The screenshots' }, (cleanup) =>
    run(cleanup, values.readme, resolve(root, positionals[0] ?? 'screenshots')),
  );
}

await main();
