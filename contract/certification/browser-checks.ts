import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Acknowledged, Id, line, listOf } from '#contract/platform/scalars.ts';

/** The tests of a browser check, in the order in which the page offers them. */
export const checkNames = [
  'keyboard',
  'touchpad',
  'deadPixels',
  'camera',
  'microphone',
  'touch',
  'refreshRate',
  'graphics',
] as const;
export const CheckName = z.enum(checkNames);
export type CheckName = z.infer<typeof CheckName>;

export const checkLabels = {
  keyboard: 'Keyboard',
  touchpad: 'Touchpad',
  deadPixels: 'Dead pixels',
  camera: 'Camera',
  microphone: 'Microphone and speakers',
  touch: 'Touch screen',
  refreshRate: 'Refresh rate',
  graphics: 'Graphics',
} as const satisfies Record<CheckName, string>;

/** `skipped` says nothing about the part, and is never shown as good. */
export const CheckOutcome = z.enum(['passed', 'failed', 'skipped']);
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** The maximum length of a note, in characters. */
export const MAXIMUM_NOTE = 160;

export const CheckResult = z.object({
  name: CheckName,
  outcome: CheckOutcome,
  /** What the test or the person adds, such as `60 Hz`; null for nothing. */
  note: z.nullable(line(MAXIMUM_NOTE, 'Leave an empty note out')),
});
export type CheckResult = z.infer<typeof CheckResult>;

const pixels = z
  .int({ error: 'A screen has whole pixels' })
  .check(z.minimum(1, { error: 'A screen has pixels' }), z.maximum(20_000, { error: 'This is too large' }));

/** What the browser says about the machine. Each value is null when it is unknown. */
export const BrowserFacts = z.object(
  {
    /** WebGL's `UNMASKED_RENDERER_WEBGL`. */
    renderer: z.nullable(line(200, 'This must be a text')),
    /** Gigabytes, rounded by the browser to a power of two; Chromium says at most 8 or 32. */
    memory: z.nullable(
      z
        .number({ error: 'This must be a number' })
        .check(z.minimum(0.1, { error: 'This is too small' }), z.maximum(1024, { error: 'At most 1024' })),
    ),
    /** In pixels of the browser's scale. */
    screen: z.nullable(z.object({ width: pixels, height: pixels }, { error: 'This must be a size' })),
  },
  { error: 'The browser’s values are missing' },
);
export type BrowserFacts = z.infer<typeof BrowserFacts>;

/** A value of the browser that clearly differs from the measurement: the check may come from another machine. */
export const Implausibility = z.object({
  subject: z.enum(['Graphics', 'Memory', 'Display']),
  browser: z.string(),
  measured: z.string(),
});
export type Implausibility = z.infer<typeof Implausibility>;

/** The tests that a person made in the browser of the laptop. */
export const BrowserCheck = z.object({
  _id: Id,
  /** ISO 8601 in UTC. */
  checkedAt: z.string(),
  /** One for each of {@link checkNames}, in this order. */
  results: z.array(CheckResult),
  browser: BrowserFacts,
  /** Compared with the laptop's latest measurement. Empty proves nothing: most values cannot be compared. */
  implausibilities: z.array(Implausibility),
});
export type BrowserCheck = z.infer<typeof BrowserCheck>;

/** The tests that passed; none without a check, and none of a check that clearly differs from the measurement. */
export const passedTests = (check: BrowserCheck | null): CheckName[] =>
  check === null || check.implausibilities.length > 0
    ? []
    : check.results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name);

/** A one-time code as it was typed. */
const TypedCode = line(40, 'Enter the code from your page “Measure this laptop”');

const noResults = 'The results of the tests are missing';

const CompleteResults = z
  .pipe(
    listOf(checkNames.length, CheckResult, noResults, 'There are more results than tests'),
    z.transform((results: CheckResult[]) =>
      results.toSorted((one, other) => checkNames.indexOf(one.name) - checkNames.indexOf(other.name)),
    ),
  )
  .check(
    z.refine((results) => checkNames.every((name, at) => results[at]?.name === name), {
      error: 'Each test needs one result; a test that was not made is skipped',
    }),
  );

export const CheckedLaptop = z.object({
  productName: z.string(),
  /** When the code expires, ISO 8601 in UTC. */
  expiresAt: z.string(),
});
export type CheckedLaptop = z.infer<typeof CheckedLaptop>;

export const readCheckCode = endpoint({
  method: 'POST',
  path: '/checkCodes',
  access: 'public',
  summary: 'The laptop that a one-time code belongs to, while the code can be used for a browser check',
  body: z.object({ code: TypedCode }),
  response: CheckedLaptop,
  refusals: ['check_refused'],
  limit: 'measuring',
});

export const submitBrowserCheck = endpoint({
  method: 'POST',
  path: '/browserChecks',
  access: 'public',
  summary:
    'Takes the results of a browser check, once per code; sent again unchanged, it is acknowledged again',
  body: z.object({ code: TypedCode, results: CompleteResults, browser: BrowserFacts }),
  response: Acknowledged,
  refusals: ['check_refused'],
  limit: 'measuring',
});
