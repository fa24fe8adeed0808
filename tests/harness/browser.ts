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

/** Playwright's `test`, which also fails on console errors and exceptions in every page that a journey opens. */
export const test = base.extend<Harness & Watch>({
  expectedConsoleErrors: [null, { option: true }],

  watch: async ({ expectedConsoleErrors }, use) => {
    const problems: string[] = [];
    await use((context) => {
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
