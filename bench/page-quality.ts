import { chromium } from '@playwright/test';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '#tests/harness/platform/chromium.ts';
import { median } from './measure.ts';

/** Visits per page. Simulated results vary with the load of the machine. */
export const VISITS = 5;

/** Lighthouse's categories, each scored from 0 to 100. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

/** The results of one visit. */
interface Visit {
  scores: Record<Category, number>;
  /** Largest contentful paint, in milliseconds. */
  largestPaint: number;
  /** Cumulative layout shift. */
  layoutShift: number;
  /** Total blocking time, in milliseconds. */
  blocked: number;
  /** Titles of the failed audits. */
  failedAudits: string[];
}

/** The medians of a page's visits, with the lowest and highest values of two of them. */
export interface PageQuality extends Visit {
  spread: { performance: readonly [number, number]; largestPaint: readonly [number, number] };
}

const scoresBy = (score: (category: Category) => number): Visit['scores'] => ({
  performance: score('performance'),
  accessibility: score('accessibility'),
  'best-practices': score('best-practices'),
  seo: score('seo'),
});

async function visit(url: string, port: number): Promise<Visit> {
  // Lighthouse's own defaults: a phone's screen, a processor four times slower, slow 4G; all of it simulated.
  const run = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...categories] });
  if (run === undefined) throw new Error(`Lighthouse returned no result for ${url}.`);
  const { lhr } = run;
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message);
  const numericValue = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const scored = new Set(
    categories.flatMap((category) =>
      (lhr.categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  );
  const score = (category: Category) => Math.round((lhr.categories[category]?.score ?? Number.NaN) * 100);
  return {
    scores: scoresBy(score),
    largestPaint: numericValue('largest-contentful-paint'),
    layoutShift: numericValue('cumulative-layout-shift'),
    blocked: numericValue('total-blocking-time'),
    failedAudits: Object.values(lhr.audits)
      .filter(({ id, score: value }) => scored.has(id) && value !== null && value < 0.9)
      .map(({ title, displayValue }) => (displayValue === undefined ? title : `${title}: ${displayValue}`)),
  };
}

function summarize(visits: readonly Visit[]): PageQuality {
  const medianOf = (read: (visit: Visit) => number) => median(visits.map(read));
  const spread = (read: (visit: Visit) => number) =>
    [Math.min(...visits.map(read)), Math.max(...visits.map(read))] as const;
  const score = (category: Category) => medianOf(({ scores }) => scores[category]);
  return {
    scores: scoresBy(score),
    largestPaint: medianOf(({ largestPaint }) => largestPaint),
    layoutShift: medianOf(({ layoutShift }) => layoutShift),
    blocked: medianOf(({ blocked }) => blocked),
    failedAudits: [...new Set(visits.flatMap(({ failedAudits }) => failedAudits))],
    spread: {
      performance: spread(({ scores }) => scores.performance),
      largestPaint: spread(({ largestPaint }) => largestPaint),
    },
  };
}

/**
 * Audits a page with Lighthouse, {@link VISITS} times as a first visit on a mid-range phone with slow 4G, in the tests'
 * browser.
 * @throws Error if the page cannot be opened
 */
export async function auditPage(url: string): Promise<PageQuality> {
  const { executablePath, args, env } = await findChromium();
  const chrome = await launch({
    chromePath: executablePath,
    chromeFlags: [...args, '--headless=new', '--no-sandbox'],
    ...(env && { envVars: env }),
    logLevel: 'silent',
  });
  try {
    const visits: Visit[] = [];
    while (visits.length < VISITS) visits.push(await visit(url, chrome.port));
    return summarize(visits);
  } finally {
    chrome.kill();
  }
}

/** The transfer of a first visit: requests, and compressed body bytes by resource type. */
export interface Transfer {
  requests: number;
  bytes: Map<string, number>;
}

/** Loads a page in a browser with an empty cache. */
export async function measureFirstVisit(url: string): Promise<Transfer> {
  const browser = await chromium.launch({ ...(await findChromium()), chromiumSandbox: false });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const kinds = new Map<string, string>();
    const bytes = new Map<string, number>();
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? 'Other';
      bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    return { requests: kinds.size, bytes };
  } finally {
    await browser.close();
  }
}
