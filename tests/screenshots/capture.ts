import { writeFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { demoPassword } from '#demo/accounts.ts';
import { type AccountName, accounts } from './views.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Viewports of a phone, a tablet and a desktop, in CSS pixels. */
export const viewports = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;
export type Viewport = (typeof viewports)[number];

/** Longer pages are cropped at this height, in CSS pixels. */
const MAX_HEIGHT = 3200;

/** Opens a browser context and signs in, except for the visitor. */
export async function openSignedInContext(
  browser: Browser,
  account: AccountName,
  origin: string,
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US' });
  const email = accounts[account];
  if (email === null) return context;
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByRole('button', { name: 'Sign Out' }).waitFor();
  await page.close();
  return context;
}

/** Waits for fonts and for lazily loaded images down to a height. */
async function waitForImages(page: Page, height: number): Promise<void> {
  await page.evaluate(async (end) => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let top = 0; top < end; top += innerHeight) {
      scrollTo(0, top);
      await frame();
    }
    scrollTo(0, 0);
    await frame();
    await document.fonts.ready;
    const near = [...document.images].filter((image) => image.getBoundingClientRect().top < end);
    await Promise.all(
      near.map(async (image) => {
        // Decoded images are painted in the same frame as the rest of the page.
        image.decoding = 'sync';
        // A resize selects another source of the image, which rejects a pending decode.
        for (let tries = 0; tries < 100; tries += 1) {
          const isDecoded = await image.decode().then(
            () => true,
            () => false,
          );
          if (isDecoded) return;
          await frame();
        }
      }),
    );
    await frame();
  }, height);
}

/**
 * Takes a screenshot of a page in its current state.
 * @param fullPage whether to include the page below the viewport, up to {@link MAX_HEIGHT}
 * @returns a WebP picture
 */
export async function captureScreenshot(
  page: Page,
  viewport: Viewport,
  theme: Theme,
  fullPage: boolean,
): Promise<Buffer> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: theme });
  await waitForImages(page, fullPage ? MAX_HEIGHT : viewport.height);
  // Measured after the images: right after a resize the page still has its previous height.
  const height = fullPage
    ? Math.min(MAX_HEIGHT, await page.evaluate(() => document.documentElement.scrollHeight))
    : viewport.height;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 90,
    captureBeyondViewport: fullPage,
    clip: { x: 0, y: 0, width: viewport.width, height, scale: 1 },
  });
  await session.detach();
  return Buffer.from(data, 'base64');
}

/** Captures a page in all viewports and both themes, without a reload. @returns the file names */
export async function captureScreenshots(
  page: Page,
  name: string,
  fullPage: boolean,
  fileAt: (name: string) => string,
): Promise<string[]> {
  const written: string[] = [];
  for (const viewport of viewports) {
    for (const theme of themes) {
      const file = `${name}-${viewport.width}-${theme}.webp`;
      await writeFile(fileAt(file), await captureScreenshot(page, viewport, theme, fullPage));
      written.push(file);
    }
  }
  return written;
}
