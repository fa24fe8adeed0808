import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import axeCore from 'axe-core';
import { expect } from '#tests/harness/platform/browser.ts';
import { expectLoaded } from './actions.ts';

/** The rules about colours, which are all that changes with the theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** axe, which parses each colour once instead of at each element: with the theme's colours in OKLCH that was a third of its time. */
const axeSource = `${axeCore.source}
{
  const { Color } = axe.commons.color;
  const { parseString } = Color.prototype;
  const parsed = new Map();
  Color.prototype.parseString = function (text) {
    if (!parsed.has(text)) parsed.set(text, parseString.call(new Color(), text));
    const { r, g, b, alpha } = parsed.get(text);
    return Object.assign(this, { r, g, b, alpha });
  };
}`;

/** Waits for the transitions of colours, such as between the themes. A cancelled one has ended as well. */
const endTransitions = (page: Page) =>
  page.evaluate(async () => {
    // A transition begins with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const running = document
      .getAnimations()
      .filter((animation) => animation instanceof CSSTransition)
      // In a closed <details> they never end.
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility());
    await Promise.allSettled(running.map(({ finished }) => finished));
  });

/**
 * Runs axe on a page.
 * @param rules the only rules to check; by default all WCAG A and AA rules and best practices
 * @returns one line per violation
 */
export async function findAxeViolations(page: Page, rules?: string[]): Promise<string[]> {
  await endTransitions(page);
  // Without details of the checks that passed and without selectors, which take most of the time on a large page.
  const axe = new AxeBuilder({ page, axeSource }).options({
    resultTypes: ['violations'],
    selectors: false,
    // WCAG 2.5.3, which axe leaves out by default as experimental.
    ...(rules === undefined && { rules: { 'label-content-name-mismatch': { enabled: true } } }),
  });
  // Legacy mode saves a second page, and skips only cross-origin frames.
  axe.setLegacyMode(page.frames().length === 1);
  const { violations } = await (rules === undefined ? axe.withTags(tags) : axe.withRules(rules)).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

type Theme = 'light' | 'dark';

export const allThemes: readonly Theme[] = ['light', 'dark'];

/** Those of the journeys. */
const themes: readonly Theme[] = process.env.ALL_LAYOUTS === undefined ? ['light'] : allThemes;

/** Those in which each page of the dashboard is visited: `npm test` leaves out the one in which the journeys check them. */
export const themesOfDashboard: readonly Theme[] =
  process.env.ALL_LAYOUTS === undefined ? ['dark'] : allThemes;

/**
 * Checks what is open, such as a dialog, in themes, which follow the system's setting, and leaves the default one. In the first
 * one all rules are checked, in another one those about colours.
 */
export async function expectNoViolationsInThemes(page: Page, checked = themes): Promise<void> {
  for (const colorScheme of checked) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === checked[0] ? undefined : colorRules;
    expect(await findAxeViolations(page, rules), `${page.url()}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

/** Checks a page in themes, when it is loaded. No dialog may be open. */
export async function expectNoViolations(page: Page, checked = themes): Promise<void> {
  await expectLoaded(page);
  // Further down, the navigation bar would cover controls.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectNoViolationsInThemes(page, checked);
}
