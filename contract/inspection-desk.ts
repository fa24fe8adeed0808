import * as z from 'zod/mini';
import { BrowserCheck } from './browser-checks.ts';
import { endpoint } from './endpoint.ts';
import { Measurement } from './inspections.ts';
import { conditions, Laptop } from './laptop-schemas.ts';
import { levelFields } from './levels.ts';
import { Machine } from './machine.ts';
import { Slip } from './photo-kinds.ts';
import { Dollars, Id, listOf, Modified, optionalText, Paging } from './scalars.ts';

/** What an admin decides about a measured laptop. */
export const decisions = ['approved', 'sent_back', 'refused'] as const;
export const Decision = z.enum(decisions);
export type Decision = z.infer<typeof Decision>;

/** What the admin looks at, by the words on the checklist. */
export const checklistItems = {
  photos: 'The photos show this laptop, and the slip with its code',
  marks: 'Each mark that the photos show is named in the description',
  body: 'Lid, hinges, ports and underside are whole, or their flaws are named',
  screen: 'The screen shows no dead pixels or spots, or they are named',
  keyboard: 'Keyboard and touchpad work, or their flaws are named',
  price: 'Name, prices and use time are plausible for this laptop',
} as const;
export type ChecklistItem = keyof typeof checklistItems;

/** `unchecked` is an answer of its own: it is never shown as good. */
export const ChecklistAnswer = z.enum(['met', 'not_met', 'unchecked'], {
  error: 'Choose one of the answers',
});
export type ChecklistAnswer = z.infer<typeof ChecklistAnswer>;

export const Checklist = z.object({
  photos: ChecklistAnswer,
  marks: ChecklistAnswer,
  body: ChecklistAnswer,
  screen: ChecklistAnswer,
  keyboard: ChecklistAnswer,
  price: ChecklistAnswer,
} satisfies Record<ChecklistItem, typeof ChecklistAnswer>);
export type Checklist = z.infer<typeof Checklist>;

/** The texts of a listing by the names of its fields, as the admin has seen them. */
export const InspectedListing = z.record(z.string(), z.string());
export type InspectedListing = z.infer<typeof InspectedListing>;

/** A field of a listing that was changed; empty when it has no text. */
export const ListingChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
export type ListingChange = z.infer<typeof ListingChange>;

/** The lists of the desk: waiting for a decision, answered with an objection, approved. */
export const deskLists = ['waiting', 'answered', 'inspected'] as const;
export type DeskList = (typeof deskLists)[number];

/** A measured laptop for sale in a list of the desk. */
export const DeskItem = z.object({
  _id: Id,
  name: z.string(),
  image: z.string(),
  price: Dollars,
  condition: z.enum(conditions),
  sellerName: z.string(),
  /** ISO 8601 in UTC. */
  measuredAt: z.string(),
  ...levelFields,
  /** The latest decision, also about an earlier version of the listing. */
  decision: z.nullable(Decision),
});
export type DeskItem = z.infer<typeof DeskItem>;

export const listInspections = endpoint({
  method: 'GET',
  path: '/inspections',
  access: ['Admin'],
  summary:
    'The measured laptops for sale, newest listing first: those that wait for a decision, or those with one',
  query: z.extend(Paging, {
    list: z._default(z.enum(deskLists, { error: 'list is waiting, answered or inspected' }), 'waiting'),
  }),
  answer: z.array(DeskItem),
});

/** The number of photos that an admin can add to a decision. */
export const MAXIMUM_INSPECTION_PHOTOS = 6;

/** A decision about a laptop. */
export const InspectionRecord = z.object({
  _id: Id,
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
  summary:
    'A measured laptop with its measurement, its changes since the latest approval, and the decisions about it',
  params: z.object({ _id: Id }),
  answer: InspectionCase,
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
    decision: z.enum(decisions, { error: 'Approve, send back or refuse' }),
    /** Only of an approval. */
    grade: z.optional(z.enum(conditions, { error: 'Choose Excellent, Good or Fair' })),
    checklist: Checklist,
    /** The sentence that the seller reads. */
    note: optionalText(1000),
    /** URLs of photos that the admin uploaded. Those of an approval are shown to buyers. */
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
    z.refine(
      ({ decision, checklist }) =>
        decision !== 'approved' || Object.values(checklist).every((result) => result === 'met'),
      { path: ['checklist'], error: 'An approval needs every item of the checklist to be met' },
    ),
  );

export const decideInspection = endpoint({
  method: 'POST',
  path: '/inspections/:_id',
  access: ['Admin'],
  summary:
    'Approves a measured laptop, sends it back to its seller, or refuses it. Refused with changed_elsewhere when the listing or its measurement has changed since',
  params: z.object({ _id: Id }),
  body: NewInspection,
  answer: Modified,
  refusals: ['not_found', 'changed_elsewhere', 'no_longer_for_sale'],
});
