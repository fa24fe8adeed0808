import * as z from 'zod/mini';
import { conditions, Laptop } from '#contract/listings/laptop-schemas.ts';
import { levelFields } from '#contract/listings/levels.ts';
import { PhotoKind, photoSubjects, Slip } from '#contract/listings/photo-kinds.ts';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id, listOf, Modified, MoneyAmount, optionalText, Paging } from '#contract/platform/scalars.ts';
import { BrowserCheck, type CheckName } from './browser-checks.ts';
import type { Claim } from './certificates.ts';
import { Measurement } from './inspections.ts';
import { Machine } from './machine.ts';

/** What an admin decides about a measured laptop. */
export const decisions = ['approved', 'sent_back', 'refused'] as const;
export const Decision = z.enum(decisions);
export type Decision = z.infer<typeof Decision>;

/** How an admin looked at a laptop: at the seller's photos, or at the laptop itself. */
export const inspectionKinds = { photos: 'From photos', hand: 'In hand' } as const;
export const InspectionKind = z.enum(['photos', 'hand'], {
  error: 'Choose whether you looked at photos or had the laptop in hand',
});
export type InspectionKind = z.infer<typeof InspectionKind>;

/** What lets an item be met without the laptop in hand. */
type ItemEvidence =
  /** The listing's texts and its measurement. */
  | { from: 'listing' }
  /** The seller's photos, among them one of each of these kinds. */
  | { from: 'photos'; kinds: readonly PhotoKind[] }
  /** A test that passed in the laptop's browser. `subject` is what it tests, as the object of a sentence. */
  | { from: 'test'; test: CheckName; subject: string };

interface ItemRule {
  /** On the checklist, the laptop's page and the certificate: short, so that it prints on one line. */
  text: string;
  evidence: ItemEvidence;
}

/** What an admin looks at, and the evidence that each item needs in an inspection from photos. In hand, each can be met. */
export const checklistItems = {
  photos: { text: 'The photos show this laptop', evidence: { from: 'photos', kinds: [] } },
  slip: {
    text: 'The slip has this laptop’s code',
    evidence: { from: 'photos', kinds: ['slip'] },
  },
  marks: {
    text: 'The marks in the photos are named',
    evidence: { from: 'photos', kinds: [] },
  },
  body: {
    text: 'Lid, hinges, ports and underside are whole, or their flaws are named',
    evidence: { from: 'photos', kinds: ['lid', 'on', 'ports', 'underside'] },
  },
  screen: {
    text: 'No dead pixels or spots, or they are named',
    evidence: { from: 'test', test: 'deadPixels', subject: 'the screen' },
  },
  keyboard: {
    text: 'Keyboard works, or its flaws are named',
    evidence: { from: 'test', test: 'keyboard', subject: 'the keyboard' },
  },
  touchpad: {
    text: 'Touchpad works, or its flaws are named',
    evidence: { from: 'test', test: 'touchpad', subject: 'the touchpad' },
  },
  camera: {
    text: 'Camera works, or its flaws are named',
    evidence: { from: 'test', test: 'camera', subject: 'the camera' },
  },
  sound: {
    text: 'Microphone and speakers work, or their flaws are named',
    evidence: { from: 'test', test: 'microphone', subject: 'microphone and speakers' },
  },
  price: {
    text: 'Name, prices and use time are plausible',
    evidence: { from: 'listing' },
  },
} as const satisfies Readonly<Record<string, ItemRule>>;
export type ChecklistItem = keyof typeof checklistItems;

/** The items in the order of the checklist. */
export const checklistNames = [
  ...(['photos', 'slip', 'marks', 'body', 'screen'] as const),
  ...(['keyboard', 'touchpad', 'camera', 'sound', 'price'] as const),
] satisfies readonly ChecklistItem[];

const ruleOf = (item: ChecklistItem): ItemRule => checklistItems[item];

/** `unchecked` is an answer of its own: it is never shown as good. */
export const ChecklistAnswer = z.enum(['met', 'not_met', 'unchecked'], {
  error: 'Choose one of the answers',
});
export type ChecklistAnswer = z.infer<typeof ChecklistAnswer>;

export const Checklist = z.object({
  photos: ChecklistAnswer,
  slip: ChecklistAnswer,
  marks: ChecklistAnswer,
  body: ChecklistAnswer,
  screen: ChecklistAnswer,
  keyboard: ChecklistAnswer,
  touchpad: ChecklistAnswer,
  camera: ChecklistAnswer,
  sound: ChecklistAnswer,
  price: ChecklistAnswer,
} satisfies Record<ChecklistItem, typeof ChecklistAnswer>);
export type Checklist = z.infer<typeof Checklist>;

/** What is stored of a laptop that lets items be met in an inspection from photos. */
export interface InspectionEvidence {
  /** What the listing's photos show, as far as they have a kind. */
  photoKinds: readonly PhotoKind[];
  /** The latest tests in the browser of the measured machine. */
  check: BrowserCheck | null;
}

/** The evidence of an item in an inspection from photos. */
interface FoundEvidence {
  /** Whether the item can be met. */
  isEnough: boolean;
  /** What is there or missing, in words. */
  text: string;
  /** When the test was made that `text` is about: ISO 8601 in UTC; null for no test. */
  testedAt: string | null;
}

/** Finds the evidence that lets an item be met in an inspection from photos, or what of it is missing. */
export function evidenceOf(item: ChecklistItem, { photoKinds, check }: InspectionEvidence): FoundEvidence {
  const { evidence } = ruleOf(item);
  if (evidence.from === 'listing')
    return { isEnough: true, text: 'The listing and its measurement', testedAt: null };
  if (evidence.from === 'photos') {
    const missing = evidence.kinds.filter((kind) => !photoKinds.includes(kind));
    const named = (kinds: readonly PhotoKind[]) => kinds.map((kind) => photoSubjects[kind]).join(', ');
    if (missing.length > 0) return { isEnough: false, text: `No photo of ${named(missing)}`, testedAt: null };
    const text =
      evidence.kinds.length === 0 ? 'The seller’s photos' : `The seller’s photo of ${named(evidence.kinds)}`;
    return { isEnough: true, text, testedAt: null };
  }
  const { test, subject } = evidence;
  const outcome = check?.results.find(({ name }) => name === test)?.outcome ?? 'skipped';
  if (check === null || outcome === 'skipped') {
    return { isEnough: false, text: `No browser test of ${subject}`, testedAt: null };
  }
  const testedAt = check.checkedAt;
  if (check.implausibilities.length > 0) {
    return { isEnough: false, text: 'Browser test that clearly differs from the measurement', testedAt };
  }
  const isEnough = outcome === 'passed';
  return { isEnough, text: `Browser test of ${subject}: ${outcome}`, testedAt };
}

/**
 * Whether an approval needs an item to be met: from photos those that need no more than the listing, in hand all but the slip,
 * because the admin compared the laptop itself with the photos.
 */
export function isNeededToApprove(item: ChecklistItem, kind: InspectionKind): boolean {
  if (kind === 'hand') return item !== 'slip';
  return evidenceOf(item, { photoKinds: [], check: null }).isEnough;
}

function claimOf(
  item: ChecklistItem,
  { kind, answer, passed }: { kind: InspectionKind; answer: ChecklistAnswer; passed: readonly CheckName[] },
): Pick<Claim, 'state' | 'value'> {
  if (answer === 'not_met') return { state: 'failed', value: null };
  if (answer !== 'met') return { state: 'unchecked', value: null };
  if (kind === 'hand') return { state: 'passed', value: 'in hand' };
  const { evidence } = ruleOf(item);
  if (evidence.from === 'photos') return { state: 'seen', value: null };
  if (evidence.from === 'listing') return { state: 'passed', value: null };
  return passed.includes(evidence.test)
    ? { state: 'passed', value: 'browser test' }
    : { state: 'unchecked', value: null };
}

/**
 * What an inspection says to buyers about each item.
 * @param passed the browser's tests that have passed now: a later check can take away what an item was based on
 */
export const inspectionClaims = (
  { kind, checklist }: { kind: InspectionKind; checklist: Checklist },
  passed: readonly CheckName[],
): Claim[] =>
  checklistNames.map((item) => ({
    section: 'inspection',
    name: checklistItems[item].text,
    ...claimOf(item, { kind, answer: checklist[item], passed }),
    source: null,
  }));

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
