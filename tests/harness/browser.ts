import { type BrowserContext, test as base, type Page } from '@playwright/test';

interface Harness {
  /**
   * Console errors that a journey provokes on purpose, such as the browser's own line about a refused call.
   * Any other fails the test, as does an exception on a page.
   */
  expectedConsoleErrors: RegExp | null;
  /** Opens a page of another person: with its own cookies and storage, watched like the test's own. */
  openVisitor: () => Promise<Page>;
}

interface Watch {
  watch: (context: BrowserContext) => void;
}

/** Playwright's own `goto` of each page. */
const gotos = new WeakMap<Page, Page['goto']>();

/** Opens a page and returns once its document begins to arrive, for what people do at once: before the application runs. */
export async function gotoAtOnce(page: Page, path: string): Promise<void> {
  const goto = gotos.get(page);
  if (goto === undefined) throw new Error('The page was not opened by this test.');
  await goto(path, { waitUntil: 'commit' });
}

/**
 * Keeps the application's scripts back, as a slow line does.
 * @returns lets them arrive, and resolves once the application runs
 */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
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
 * Has the page's `goto` and `reload` end once its application runs. Its words are there before, and links lead on
 * by whole documents meanwhile; what a journey tries is the application.
 */
function awaitApplication(page: Page): void {
  const goto = page.goto.bind(page);
  gotos.set(page, goto);
  const reload = page.reload.bind(page);
  // A page of the shop's that has scripts names its routes in the document; the router is there once they run.
  const started = () =>
    page.waitForFunction(() => !('__reactRouterContext' in window) || '__reactRouterDataRouter' in window);
  page.goto = async (...where) => {
    const response = await goto(...where);
    await started();
    return response;
  };
  page.reload = async (...how) => {
    const response = await reload(...how);
    await started();
    return response;
  };
}

/** Playwright's `test`, which waits for the application to run, and fails on console errors and exceptions in every page that a journey opens. */
export const test = base.extend<Harness & Watch>({
  expectedConsoleErrors: [null, { option: true }],

  watch: async ({ expectedConsoleErrors }, use) => {
    const problems: string[] = [];
    await use((context) => {
      context.on('page', awaitApplication);
      context.on('console', (message) => {
        if (message.type() !== 'error') return;
        const line = `${message.text()} (${message.location().url})`;
        if (expectedConsoleErrors?.test(line) !== true) problems.push(`console: ${line}`);
      });
      context.on('weberror', (error) => {
        const { stack, message } = error.error();
        problems.push(`exception: ${stack ?? message}`);
      });
    });
    expect(problems, 'errors in the pages of this journey').toEqual([]);
  },

  context: async ({ context, watch }, use) => {
    watch(context);
    await use(context);
  },

  openVisitor: async ({ browser, watch, contextOptions, baseURL, viewport }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({
        ...contextOptions,
        ...(baseURL === undefined ? {} : { baseURL }),
        viewport: viewport ?? null,
      });
      opened.push(context);
      watch(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
});

export const expect = test.expect;
