import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '#tests/harness/chromium.ts';
import { median } from './measure.ts';

/** How often a page is opened: simulated figures rest on real ones, which vary with what else the machine does. */
export const VISITS = 5;

/** What Lighthouse scores, each out of 100. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof categories)[number];

/** What one visit has shown. */
interface Visit {
  scores: Record<Category, number>;
  /** Until the largest thing in the first screen is painted, in milliseconds. */
  largestPaint: number;
  /** How far things move while the page loads: the cumulative layout shift. */
  layoutShift: number;
  /** How long the page is deaf to input before it is ready, in milliseconds: the total blocking time. */
  blocked: number;
  /** What did not pass, by the title that Lighthouse gives it. */
  complaints: string[];
}

/** The medians of a page's visits, and between which values they lay. */
export interface PageQuality extends Visit {
  spread: { performance: readonly [number, number]; largestPaint: readonly [number, number] };
}

async function visit(url: string, port: number): Promise<Visit> {
  // Lighthouse's own defaults: a phone's screen, a processor four times slower, slow 4G; all of it simulated.
  const run = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...categories] });
  if (run === undefined) throw new Error(`Lighthouse has nothing to say about ${url}.`);
  const { lhr } = run;
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message);
  const figure = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const scored = new Set(
    categories.flatMap((category) =>
      (lhr.categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  );
  const score = (category: Category) => Math.round((lhr.categories[category]?.score ?? Number.NaN) * 100);
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    largestPaint: figure('largest-contentful-paint'),
    layoutShift: figure('cumulative-layout-shift'),
    blocked: figure('total-blocking-time'),
    complaints: Object.values(lhr.audits)
      .filter(({ id, score: mark }) => scored.has(id) && mark !== null && mark < 0.9)
      .map(({ title, displayValue }) => (displayValue === undefined ? title : `${title}: ${displayValue}`)),
  };
}

function summary(visits: readonly Visit[]): PageQuality {
  const middle = (read: (visit: Visit) => number) => median(visits.map(read));
  const spread = (read: (visit: Visit) => number) =>
    [Math.min(...visits.map(read)), Math.max(...visits.map(read))] as const;
  const score = (category: Category) => middle(({ scores }) => scores[category]);
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    largestPaint: middle(({ largestPaint }) => largestPaint),
    layoutShift: middle(({ layoutShift }) => layoutShift),
    blocked: middle(({ blocked }) => blocked),
    complaints: [...new Set(visits.flatMap(({ complaints }) => complaints))],
    spread: {
      performance: spread(({ scores }) => scores.performance),
      largestPaint: spread(({ largestPaint }) => largestPaint),
    },
  };
}

/**
 * Has Lighthouse look at a page as on a middling phone with slow 4G, {@link VISITS} times over, each time as on a
 * first visit, in the browser that the tests use.
 * @throws when the page cannot be opened
 */
export async function pageQuality(url: string): Promise<PageQuality> {
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
    return summary(visits);
  } finally {
    chrome.kill();
  }
}
