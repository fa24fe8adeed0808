import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { keys, startTestSandbox } from '@coomercio/card-sandbox/testing';
import { chromium } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium } from '#tests/harness/platform/chromium.ts';

/** The names of all events that Stripe's React wrapper registers, read from its code. */
async function wrapperEvents(): Promise<string[]> {
  const code = await readFile(fileURLToPath(import.meta.resolve('@stripe/react-stripe-js')), 'utf8');
  return [...code.matchAll(/useAttachEvent\(element, ["'](\w+)["']/g)].map(([, name = '']) => name);
}

test('the card element takes a listener for every event that Stripe’s React wrapper registers', {
  tags: 'long',
}, async () => {
  const names = await wrapperEvents();
  expect(names).toContain('loaderstart');
  expect(names.length).toBeGreaterThan(10);

  const { origin } = await startTestSandbox();
  const { executablePath, args, env } = await findChromium();
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args: [...args, ...root], ...(env && { env }) });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.route(`${origin}/shop`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><div id="card"></div><script src="/stripe.js"></script>',
    }),
  );
  await page.goto(`${origin}/shop`);
  const heard = await page.evaluate(
    ({ names: all, key }) =>
      new Promise<string[]>((resolve) => {
        const element = window.Stripe?.(key).elements().create('card');
        if (element === undefined) return resolve(['no Stripe']);
        // The types list only this element's events; the wrapper registers any event that its caller passes.
        const registered: string[] = [];
        for (const name of all) {
          Reflect.apply(element.on, element, [name, () => name === 'ready' && resolve(registered)]);
          registered.push(name);
        }
        element.mount('#card');
      }),
    { names, key: keys.publishableKey },
  );
  expect(heard).toEqual(names);
});
