import { type BrowserFacts, type CheckResult, checkNames } from '#contract/certification/browser-checks.ts';

/** What Chromium says on the ThinkPad of `linux-tree.ts`. */
export const sampleBrowser: BrowserFacts = {
  renderer: 'ANGLE (Intel, Mesa Intel(R) UHD Graphics (CML GT2), OpenGL 4.6)',
  memory: 16,
  screen: { width: 1536, height: 864 },
};

/** The results of a check in which everything passed, but for those given. */
export const sampleResults = (others: Partial<Record<string, CheckResult['outcome']>> = {}): CheckResult[] =>
  checkNames.map((name) => ({ name, outcome: others[name] ?? 'passed', note: null }));

/** The body of a browser check. */
export const sampleCheck = (code: string) => ({ code, results: sampleResults(), browser: sampleBrowser });
