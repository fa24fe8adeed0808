import { useRef, useState } from 'react';
import { browserWords } from '../../inspections/check-words.ts';
import { SecondaryButton } from '../../ui/button.tsx';
import { type GraphicsReading, readGraphics } from './read-graphics.ts';
import { TestCard, type TestProps } from './test-card.tsx';

const drawn = {
  works: 'The graphics drew the four colours correctly.',
  wrong: 'The graphics drew wrong colours.',
  none: 'This browser cannot draw with the graphics adapter. Try another browser, or skip this test.',
} as const;

/** Draws with the graphics adapter, and reads its name. */
export function GraphicsTest(props: TestProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [reading, setReading] = useState<GraphicsReading | null>(null);
  const finding = reading?.facts.renderer ?? null;
  const words = reading && browserWords({ ...reading.facts, refreshRate: null });
  const outcome =
    reading === null ? null : reading.draws === null ? 'none' : reading.draws ? 'works' : 'wrong';
  return (
    <TestCard
      {...props}
      onAnswer={(answer) =>
        props.onAnswer(
          answer.outcome === 'skipped' || reading === null ? answer : { ...answer, browser: reading.facts },
        )
      }
      name="graphics"
      instructions={
        <p>
          The page draws four coloured squares with the graphics adapter, and reads its name, the number of
          processors, the memory and the size of the screen as far as the browser tells them. The shop
          compares them with the measurement: a clear difference is shown to the seller.
        </p>
      }
      passLabel="The picture is right"
      before={outcome === 'works' ? null : 'Draw the picture first.'}
      failLabel="It is not right"
      finding={() => finding}
    >
      <SecondaryButton onClick={() => canvas.current !== null && setReading(readGraphics(canvas.current))}>
        {reading === null ? 'Draw' : 'Draw again'}
      </SecondaryButton>
      <div className="mt-4 flex flex-wrap items-start gap-5">
        <canvas
          ref={canvas}
          width={128}
          height={128}
          role="img"
          aria-label="Blue and white above red and green"
          className="size-32 rounded-lg border border-border-strong bg-subtle"
        />
        <div role="status" className="min-w-0 flex-1 basis-60 wrap-anywhere">
          {outcome !== null && <p className="font-semibold">{drawn[outcome]}</p>}
          {reading !== null && (
            <>
              <p className="mt-2">Graphics adapter: {finding ?? 'unknown'}</p>
              <p className="mt-1 text-muted">{words ?? 'The browser tells nothing else.'}</p>
            </>
          )}
        </div>
      </div>
    </TestCard>
  );
}
