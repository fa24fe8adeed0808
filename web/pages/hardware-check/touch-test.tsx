import { type PointerEvent, useState } from 'react';
import { checkLabels } from '#contract/certification/browser-checks.ts';
import { Button } from '../../ui/button.tsx';
import { Step } from './step.tsx';
import { TestCard, type TestProps } from './test-card.tsx';

const COLUMNS = 4;
const ROWS = 3;
const cells = Array.from({ length: COLUMNS * ROWS }, (_, at) => at);

/** A laptop without a touch screen has nothing to test. */
function NoTouchScreen({ name, onAnswer }: TestProps) {
  return (
    <Step test={name} title={checkLabels[name]} className="min-w-0">
      <p className="mt-2 mb-5 max-w-prose">
        The browser reports no touch screen, so there is nothing to test. The result says “Skipped: no touch
        screen”.
      </p>
      <Button onClick={() => onAnswer({ outcome: 'skipped', note: 'No touch screen' })}>Continue</Button>
    </Step>
  );
}

/** A finger moves over the whole of an area. */
export function TouchTest(props: TestProps) {
  const [touched, setTouched] = useState<ReadonlySet<number>>(new Set());
  if (navigator.maxTouchPoints === 0) return <NoTouchScreen {...props} />;

  function onPointer({ pointerType, clientX, clientY, currentTarget }: PointerEvent) {
    if (pointerType !== 'touch') return;
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const column = Math.floor(((clientX - left) / width) * COLUMNS);
    const row = Math.floor(((clientY - top) / height) * ROWS);
    if (column < 0 || column >= COLUMNS || row < 0 || row >= ROWS) return;
    const cell = row * COLUMNS + column;
    if (!touched.has(cell)) setTouched((before) => new Set([...before, cell]));
  }
  const left = cells.length - touched.size;
  return (
    <TestCard
      {...props}
      instructions={<p>Move a finger over every field of the area. A mouse or touchpad does not count.</p>}
      passLabel="The touch screen works"
      before={left === 0 ? null : `It works once every field was touched: ${left} to go.`}
      failLabel="It does not work"
    >
      <div
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        className="grid h-64 touch-none select-none grid-cols-4 gap-1 rounded-lg border border-border-strong bg-subtle p-1 sm:h-80"
      >
        {cells.map((cell) => (
          <span
            key={cell}
            className={`grid place-items-center rounded-md border text-sm ${touched.has(cell) ? 'border-success bg-success-soft text-success' : 'border-border bg-surface text-muted'}`}
          >
            {touched.has(cell) ? 'Done' : 'Touch'}
          </span>
        ))}
      </div>
      <p role="status" className="mt-3">
        {touched.size} of {cells.length} fields touched
      </p>
    </TestCard>
  );
}
