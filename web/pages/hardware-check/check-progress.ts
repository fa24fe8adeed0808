import * as z from 'zod/mini';
import {
  BrowserFacts,
  CheckName,
  CheckOutcome,
  type CheckResult,
  checkNames,
  MAXIMUM_NOTE,
} from '#contract/certification/browser-checks.ts';

/** The outcome of one test. */
export interface Answer {
  outcome: CheckOutcome;
  /** Null for none. */
  note: string | null;
  /** What the test read from the browser. */
  browser?: BrowserFacts;
}

export const CheckProgress = z.object({
  stage: z.enum(['code', 'tests', 'summary', 'sent']),
  /** As it was typed; empty before. */
  code: z.string(),
  /** The laptop of the code; null before the shop has accepted the code. */
  laptop: z.nullable(z.object({ productName: z.string(), expiresAt: z.string() })),
  current: CheckName,
  answers: z.partialRecord(
    CheckName,
    z.object({ outcome: CheckOutcome, note: z.nullable(z.string().check(z.maxLength(MAXIMUM_NOTE))) }),
  ),
  browser: BrowserFacts,
});
export type CheckProgress = z.infer<typeof CheckProgress>;

/** Before anything was entered. @param code from the address; empty for none */
export const newProgress = (code: string): CheckProgress => ({
  stage: 'code',
  code,
  laptop: null,
  current: checkNames[0],
  answers: {},
  browser: { renderer: null, memory: null, screen: null },
});

export type CheckAction =
  | { type: 'opened'; code: string; laptop: NonNullable<CheckProgress['laptop']> }
  | { type: 'answered'; name: CheckName; answer: Answer }
  | { type: 'chosen'; name: CheckName }
  | { type: 'finished' }
  | { type: 'anotherCode' }
  | { type: 'sent' }
  | { type: 'restarted' };

/** The first test without an answer after the given one, then before it; null when all have one. */
function nextTest(answers: CheckProgress['answers'], name: CheckName): CheckName | null {
  const at = checkNames.indexOf(name);
  const order = [...checkNames.slice(at + 1), ...checkNames.slice(0, at + 1)];
  return order.find((each) => answers[each] === undefined) ?? null;
}

/** A code of another laptop discards the answers; a new code of the same one keeps them. */
function open(progress: CheckProgress, code: string, laptop: NonNullable<CheckProgress['laptop']>) {
  const isSame = progress.laptop === null || progress.laptop.productName === laptop.productName;
  const kept = isSame ? progress : newProgress(code);
  const isComplete = checkNames.every((name) => kept.answers[name] !== undefined);
  return { ...kept, stage: isComplete ? 'summary' : 'tests', code, laptop } as const;
}

function answer(progress: CheckProgress, name: CheckName, { outcome, note, browser }: Answer): CheckProgress {
  const answers = { ...progress.answers, [name]: { outcome, note } };
  const next = nextTest(answers, name);
  return {
    ...progress,
    answers,
    browser: browser ?? progress.browser,
    current: next ?? name,
    stage: next === null ? 'summary' : 'tests',
  };
}

const withSkipped = (answers: CheckProgress['answers']): CheckProgress['answers'] =>
  Object.fromEntries(checkNames.map((name) => [name, answers[name] ?? { outcome: 'skipped', note: null }]));

/** Applies what a person or the shop did. */
export function reduceProgress(progress: CheckProgress, action: CheckAction): CheckProgress {
  switch (action.type) {
    case 'opened':
      return open(progress, action.code, action.laptop);
    case 'answered':
      return answer(progress, action.name, action.answer);
    case 'chosen':
      return { ...progress, stage: 'tests', current: action.name };
    case 'finished':
      return { ...progress, stage: 'summary', answers: withSkipped(progress.answers) };
    case 'anotherCode':
      return { ...progress, stage: 'code', code: '' };
    case 'sent':
      return { ...progress, stage: 'sent', code: '' };
    case 'restarted':
      return newProgress('');
  }
}

/** One result per test. A test without an answer was skipped. */
export function toResults({ answers }: CheckProgress): CheckResult[] {
  return checkNames.map((name) => ({ name, ...(answers[name] ?? { outcome: 'skipped', note: null }) }));
}

/** A text as one visible line of at most `maximum` UTF-16 code units; null when nothing is left. */
export function toLine(text: string, maximum: number): string | null {
  const visible = text.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, ' ').trim();
  let line = '';
  for (const character of visible) {
    if (line.length + character.length > maximum) break;
    line += character;
  }
  return line.trim() === '' ? null : line.trim();
}
