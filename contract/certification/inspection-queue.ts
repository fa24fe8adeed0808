import * as z from 'zod/mini';
import { conditions, Laptop } from '#contract/listings/laptop-schemas.ts';
import { levelFields } from '#contract/listings/levels.ts';
import { PhotoKind, Slip } from '#contract/listings/photo-kinds.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, listOf, Modified, MoneyAmount, optionalText, Paging } from '#contract/platform/scalars.ts';
import { BrowserCheck } from './browser-checks.ts';
import { Checklist, checklistNames, InspectionKind, isNeededToApprove } from './checklist.ts';
import { Measurement } from './inspections.ts';
import { Machine } from './machine.ts';

/** What an admin decides about a measured laptop. */
export const decisions = ['approved', 'sent_back', 'refused'] as const;
export const Decision = z.enum(decisions);
export type Decision = z.infer<typeof Decision>;

/** The texts of a listing by the names of its fields, as the admin has seen them. */
export const InspectedListing = z.record(z.string(), z.string());
export type InspectedListing = z.infer<typeof InspectedListing>;

/** A field of a listing that was changed; empty when it has no text. */
export const ListingChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
export type ListingChange = z.infer<typeof ListingChange>;

/** The lists of the inspection queue: waiting for a decision, answered with a refusal, approved. */
export const inspectionLists = ['waiting', 'answered', 'inspected'] as const;
export type InspectionList = (typeof inspectionLists)[number];

/** A measured laptop for sale in a list of the inspection queue. */
export const InspectionListItem = z.object({
  _id: Id,
  name: z.string(),
  image: z.string(),
  price: MoneyAmount,
  condition: z.enum(conditions),
  sellerName: z.string(),
  /** ISO 8601 in UTC. */
  measuredAt: z.string(),
  ...levelFields,
  /** The latest decision, also about an earlier version of the listing. */
  decision: z.nullable(Decision),
});
export type InspectionListItem = z.infer<typeof InspectionListItem>;

export const listInspections = endpoint({
  method: 'GET',
  path: '/inspections',
  access: ['Admin'],
  rights: ['inspections'],
  summary:
    'The measured laptops for sale, newest listing first: those that wait for a decision, or those with one',
  query: z.extend(Paging, {
    list: z._default(z.enum(inspectionLists, { error: 'list is waiting, answered or inspected' }), 'waiting'),
  }),
  response: z.array(InspectionListItem),
});

/** The number of photos by the shop that a decision can have. One in hand has at least one, any other has none. */
export const MAXIMUM_INSPECTION_PHOTOS = 6;

/** A decision about a laptop. */
export const InspectionRecord = z.object({
  _id: Id,
  kind: InspectionKind,
  decision: Decision,
  /** ISO 8601 in UTC. */
  inspectedAt: z.string(),
  /** Empty after the admin's account has ended. */
  inspectorName: z.string(),
  grade: z.nullable(z.enum(conditions)),
  checklist: Checklist,
  note: z.string(),
  /** The admin's photos. */
  photos: z.array(z.string()),
  /** What had changed since the approval before. */
  changes: z.array(ListingChange),
});
export type InspectionRecord = z.infer<typeof InspectionRecord>;

/** A laptop's measurement before the latest one. */
export const EarlierMeasurement = z.object({
  /** ISO 8601 in UTC. */
  measuredAt: z.string(),
  machine: Machine,
  /** Whether the serial number differs. Null when one of the two is unknown. */
  isOtherMachine: z.nullable(z.boolean()),
});
export type EarlierMeasurement = z.infer<typeof EarlierMeasurement>;

/** The number of decisions that {@link InspectionCase} has. */
export const MAXIMUM_DECISIONS = 20;

/** Everything that an admin needs to decide about a measured laptop. */
export const InspectionCase = z.object({
  laptop: Laptop,
  slip: Slip,
  /** What the listing's photos show, as far as they have a kind. */
  photoKinds: z.array(PhotoKind),
  /** The decision names both, so that it is about what the admin has seen. */
  version: z.int(),
  measurement: Measurement,
  /** The measurement before; null without one. */
  earlier: z.nullable(EarlierMeasurement),
  /** The latest tests in the laptop's browser; null without them. */
  check: z.nullable(BrowserCheck),
  /** Whether a decision is possible: it is for sale, its measurement agrees with the listing, and none was made yet. */
  canDecide: z.boolean(),
  /** What has changed since the latest approval; empty without one. */
  changes: z.array(ListingChange),
  /** Newest first. */
  decisions: z.array(InspectionRecord).check(z.maxLength(MAXIMUM_DECISIONS)),
});
export type InspectionCase = z.infer<typeof InspectionCase>;

export const readInspection = endpoint({
  method: 'GET',
  path: '/inspections/:_id',
  access: ['Admin'],
  rights: ['inspections'],
  summary:
    'A measured laptop with its measurement, its changes since the latest approval, and the decisions about it',
  params: z.object({ _id: Id }),
  response: InspectionCase,
  refusals: ['not_found'],
});

const HostedPhoto = z
  .string({ error: 'A photo is named by the address that its upload returned' })
  .check(z.maxLength(2000, { error: 'The address of a photo has at most 2000 characters' }));

/** An admin's decision. */
export const NewInspection = z
  .object({
    version: z.int({ error: 'The version is missing' }).check(z.positive()),
    measurementId: Id,
    kind: InspectionKind,
    decision: z.enum(decisions, { error: 'Approve, send back or refuse' }),
    /** Only of an approval. */
    grade: z.optional(z.enum(conditions, { error: 'Choose Excellent, Good or Fair' })),
    checklist: Checklist,
    /** The sentence that the seller reads. */
    note: optionalText(1000),
    /** URLs of the admin's photos of a laptop in hand. Those of an approval are shown to buyers. */
    photos: z._default(
      listOf(
        MAXIMUM_INSPECTION_PHOTOS,
        HostedPhoto,
        'Photos are a list of URLs',
        `A decision can have up to ${MAXIMUM_INSPECTION_PHOTOS} photos`,
      ).check(
        z.refine((urls) => new Set(urls).size === urls.length, {
          error: 'Each photo can be added only once',
        }),
      ),
      [],
    ),
  })
  .check(
    z.refine(({ decision, grade }) => (decision === 'approved') === (grade !== undefined), {
      path: ['grade'],
      error: 'An approval has a grade, and nothing else has one',
    }),
    z.refine(({ decision, note }) => decision === 'approved' || (note !== undefined && note !== ''), {
      path: ['note'],
      error: 'Tell the seller why, in a sentence',
    }),
    z.refine(({ kind, photos }) => kind === 'photos' || photos.length > 0, {
      path: ['photos'],
      error: 'Add at least one photo that you took of the laptop in hand',
    }),
    z.refine(({ kind, photos }) => kind === 'hand' || photos.length === 0, {
      path: ['photos'],
      error: 'Photos by the shop are of a laptop in hand. Choose “In hand”, or remove them',
    }),
    z.refine(
      ({ decision, checklist }) =>
        decision !== 'approved' || Object.values(checklist).every((answer) => answer !== 'not_met'),
      { path: ['checklist'], error: 'An item is not met. Send the laptop back or refuse it' },
    ),
    z.refine(
      ({ decision, kind, checklist }) =>
        decision !== 'approved' ||
        kind === 'hand' ||
        checklistNames.every((item) => checklist[item] === 'met' || !isNeededToApprove(item, kind)),
      { path: ['checklist'], error: 'An approval needs the photos, the marks and the price to be met' },
    ),
    z.refine(
      ({ decision, kind, checklist }) =>
        decision !== 'approved' ||
        kind === 'photos' ||
        checklistNames.every((item) => checklist[item] === 'met' || !isNeededToApprove(item, kind)),
      { path: ['checklist'], error: 'An approval in hand needs every item but the slip to be met' },
    ),
  );

export const decideInspection = endpoint({
  method: 'POST',
  path: '/inspections/:_id',
  access: ['Admin'],
  rights: ['inspections'],
  summary:
    'Approves a measured laptop, sends it back to its seller, or refuses it. Refused with changed_elsewhere when the listing or its measurement has changed since',
  params: z.object({ _id: Id }),
  body: NewInspection,
  response: Modified,
  refusals: ['not_found', 'changed_elsewhere', 'no_longer_for_sale'],
});
