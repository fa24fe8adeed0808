import { type ReactNode, useState } from 'react';
import { type CheckName, checkLabels, MAXIMUM_NOTE } from '#contract/certification/browser-checks.ts';
import { Button, SecondaryButton } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { type Answer, toLine } from './check-progress.ts';
import { Step } from './step.tsx';

/** The properties of the component of each test. */
export interface TestProps {
  name: CheckName;
  onAnswer: (answer: Answer) => void;
}

interface TestCardProps extends TestProps {
  /** What to do, in words. */
  instructions: ReactNode;
  children?: ReactNode;
  /** The button for a part that works. */
  passLabel: string;
  /** What must be done before it can pass; null when nothing is missing. */
  before: string | null;
  /** The button for a part that does not work. */
  failLabel: string;
  /** What the test found, which begins the note; null for nothing. */
  finding?: string | null;
}

/** One test: instructions, the test itself, an optional note, and the person's answer. */
export function TestCard({
  name,
  instructions,
  children,
  passLabel,
  before,
  failLabel,
  finding = null,
  onAnswer,
}: TestCardProps) {
  const [note, setNote] = useState('');
  function answer(outcome: 'passed' | 'failed') {
    const parts = [finding, toLine(note, MAXIMUM_NOTE)].filter((part) => part !== null);
    onAnswer({ outcome, note: toLine(parts.join('. '), MAXIMUM_NOTE) });
  }
  return (
    <Step test={name} title={checkLabels[name]} className="min-w-0">
      <div className="mt-2 max-w-prose">{instructions}</div>
      {children !== undefined && <div className="mt-5">{children}</div>}
      <Field label="Note" optional className="mt-6 max-w-prose">
        <TextInput value={note} onChange={(event) => setNote(event.target.value)} maxLength={MAXIMUM_NOTE} />
      </Field>
      {before !== null && (
        <p id="before" className="mt-4 text-muted text-sm">
          {before}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          disabled={before !== null}
          aria-describedby={before === null ? undefined : 'before'}
          onClick={() => answer('passed')}
        >
          {passLabel}
        </Button>
        <SecondaryButton onClick={() => answer('failed')}>{failLabel}</SecondaryButton>
        <Button
          variant="quiet"
          onClick={() => onAnswer({ outcome: 'skipped', note: toLine(note, MAXIMUM_NOTE) })}
        >
          Skip this test
        </Button>
      </div>
    </Step>
  );
}
