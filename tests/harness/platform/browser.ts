import { type BrowserContext, test as base, type Page } from '@playwright/test';

interface Harness {
  /**
   * Console errors that a test expects, such as the browser's line about a refused request. Other console errors and
   * exceptions fail the test.
   */
  expectedConsoleErrors: RegExp | null;
  /** Opens a page in another browser context, for another person. Its errors fail the test as well. */
  openVisitor: () => Promise<Page>;
}

interface ErrorCollection {
  collectErrors: (context: BrowserContext) => void;
}

/** Playwright's original `goto` of each page. */
const originalGotos = new WeakMap<Page, Page['goto']>();

/** Opens a page and returns when its document starts to arrive, before hydration. */
export async function gotoBeforeHydration(page: Page, path: string): Promise<void> {
  const goto = originalGotos.get(page);
  if (goto === undefined) throw new Error('The page was not opened by this test.');
  await goto(path, { waitUntil: 'commit' });
}

/**
 * Blocks the application's scripts, as a slow connection does.
 * @returns unblocks them and waits for hydration
 */
export async function blockScripts(page: Page): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.waitForFunction(() => '__reactRouterDataRouter' in window);
  };
}

/**
 * Makes the page's `setViewportSize` wait for the layout of the new size. Until the next frame, media queries are those of the
 * old one.
 */
function waitForLayout(page: Page): void {
  const setViewportSize = page.setViewportSize.bind(page);
  page.setViewportSize = async (size) => {
    await setViewportSize(size);
    await page.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await nextFrame();
      await nextFrame();
    });
  };
}

/**
 * Makes the page's `goto` and `reload` wait for hydration. Before it, links load whole documents instead of
 * navigating in the application.
 */
function waitForHydration(page: Page): void {
  const goto = page.goto.bind(page);
  originalGotos.set(page, goto);
  const reload = page.reload.bind(page);
  // The document of a page with scripts defines the context; the running application defines the router. React marks an element
  // once it has hydrated what is in it.
  const isHydrated = () =>
    page.waitForFunction(
      () =>
        !('__reactRouterContext' in window) ||
        ('__reactRouterDataRouter' in window &&
          Object.keys(document.body).some((key) => key.startsWith('__reactProps'))),
    );
  page.goto = async (...args) => {
    const response = await goto(...args);
    await isHydrated();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await isHydrated();
    return response;
  };
}

/** A request that a handler of a route still fetches when the test ends is no error of the test. */
async function endRoutes(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/**
 * The stream of changes ends with its session. The page opens it once more, and is told by the refusal that the session has ended,
 * in any test in which a session ends.
 */
const endedStream = /status of 40[13] .*\/api\/live\)$/;

/** Playwright's `test` with pages that wait for hydration. Console errors and exceptions on any page fail the test. */
export const test = base.extend<Harness & ErrorCollection>({
  expectedConsoleErrors: [null, { option: true }],

  collectErrors: async ({ expectedConsoleErrors, javaScriptEnabled }, use) => {
    const problems: string[] = [];
    await use((context) => {
      context.on('page', waitForHydration);
      // Without scripts there is no call back for a frame.
      if (javaScriptEnabled !== false) context.on('page', waitForLayout);
      context.on('console', (message) => {
        if (message.type() !== 'error') return;
        const line = `${message.text()} (${message.location().url})`;
        const isExpected = endedStream.test(line) || expectedConsoleErrors?.test(line) === true;
        if (!isExpected) problems.push(`console: ${line}`);
      });
      context.on('weberror', (error) => {
        const { stack, message } = error.error();
        problems.push(`exception: ${stack ?? message}`);
      });
    });
    expect(problems, 'console errors and exceptions').toEqual([]);
  },

  context: async ({ context, collectErrors }, use) => {
    collectErrors(context);
    await use(context);
    await endRoutes(context);
  },

  openVisitor: async ({ browser, collectErrors, contextOptions, baseURL, viewport, reducedMotion }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({
        ...contextOptions,
        ...(baseURL === undefined ? {} : { baseURL }),
        viewport: viewport ?? null,
        reducedMotion: reducedMotion ?? null,
      });
      opened.push(context);
      collectErrors(context);
      return context.newPage();
    });
    for (const context of opened) {
      await endRoutes(context);
      await context.close();
    }
  },
});

export const expect = test.expect;
