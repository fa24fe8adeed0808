import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium } from '@playwright/test';
import { startBootstrappedShop } from '#tests/harness/bootstrapped-shop.ts';
import { findChromium } from '#tests/harness/chromium.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { openAs, photograph, photographAll } from './capture.ts';
import { contactSheet } from './contact-sheet.ts';
import { compressPicture, readmePictures } from './readme-pictures.ts';
import { createActivity } from './shop-activity.ts';
import { type PersonName, people, type Scene, type View, views } from './views.ts';

const root = join(import.meta.dirname, '../..');
/** Ports of the shop and of its stand-ins; the mail catcher's is the fourth. */
const PORTS = 5;
/** Milliseconds after which something is wrong. */
const LONGEST_RUN = 8 * 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A filled shop in a folder that goes with it, and somebody who has lived in it. */
async function openScene(cleanup: AsyncDisposableStack): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-screenshots-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  // The user to whom root lends PostgreSQL has to get in.
  await chmod(folder, 0o755);
  const port = await freePorts(PORTS);
  const secret = randomBytes(24).toString('hex');
  const shop = await startBootstrappedShop({ port, dataFolder: join(folder, 'data'), secret, demo: true });
  cleanup.defer(shop.stop);
  const origin = `http://localhost:${port}`;
  return { origin, mailUrl: `http://127.0.0.1:${port + 3}`, ...(await createActivity(origin)) };
}

/** Each person in a window of their own, signed in when first asked for. */
function windowsOf(browser: Browser, origin: string) {
  const opened = new Map<PersonName, Promise<BrowserContext>>();
  return (person: PersonName): Promise<BrowserContext> => {
    const context = opened.get(person) ?? openAs(browser, person, origin);
    opened.set(person, context);
    return context;
  };
}

async function openView(view: View, scene: Scene, windowOf: ReturnType<typeof windowsOf>) {
  const page = await (await windowOf(view.as)).newPage();
  await view.open(page, scene);
  return page;
}

/** All views in all windows and themes, the persons side by side. @returns the files written */
async function photographViews(scene: Scene, browser: Browser, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const windowOf = windowsOf(browser, scene.origin);
  const persons = Object.keys(people);
  const written = await Promise.all(
    persons.map(async (person) => {
      const files: string[] = [];
      for (const view of views.filter(({ as }) => as === person)) {
        const page = await openView(view, scene, windowOf);
        const whole = view.window !== true;
        files.push(...(await photographAll(page, view.name, whole, (name) => join(folder, name))));
        await page.close();
      }
      return files;
    }),
  );
  await writeFile(join(folder, 'index.html'), contactSheet(views));
  return [...written.flat(), 'index.html'].map((file) => join(folder, file));
}

/** @returns the files written */
async function photographForReadme(scene: Scene, browser: Browser): Promise<string[]> {
  const windowOf = windowsOf(browser, scene.origin);
  const written: string[] = [];
  for (const { file, view: name, window, theme } of readmePictures) {
    const view = views.find((candidate) => candidate.name === name);
    if (view === undefined) throw new Error(`There is no view ${name}.`);
    const page = await openView(view, scene, windowOf);
    const path = join(root, 'docs/pictures', `${file}.webp`);
    await writeFile(path, await compressPicture(await photograph(page, window, theme, false)));
    written.push(path);
    await page.close();
  }
  return written;
}

async function run(cleanup: AsyncDisposableStack, readme: boolean, folder: string): Promise<void> {
  const started = performance.now();
  say('Opening a shop with demo data, and living in it …');
  const scene = await openScene(cleanup);
  const browser = await chromium.launch({ ...(await findChromium()), chromiumSandbox: false });
  cleanup.defer(() => browser.close());
  say('Photographing …');
  const files = readme
    ? await photographForReadme(scene, browser)
    : await photographViews(scene, browser, folder);
  for (const file of files) say(relative(process.cwd(), file));
  say(`${files.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { readme: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const cleanup = new AsyncDisposableStack();
  let stopping = false;
  const stop = (code: number, reason?: unknown) => {
    if (stopping) return;
    stopping = true;
    if (reason !== undefined) console.error(reason);
    cleanup.disposeAsync().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop(130));
  process.on('SIGTERM', () => stop(143));
  setTimeout(() => stop(1, 'The pictures took too long.'), LONGEST_RUN).unref();
  try {
    await run(cleanup, values.readme, resolve(root, positionals[0] ?? 'screenshots'));
    stop(0);
  } catch (error) {
    stop(1, error);
  }
}

await main();
