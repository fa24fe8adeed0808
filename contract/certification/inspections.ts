import * as z from 'zod/mini';
import { EvidenceEnd } from '#contract/listings/levels.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Acknowledged, Id } from '#contract/platform/scalars.ts';
import { BrowserCheck } from './browser-checks.ts';
import { Claim } from './certificates.ts';
import { Battery, Machine } from './machine.ts';

/** The systems that a script of `inspect/` measures. */
export const measuredSystems = { linux: 'Linux', windows: 'Windows', macos: 'macOS' } as const;
export type MeasuredSystem = keyof typeof measuredSystems;
export const MeasuredSystem = z.enum(['linux', 'windows', 'macos']);

/** The maximum size of a report, in characters. A report of a laptop with eight cores has about 60,000. */
export const MAXIMUM_REPORT_CHARACTERS = 500_000;

/** How long a code can be used, in minutes. */
export const CODE_MINUTES = 15;

/** A difference between the listing and the machine. */
export const Contradiction = z.object({
  /** The configuration field of the listing. */
  field: z.string(),
  listed: z.string(),
  measured: z.string(),
});
export type Contradiction = z.infer<typeof Contradiction>;

const ComparedFact = z.enum([
  'processor',
  'generation',
  'memory',
  'storage',
  'screen',
  'graphics',
  'battery',
  'condition',
]);
export type ComparedFact = z.infer<typeof ComparedFact>;

/** What is compared between a listing and a measurement, with the displayed names. */
export const comparedFacts: Readonly<Record<ComparedFact, string>> = {
  processor: 'Processor family',
  generation: 'Processor generation',
  memory: 'Memory',
  storage: 'Largest drive',
  screen: 'Screen size',
  graphics: 'Kind of graphics',
  battery: 'Battery health',
  condition: 'Battery for this condition',
};

const NotComparedReason = z.enum([
  'not_listed',
  'listing_unclear',
  'not_read',
  'not_understood',
  'only_a_bound',
]);
export type NotComparedReason = z.infer<typeof NotComparedReason>;

/** Why a fact of a listing could not be compared, in words. */
export const notComparedReasons: Readonly<Record<NotComparedReason, string>> = {
  not_listed: 'the listing does not say it',
  listing_unclear: 'the words of the listing could not be read as a value',
  not_read: 'the laptop did not report it',
  not_understood: 'the laptop reported a name that the shop does not know',
  only_a_bound: 'the laptop reported only a lower bound',
};

/**
 * How a fact of a listing and the measurement compare. `measured`: they agree. A battery that was read is always measured,
 * because the shop shows it instead of the one that the seller wrote.
 */
export const FactComparison = z.union([
  z.strictObject({ fact: ComparedFact, state: z.enum(['measured', 'contradicted']) }),
  z.strictObject({ fact: ComparedFact, state: z.literal('not_compared'), reason: NotComparedReason }),
]);
export type FactComparison = z.infer<typeof FactComparison>;

export const Measurement = z.object({
  _id: Id,
  /** ISO 8601 in UTC. */
  measuredAt: z.string(),
  measuredWith: MeasuredSystem,
  machine: Machine,
  /** Each fact of the listing once. What is not compared is the seller's word. */
  comparisons: z.array(FactComparison),
  /** The texts of the facts that are contradicted, by configuration field. */
  contradictions: z.array(Contradiction),
});
export type Measurement = z.infer<typeof Measurement>;

/** What a seller sees of the latest measurement. */
export const OwnMeasurement = z.object({
  /** Null without one. */
  measurement: z.nullable(Measurement),
  /** Why the measurement does not count any more; null while it counts. */
  ended: z.nullable(EvidenceEnd),
  /** Whether its serial number is not that of the measurement before; null when it cannot be told. */
  isOtherMachine: z.nullable(z.boolean()),
  /** The latest browser check; null without one that counts. */
  check: z.nullable(BrowserCheck),
});
export type OwnMeasurement = z.infer<typeof OwnMeasurement>;

/** A battery as one measurement found it. */
export const BatteryPoint = z.object({
  /** ISO 8601 in UTC. */
  measuredAt: z.string(),
  battery: Battery,
});
export type BatteryPoint = z.infer<typeof BatteryPoint>;

/** The most measurements of a battery that are listed. */
export const MAXIMUM_BATTERY_POINTS = 24;

/** What everybody sees of a laptop's latest measurement. */
export const PublicMeasurement = z.object({
  /** Null when the listing does not count as measured. */
  measurement: z.nullable(Measurement),
  /** The latest browser check; null without one, and for one that clearly differs from the measurement. */
  check: z.nullable(BrowserCheck),
  /** The battery in the latest measurements of the same machine, oldest first. */
  batteryPoints: z.array(BatteryPoint),
  /** What the shop looked at while the laptop is inspected, in the words of its certificate; empty otherwise. */
  inspectionClaims: z.array(Claim),
  /** The admin's photos, while the laptop is inspected in hand; empty otherwise. */
  inspectionPhotos: z.array(z.string()),
});
export type PublicMeasurement = z.infer<typeof PublicMeasurement>;

/** A script that measures, as the page offers it. */
export const InspectionScript = z.object({
  system: MeasuredSystem,
  url: z.string(),
  /** Hexadecimal. */
  sha256: z.string(),
  /** The line to type on the laptop, with the code. */
  command: z.string(),
  /** The line to type where the saved script is, on a laptop without a network: it writes the report to a file. */
  fileCommand: z.string(),
});
export type InspectionScript = z.infer<typeof InspectionScript>;

export const MeasurementCode = z.object({
  code: z.string(),
  /** ISO 8601 in UTC. */
  expiresAt: z.string(),
  scripts: z.array(InspectionScript),
});
export type MeasurementCode = z.infer<typeof MeasurementCode>;

/** A report of a script, as a file. */
export const ReportFile = z.string({ error: 'Choose the report file' }).check(
  z.minLength(1, { error: 'Choose the report file', abort: true }),
  z.maxLength(MAXIMUM_REPORT_CHARACTERS, {
    error: 'This is not a report: it is too long',
    abort: true,
  }),
  z.regex(/^\uFEFF?laptop-report /, { error: 'This is not a report of the shop’s script' }),
);

export const createMeasurementCode = endpoint({
  method: 'POST',
  path: '/myProducts/:_id/measurementCode',
  access: ['Seller'],
  summary: 'A one-time code with which the caller’s laptop sends its report; it replaces an earlier code',
  params: z.object({ _id: Id }),
  response: MeasurementCode,
  refusals: ['not_found', 'already_sold'],
  limit: 'measuring',
});

export const submitReport = endpoint({
  method: 'POST',
  path: '/measurementReports',
  access: ['Seller'],
  summary: 'Takes the report file of a laptop without a network; the file has the code',
  body: z.object({
    laptopId: Id,
    report: ReportFile,
  }),
  response: Acknowledged,
  refusals: ['not_found', 'report_refused'],
  limit: 'measuring',
});

export const readOwnMeasurement = endpoint({
  method: 'GET',
  path: '/myProducts/:_id/measurement',
  access: ['Seller'],
  summary: 'The latest measurement and the latest browser check of the caller’s laptop, or null',
  params: z.object({ _id: Id }),
  response: OwnMeasurement,
  refusals: ['not_found'],
});

export const readMeasurement = endpoint({
  method: 'GET',
  path: '/laptops/:_id/measurement',
  access: 'public',
  summary:
    'The latest measurement of a laptop, compared with the listing fact by fact; null when the listing does not count as measured. With its browser check, the history of its battery, and the claims and photos of its inspection',
  params: z.object({ _id: Id }),
  response: PublicMeasurement,
  refusals: ['not_found', 'no_longer_for_sale'],
});
