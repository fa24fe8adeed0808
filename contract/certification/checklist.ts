import * as z from 'zod/mini';
import { type PhotoKind, photoSubjects } from '#contract/listings/photo-kinds.ts';
import type { BrowserCheck, CheckName } from './browser-checks.ts';
import type { Claim } from './certificates.ts';

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
