import type { BrowserCheck, CheckOutcome } from '#contract/certification/browser-checks.ts';

/** Skipped is not green: it says nothing about the part. */
export const outcomeBadges = {
  passed: { tone: 'good', text: 'Passed' },
  failed: { tone: 'bad', text: 'Failed' },
  skipped: { tone: 'neutral', text: 'Skipped' },
} as const satisfies Record<CheckOutcome, { tone: 'good' | 'bad' | 'neutral'; text: string }>;

/** How many tests passed, failed and were skipped, such as `6 passed, 1 failed, 1 skipped`. */
export function countWords(results: readonly { outcome: CheckOutcome }[]): string {
  const count = (wanted: CheckOutcome) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}

/** What the browser said about the machine, in words; only what is known. */
export function browserWords({ memory, screen }: BrowserCheck['browser']): string | null {
  const parts = [
    memory === null ? null : `about ${memory} GB of memory`,
    screen === null ? null : `a screen of ${screen.width} × ${screen.height} in the browser’s scale`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(', ');
}

/** How far the tests of a measured laptop are known to be made on it, when nothing clearly differs. */
export function comparedWords(browser: BrowserCheck['browser']): string {
  const words = browserWords(browser);
  return words === null
    ? 'The browser told nothing about the machine, so it is unknown whether it is the measured one.'
    : `The browser says: ${words}. Nothing clearly differs from the measurement; whether it is the same machine is unknown.`;
}

/** Where browser and measurement clearly differ, a sentence each. */
export const differenceWords = ({ implausibilities }: Pick<BrowserCheck, 'implausibilities'>): string[] =>
  implausibilities.map(
    ({ subject, browser, measured }) => `${subject}: the browser says ${browser}, measured ${measured}`,
  );
