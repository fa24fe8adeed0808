import {
  type Checklist,
  checklistNames,
  evidenceOf,
  type InspectionEvidence,
  type InspectionKind,
} from '#contract/certification/checklist.ts';
import type {
  EarlierMeasurement,
  InspectedListing,
  InspectionListItem,
  InspectionRecord,
  ListingChange,
} from '#contract/certification/inspection-queue.ts';
import { type conditions, configurationFields } from '#contract/listings/laptop-schemas.ts';
import type { PhotoKind } from '#contract/listings/photo-kinds.ts';
import { amountFromCents, formatCents } from '#contract/platform/money.ts';
import { type LevelColumns, levelResponse } from '#server/listings/catalogue/rules.ts';
import type { LaptopRow } from '#server/listings/catalogue/steps.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { isOtherMachine } from './rules.ts';

type Grade = (typeof conditions)[number];

const grades = { Fair: 0, Good: 1, Excellent: 2 } as const satisfies Record<Grade, number>;

/** Whether an admin's grade is below the condition that the seller states. */
export const isBelow = (grade: Grade, condition: Grade): boolean => grades[grade] < grades[condition];

/**
 * The texts of a listing as an admin sees them, to find what changes afterwards. The seller's telephone number and place are
 * left out: they are removed with the account, and this is kept.
 */
export function inspectedListing(laptop: LaptopRow): InspectedListing {
  const { description, photo_captions: captions } = laptop;
  const texts = typeof description === 'string' ? { Notes: description } : description;
  return {
    Name: laptop.name,
    Brand: laptop.brand,
    Condition: laptop.condition,
    'Resale Price': formatCents(laptop.resale_price_cents),
    'Original Price': formatCents(laptop.original_price_cents),
    'Use Time': laptop.use_time,
    ...Object.fromEntries([...configurationFields, 'Notes'].map((field) => [field, texts[field] ?? ''])),
    Photos: laptop.images.map((photo) => `${photo} ${captions[photo] ?? ''}`.trim()).join('\n'),
  };
}

/** What the photos of a listing show, as far as they have a kind. */
export const shownKinds = ({ images, photo_kinds: kinds }: LaptopRow): PhotoKind[] => [
  ...new Set(images.flatMap((photo) => kinds[photo] ?? [])),
];

/**
 * What a decision claims without evidence: the items that an inspection from photos calls met, and why they cannot be.
 * Null when there is evidence for each.
 */
export function findUnfounded(
  { kind, checklist }: { kind: InspectionKind; checklist: Checklist },
  evidence: InspectionEvidence,
): string | null {
  if (kind === 'hand') return null;
  const reasons = checklistNames.flatMap((item) => {
    const { isEnough, text } = evidenceOf(item, evidence);
    return checklist[item] === 'met' && !isEnough ? [text] : [];
  });
  return reasons.length === 0 ? null : reasons.join('. ');
}

/** The fields that differ between two states of a listing, in their order. */
export function changesBetween(before: InspectedListing, after: InspectedListing): ListingChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [old = '', now = ''] = [before[field], after[field]];
    return old === now ? [] : [{ field, before: old, after: now }];
  });
}

/** The response for the measurement before the latest one. */
export function earlierMeasurement(
  earlier: Row<'measurements'>,
  latest: Row<'measurements'>,
): EarlierMeasurement {
  return {
    measuredAt: earlier.measured_at.toISOString(),
    machine: earlier.machine,
    isOtherMachine: isOtherMachine(earlier.machine_hash, latest.machine_hash),
  };
}

/** A laptop in a list of the inspection queue. */
export interface InspectionQueueRow extends LevelColumns {
  id: string;
  number: string;
  name: string;
  images: string[];
  resale_price_cents: number;
  condition: Grade;
  seller_name: string;
  measured_at: Date;
  decision: InspectionListItem['decision'];
}

/** The response for a laptop in a list. @param photoUrl makes the public URL of a stored photo */
export const toInspectionListItem = (
  row: InspectionQueueRow,
  photoUrl: (photo: string) => string,
): InspectionListItem => ({
  _id: row.id,
  name: row.name,
  image: photoUrl(row.images[0] ?? ''),
  price: amountFromCents(row.resale_price_cents),
  condition: row.condition,
  sellerName: row.seller_name,
  measuredAt: row.measured_at.toISOString(),
  ...levelResponse(row),
  decision: row.decision,
});

/** The response for a decision. @param photoUrl makes the public URL of a stored photo */
export const inspectionRecord = (
  row: Row<'inspections'> & { inspector_name: string | null },
  photoUrl: (photo: string) => string,
): InspectionRecord => ({
  _id: row.id,
  kind: row.kind,
  decision: row.decision,
  inspectedAt: row.inspected_at.toISOString(),
  inspectorName: row.inspector_name ?? '',
  grade: row.grade,
  checklist: row.checklist,
  note: row.note,
  photos: row.photos.map(photoUrl),
  changes: row.changes,
});
