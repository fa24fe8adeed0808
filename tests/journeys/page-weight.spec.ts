import { stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { createLaptop, createSeller, newName } from './actions.ts';

// With the home page's video.
test.use({ reducedMotion: 'no-preference' });

/** Lists the URLs and uncompressed sizes in bytes of the scripts that a page has loaded. */
function readLoadedScripts(page: Page): Promise<[address: string, bytes: number][]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, decodedBodySize }) => [name, decodedBodySize]),
  );
}

/** Sums the compressed sizes in bytes of the scripts and fonts that a page has loaded. */
function weigh(page: Page): Promise<{ scripts: number; fonts: number }> {
  return page.evaluate(() => {
    const files = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming);
    const weighed = (ending: string) =>
      files
        .filter(({ name }) => name.endsWith(ending))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { scripts: weighed('.js'), fonts: weighed('.woff2') };
  });
}

for (const path of ['/', '/laptops']) {
  test(`${path} loads at most 120 kB of scripts and 60 kB of fonts, compressed`, async ({ page }) => {
    await page.goto(path, { waitUntil: 'networkidle' });
    const { scripts, fonts } = await weigh(page);
    expect(scripts).toBeGreaterThan(50_000);
    expect(scripts).toBeLessThanOrEqual(120_000);
    expect(fonts).toBeGreaterThan(20_000);
    expect(fonts).toBeLessThanOrEqual(60_000);
  });
}

test('the font of code in texts has at most 25 kB', async () => {
  const { size } = await stat(new URL('../../web/ui/fonts/jetbrains-mono.woff2', import.meta.url));
  expect(size).toBeLessThanOrEqual(25_000);
});

test('a visitor’s page of a laptop loads at most 120 kB of scripts, compressed', async ({ page }) => {
  const name = newName('Aspire');
  const id = await createLaptop(await createSeller(), { name });
  await page.goto(`/laptop/${id}`, { waitUntil: 'networkidle' });
  const { scripts } = await weigh(page);
  expect(scripts).toBeGreaterThan(50_000);
  expect(scripts).toBeLessThanOrEqual(120_000);
});

test('the home page fetches its scripts after the first paint', { tag: '@long' }, async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    fetched: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime }) => startTime),
  }));
  expect(fetched.length).toBeGreaterThan(3);
  expect(Math.min(...fetched)).toBeGreaterThanOrEqual(painted);
});

test('the blog loads less than 6 kB of its own scripts', { tag: '@long' }, async ({ page, openVisitor }) => {
  const elsewhere = await openVisitor();
  await elsewhere.goto('/login', { waitUntil: 'networkidle' });
  const common = new Set((await readLoadedScripts(elsewhere)).map(([address]) => address));
  await page.goto('/blog', { waitUntil: 'networkidle' });
  const own = (await readLoadedScripts(page)).filter(([address]) => !common.has(address));
  expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(6_000);
});

test('the video is not fetched in data saver mode', { tag: '@long' }, async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible();
  expect(fetched.filter((url) => /hero-loop.*\.(webm|mp4)/.test(url))).toEqual([]);
  expect(fetched.filter((url) => /hero-loop-poster.*\.avif/.test(url))).toHaveLength(1);
});
