import * as z from 'zod/mini';
import { CheckResult } from './browser-checks.ts';
import { endpoint } from './endpoint.ts';
import { conditions } from './laptop-schemas.ts';
import { Acknowledged, Deleted, Id, Inserted } from './scalars.ts';

/** The systems that a script of `inspect/` measures. */
export const measuredSystems = { linux: 'Linux', windows: 'Windows', macos: 'macOS' } as const;
export type MeasuredSystem = keyof typeof measuredSystems;
export const MeasuredSystem = z.enum(['linux', 'windows', 'macos']);

/** What a laptop can be measured with: a script for its system, or a program whose file the shop reads. */
export const measuringPrograms = { ...measuredSystems, workbench: 'eReuse Workbench' } as const;
export type MeasuringProgram = keyof typeof measuringPrograms;
export const MeasuringProgram = z.enum(['linux', 'windows', 'macos', 'workbench']);

/** Where a value was read. A person who controls the laptop can forge any of them. */
export const sources = {
  firmware: 'the firmware',
  battery: 'the battery’s own counter',
  drive: 'the drive itself',
  screen: 'the screen itself',
  system: 'the operating system',
} as const;
export const Source = z.enum(['firmware', 'battery', 'drive', 'screen', 'system']);
export type Source = z.infer<typeof Source>;

/** A value with its source; null when it could not be read. */
function reading<Value extends z.ZodMiniType>(value: Value) {
  return z.nullable(z.object({ value, source: Source }));
}

/** `unlocked` is missing on purpose: a lock that was not found may still exist. */
export const LockState = z.enum(['locked', 'not_found', 'unknown']);
export type LockState = z.infer<typeof LockState>;

/**
 * `quoted`: a key signed the code of this measurement in the form in which a TPM does. The maker's certificate was not
 * checked, so it may also be a key of software.
 */
export const TpmState = z.enum(['quoted', 'unknown']);
export type TpmState = z.infer<typeof TpmState>;

/** `quoted` in words. */
export const tpmQuoted = 'its key signed the code of this measurement; not checked with the chip’s maker';

export const Drive = z.object({
  model: z.string(),
  /** Decimal gigabytes, as drives are sold. */
  gigabytes: z.int(),
  kind: z.nullable(z.enum(['SSD', 'HDD', 'eMMC'])),
  /** Hours of operation. */
  hours: z.nullable(z.int()),
  /** Percent of the rated writes; above 100 beyond the rating. */
  wear: z.nullable(z.int()),
  /** The drive's own verdict. */
  healthy: z.nullable(z.boolean()),
});
export type Drive = z.infer<typeof Drive>;

export const Battery = z.object({
  /** The present capacity in percent of the one when new; above 100 for a good new battery. */
  health: z.int(),
  /** The capacity when new, in milliwatt-hours; macOS reports none. */
  designMwh: z.nullable(z.int()),
  /** The capacity when fully charged now, in milliwatt-hours. */
  fullMwh: z.nullable(z.int()),
  cycles: z.nullable(z.int()),
});
export type Battery = z.infer<typeof Battery>;

/** What a laptop reports about itself. Nothing in it identifies the machine or its user. */
export const Machine = z.object({
  maker: reading(z.string()),
  model: reading(z.string()),
  /** The first and last characters only, such as `PF3…DE`. */
  serial: reading(z.string()),
  /** ISO 8601 date. */
  firmwareDate: reading(z.string()),
  processor: reading(z.string()),
  /** Gigabytes. */
  memory: reading(z.int()),
  drives: z.array(Drive),
  screen: reading(
    z.object({
      /** To a tenth. */
      inches: z.number(),
      /** Pixels. */
      width: z.int(),
      height: z.int(),
    }),
  ),
  graphics: z.array(z.string()),
  system: reading(z.string()),
  /** Of several batteries, their sum. */
  battery: reading(Battery),
  locks: z.object({
    /** A password that the firmware asks for. */
    firmwarePassword: LockState,
    /** Absolute Persistence, also called Computrace. */
    absolute: LockState,
    /** Management by an organization: MDM, Autopilot. */
    management: LockState,
    /** Apple's Activation Lock. */
    activationLock: LockState,
  }),
  tpm: TpmState,
});
export type Machine = z.infer<typeof Machine>;

/** The name of a machine, such as `LENOVO ThinkPad T14`; null when unknown. Some makers repeat theirs in the model. */
export function machineName({ maker, model }: Pick<Machine, 'maker' | 'model'>): string | null {
  if (maker === null || model === null) return model?.value ?? maker?.value ?? null;
  const isRepeated = model.value.toLowerCase().startsWith(`${maker.value.toLowerCase()} `);
  return isRepeated ? model.value : `${maker.value} ${model.value}`;
}

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

export const Measurement = z.object({
  _id: Id,
  /** ISO 8601 in UTC. */
  measuredAt: z.string(),
  measuredWith: MeasuringProgram,
  machine: Machine,
  contradictions: z.array(Contradiction),
});
export type Measurement = z.infer<typeof Measurement>;

/** A laptop's latest measurement; null without one. */
export const LatestMeasurement = z.object({ measurement: z.nullable(Measurement) });
export type LatestMeasurement = z.infer<typeof LatestMeasurement>;

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
export const PublicMeasurement = z.extend(LatestMeasurement, {
  /** The admin's photos, while the laptop is inspected; empty otherwise. */
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
const ReportFile = z.string({ error: 'Choose the report file' }).check(
  z.minLength(1, { error: 'Choose the report file', abort: true }),
  z.maxLength(MAXIMUM_REPORT_CHARACTERS, {
    error: 'This is not a report: it is too long',
    abort: true,
  }),
  z.regex(/^\uFEFF?coomercio-report /, { error: 'This is not a report of the shop’s script' }),
);

/** How long a draft and its measurement are kept after its latest code, in days. */
export const DRAFT_DAYS = 30;

/** The maximum number of drafts per seller; the one after them replaces the oldest. */
export const MAXIMUM_DRAFTS = 20;

/** A laptop that is not listed yet. */
export const DraftMeasurement = z.object({
  /** To be written on a slip of paper in a photo; the laptop keeps it when it is listed. */
  slipCode: z.string(),
  /** What it reported; null without a report. */
  measurement: z.nullable(
    z.object({
      /** ISO 8601 in UTC. */
      measuredAt: z.string(),
      measuredWith: MeasuringProgram,
      machine: Machine,
      /** The conditions that its battery allows; all when its health is unknown. */
      conditions: z.array(z.enum(conditions)),
    }),
  ),
  /** The tests that were made in its browser; null without any. */
  check: z.nullable(z.object({ checkedAt: z.string(), results: z.array(CheckResult) })),
});
export type DraftMeasurement = z.infer<typeof DraftMeasurement>;

export const createLaptopDraft = endpoint({
  method: 'POST',
  path: '/laptopDrafts',
  access: ['Seller'],
  summary: `A draft, so that a laptop can be measured and has a code for a slip in a photo before it is listed; kept for ${DRAFT_DAYS} days after its latest code`,
  answer: z.extend(Inserted, { slipCode: z.string() }),
  limit: 'measuring',
});

export const createDraftCode = endpoint({
  method: 'POST',
  path: '/laptopDrafts/:_id/measurementCode',
  access: ['Seller'],
  summary:
    'A one-time code with which the laptop of the caller’s draft sends its report and its browser check, once each',
  params: z.object({ _id: Id }),
  answer: MeasurementCode,
  refusals: ['not_found'],
  limit: 'measuring',
});

export const submitDraftReport = endpoint({
  method: 'POST',
  path: '/laptopDrafts/:_id/measurementReport',
  access: ['Seller'],
  summary: 'Takes the report file for a draft; the file has the code',
  params: z.object({ _id: Id }),
  body: z.object({ report: ReportFile }),
  answer: Acknowledged,
  refusals: ['not_found', 'report_refused'],
  limit: 'measuring',
});

export const readDraftMeasurement = endpoint({
  method: 'GET',
  path: '/laptopDrafts/:_id/measurement',
  access: ['Seller'],
  summary:
    'The slip code of the caller’s draft, its latest measurement and its latest browser check, or null',
  params: z.object({ _id: Id }),
  answer: DraftMeasurement,
  refusals: ['not_found'],
});

export const deleteDraftMeasurement = endpoint({
  method: 'DELETE',
  path: '/laptopDrafts/:_id/measurement',
  access: ['Seller'],
  summary: 'Deletes the measurement and the browser check of the caller’s draft, which keeps its slip code',
  params: z.object({ _id: Id }),
  answer: Deleted,
  refusals: ['not_found'],
});

export const deleteLaptopDraft = endpoint({
  method: 'DELETE',
  path: '/laptopDrafts/:_id',
  access: ['Seller'],
  summary: 'Deletes the caller’s draft and its measurement; `deletedCount` is 0 when it is not there',
  params: z.object({ _id: Id }),
  answer: Deleted,
});

export const createMeasurementCode = endpoint({
  method: 'POST',
  path: '/myProducts/:_id/measurementCode',
  access: ['Seller'],
  summary: 'A one-time code with which the caller’s laptop sends its report; it replaces an earlier code',
  params: z.object({ _id: Id }),
  answer: MeasurementCode,
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
  answer: Acknowledged,
  refusals: ['not_found', 'report_refused'],
  limit: 'measuring',
});

export const readOwnMeasurement = endpoint({
  method: 'GET',
  path: '/myProducts/:_id/measurement',
  access: ['Seller'],
  summary: 'The latest measurement of the caller’s laptop, or null',
  params: z.object({ _id: Id }),
  answer: LatestMeasurement,
  refusals: ['not_found'],
});

export const readMeasurement = endpoint({
  method: 'GET',
  path: '/laptops/:_id/measurement',
  access: 'public',
  summary:
    'The latest measurement of a laptop; null when there is none, it contradicts the listing, or it found a lock. With the photos of its inspection',
  params: z.object({ _id: Id }),
  answer: PublicMeasurement,
  refusals: ['not_found'],
});

export const readBatteryHistory = endpoint({
  method: 'GET',
  path: '/laptops/:_id/batteryHistory',
  access: 'public',
  summary:
    'The battery in the latest measurements of the same machine, oldest first; empty when the laptop does not count as measured',
  params: z.object({ _id: Id }),
  answer: z.object({ points: z.array(BatteryPoint) }),
  refusals: ['not_found'],
});
