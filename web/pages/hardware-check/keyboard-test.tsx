import { type KeyboardEvent, useRef, useState } from 'react';
import { SecondaryButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Field, Options, Select } from '../../ui/field.tsx';
import { type Key, type LayoutName, layouts, rowsOf } from './keyboard-layouts.ts';
import {
  keyboardFinding,
  latestKey,
  markAbsent,
  missingKeys,
  noKeys,
  pressKey,
} from './keyboard-progress.ts';
import { TestCard, type TestProps } from './test-card.tsx';

const capStates = {
  pressed: 'border-success bg-success-soft text-success',
  absent: 'border-border border-dashed text-muted line-through',
  missing: 'border-border-strong bg-background text-foreground',
} as const;

function Cap({ label, width, state }: Key & { state: keyof typeof capStates }) {
  return (
    <span
      className={`grid h-9 min-w-8 place-items-center overflow-hidden rounded-md border px-1 text-xs sm:min-w-0 sm:basis-0 ${capStates[state]}`}
      style={{ flexGrow: width }}
    >
      {label}
    </span>
  );
}

/** Every key of the laptop, by its place: `KeyboardEvent.code` does not depend on the language. */
export function KeyboardTest(props: TestProps) {
  const [layout, setLayout] = useState<LayoutName>('ansi');
  const [hasNumericKeypad, setHasNumericKeypad] = useState(false);
  const [progress, setProgress] = useState(noKeys);
  const afterArea = useRef<HTMLDivElement>(null);
  const rows = rowsOf(layout, hasNumericKeypad);
  const keyCount = rows.flat().length;
  const missing = missingKeys(rows, progress);
  const latest = latestKey(rows, progress);
  const [chosen, setChosen] = useState('');
  const absentChoice = missing.find(({ code }) => code === chosen) ?? missing[0];

  function onKeyDown(event: KeyboardEvent) {
    event.preventDefault();
    if (event.repeat) return;
    const next = pressKey(progress, event.code);
    setProgress(next);
    if (next.leaves) afterArea.current?.focus();
  }
  /** Windows reports the Print Screen key only when it is released. */
  function onKeyUp(event: KeyboardEvent) {
    event.preventDefault();
    if (!progress.pressed.has(event.code)) setProgress(pressKey(progress, event.code));
  }

  return (
    <TestCard
      {...props}
      instructions={
        <p id="keyboard-help">
          Click the keyboard below, or move to it with Tab, and press each key once. Keys are counted there
          and do nothing else. <strong>To leave it, press Escape or Tab twice in a row</strong>, or click
          elsewhere. The Fn key alone sends nothing and is not listed.
        </p>
      }
      passLabel="All keys work"
      before={
        missing.length === 0
          ? null
          : `All keys work once each was pressed or is marked as not there: ${missing.length} to go.`
      }
      failLabel="Some keys do not work"
      finding={keyboardFinding(rows, progress)}
    >
      <div className="flex flex-wrap items-end gap-4">
        <Field label="Layout" className="w-full max-w-md">
          <Select
            value={layout}
            onChange={(event) => setLayout(event.target.value === 'iso' ? 'iso' : 'ansi')}
          >
            <Options values={['ansi', 'iso']} label={(name) => layouts[name].name} />
          </Select>
        </Field>
        <label className="flex min-h-11 items-center gap-2">
          <Checkbox
            checked={hasNumericKeypad}
            onChange={(event) => setHasNumericKeypad(event.target.checked)}
          />
          With a numeric keypad
        </label>
      </div>
      <div
        role="application"
        aria-label="Keyboard to test"
        aria-describedby="keyboard-help"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys
        tabIndex={0}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
        onContextMenu={(event) => event.preventDefault()}
        className="mt-4 rounded-lg border border-border bg-subtle p-2 sm:p-3"
      >
        <div aria-hidden="true" className="flex flex-col gap-1">
          {rows.map((row) => (
            <div key={row[0]?.code} className="flex flex-wrap gap-1 sm:flex-nowrap">
              {row.map((key) => (
                <Cap
                  key={key.code}
                  {...key}
                  state={
                    progress.pressed.has(key.code)
                      ? 'pressed'
                      : progress.absent.has(key.code)
                        ? 'absent'
                        : 'missing'
                  }
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div ref={afterArea} tabIndex={-1} className="mt-3 outline-none">
        <p role="status">
          {latest !== null && `${latest}. `}
          {keyCount - missing.length} of {keyCount} keys
          {missing.length === 0 ? ': all of them.' : '.'}
        </p>
        {missing.length > 0 && missing.length <= 20 && (
          <p className="text-muted text-sm">Still missing: {missing.map(({ words }) => words).join(', ')}</p>
        )}
      </div>
      {absentChoice !== undefined && (
        <div className="mt-3 flex flex-wrap items-end gap-3">
          <Field label="A key that this keyboard does not have" className="w-full max-w-xs">
            <Select value={absentChoice.code} onChange={(event) => setChosen(event.target.value)}>
              {missing.map(({ code, words }) => (
                <option key={code} value={code}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <SecondaryButton onClick={() => setProgress(markAbsent(progress, absentChoice.code))}>
            It is not there
          </SecondaryButton>
        </div>
      )}
    </TestCard>
  );
}
