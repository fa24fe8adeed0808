import { writeFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { demoPassword } from '#demo/accounts.ts';
import { type PersonName, people } from './views.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The widths of a phone, a tablet and a desk, each with the height of its window, in CSS pixels. */
export const windows = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
] as const;
export type Window = (typeof windows)[number];

/** Longer pages are cropped at this height, in CSS pixels. */
const LONGEST = 3200;

/** A browser window of one person, signed in. */
export async function openAs(browser: Browser, person: PersonName, origin: string): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US' });
  const email = people[person];
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
    for (let place = 0; place < end; place += innerHeight) {
      scrollTo(0, place);
      await frame();
    }
    scrollTo(0, 0);
    await frame();
    await document.fonts.ready;
    const near = [...document.images].filter((image) => image.getBoundingClientRect().top < end);
    await Promise.all(
      near.map(async (image) => {
        // Painted with everything else, instead of a moment after it.
        image.decoding = 'sync';
        // In another window another width of the photo is wanted, and what was asked for before is given up.
        for (let tries = 0; tries < 100; tries += 1) {
          const there = await image.decode().then(
            () => true,
            () => false,
          );
          if (there) return;
          await frame();
        }
      }),
    );
    await frame();
  }, height);
}

/**
 * Takes a screenshot of a page in its current state.
 * @param whole also what lies below the window
 * @returns a WebP picture
 */
export async function photograph(page: Page, window: Window, theme: Theme, whole: boolean): Promise<Buffer> {
  await page.setViewportSize(window);
  await page.emulateMedia({ colorScheme: theme });
  await waitForImages(page, whole ? LONGEST : window.height);
  // Measured only now: in the first moment the page is as high as in the window before.
  const height = whole
    ? Math.min(LONGEST, await page.evaluate(() => document.documentElement.scrollHeight))
    : window.height;
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 90,
    captureBeyondViewport: whole,
    clip: { x: 0, y: 0, width: window.width, height, scale: 1 },
  });
  await session.detach();
  return Buffer.from(data, 'base64');
}

/** Photographs a page in all windows and both themes, without loading it anew. @returns the files by their names */
export async function photographAll(
  page: Page,
  name: string,
  whole: boolean,
  fileAt: (name: string) => string,
): Promise<string[]> {
  const written: string[] = [];
  for (const window of windows) {
    for (const theme of themes) {
      const file = `${name}-${window.width}-${theme}.webp`;
      await writeFile(fileAt(file), await photograph(page, window, theme, whole));
      written.push(file);
    }
  }
  return written;
}
