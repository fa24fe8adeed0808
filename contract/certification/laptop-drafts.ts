import * as z from 'zod/mini';
import { conditions } from '#contract/listings/laptop-schemas.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Acknowledged, Deleted, Id, Inserted } from '#contract/platform/scalars.ts';
import { CheckResult } from './browser-checks.ts';
import { MeasuredSystem, MeasurementCode, ReportFile } from './inspections.ts';
import { Machine } from './machine.ts';

/** How long a draft and its measurement are kept after its latest code, in days. */
export const DRAFT_DAYS = 30;

/** The maximum number of drafts per seller; the one after them replaces the oldest. */
export const MAXIMUM_DRAFTS = 20;

/** The maximum number of earlier measurements, and of browser checks, that a draft keeps when it gets a new code. */
export const MAXIMUM_EARLIER_MEASUREMENTS = 10;

/** A laptop that is not listed yet. */
export const DraftMeasurement = z.object({
  /** To be written on a slip of paper in a photo; the laptop keeps it when it is listed. */
  slipCode: z.string(),
  /** What it reported; null without a report. */
  measurement: z.nullable(
    z.object({
      /** ISO 8601 in UTC. */
      measuredAt: z.string(),
      measuredWith: MeasuredSystem,
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
  response: z.extend(Inserted, { slipCode: z.string() }),
  limit: 'measuring',
});

export const createDraftCode = endpoint({
  method: 'POST',
  path: '/laptopDrafts/:_id/measurementCode',
  access: ['Seller'],
  summary:
    'A one-time code with which the laptop of the caller’s draft sends its report and its browser check, once each',
  params: z.object({ _id: Id }),
  response: MeasurementCode,
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
  response: Acknowledged,
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
  response: DraftMeasurement,
  refusals: ['not_found'],
});

export const deleteDraftMeasurement = endpoint({
  method: 'DELETE',
  path: '/laptopDrafts/:_id/measurement',
  access: ['Seller'],
  summary: 'Deletes the measurement and the browser check of the caller’s draft, which keeps its slip code',
  params: z.object({ _id: Id }),
  response: Deleted,
  refusals: ['not_found'],
});

export const deleteLaptopDraft = endpoint({
  method: 'DELETE',
  path: '/laptopDrafts/:_id',
  access: ['Seller'],
  summary: 'Deletes the caller’s draft and its measurement; `deletedCount` is 0 when it is not there',
  params: z.object({ _id: Id }),
  response: Deleted,
});
