import { useRef, useState } from 'react';
import { BrowserFacts } from '#contract/certification/browser-checks.ts';
import { browserWords } from '../../inspections/check-words.ts';
import { SecondaryButton } from '../../ui/button.tsx';
import { toLine } from './check-progress.ts';
import { TestCard, type TestProps } from './test-card.tsx';

/** What the test of graphics found. */
interface GraphicsReading {
  facts: BrowserFacts;
  /** Whether WebGL drew what it was asked to; null when the browser has no WebGL. */
  draws: boolean | null;
}

/** Red, green, blue and white, from the lower left. */
const quarters = [
  [0, 0, 255, 0, 0],
  [1, 0, 0, 255, 0],
  [0, 1, 0, 0, 255],
  [1, 1, 255, 255, 255],
] as const;

/** Fills each quarter of the canvas with one colour, and reads a pixel of each. */
function drawQuarters(gl: WebGLRenderingContext, side: number): boolean {
  const half = side / 2;
  gl.enable(gl.SCISSOR_TEST);
  for (const [column, row, red, green, blue] of quarters) {
    gl.scissor(column * half, row * half, half, half);
    gl.clearColor(red / 255, green / 255, blue / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }
  return quarters.every(([column, row, ...colour]) => {
    const pixel = new Uint8Array(4);
    gl.readPixels((column + 0.5) * half, (row + 0.5) * half, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return colour.every((value, at) => pixel[at] === value);
  });
}

function readRenderer(gl: WebGLRenderingContext): string | null {
  const extension = gl.getExtension('WEBGL_debug_renderer_info');
  // Firefox gives the renderer without the extension.
  const name: unknown = gl.getParameter(extension?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return typeof name === 'string' ? toLine(name, 200) : null;
}

/** Draws on a canvas with WebGL, and reads what the browser says about the machine: null for what the shop would not take. */
function readGraphics(canvas: HTMLCanvasElement): GraphicsReading {
  const gl = canvas.getContext('webgl', { preserveDrawingBuffer: true });
  const { memory, screen: size } = BrowserFacts.shape;
  return {
    draws: gl && drawQuarters(gl, canvas.width),
    facts: {
      renderer: gl && readRenderer(gl),
      // Only Chromium has it.
      memory: memory.safeParse(Reflect.get(navigator, 'deviceMemory')).data ?? null,
      screen: size.safeParse({ width: screen.width, height: screen.height }).data ?? null,
    },
  };
}

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
  const words = reading && browserWords(reading.facts);
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
      instructions={
        <p>
          The page draws four coloured squares with the graphics adapter, and reads its name, the memory and
          the size of the screen as far as the browser tells them. The shop compares them with the
          measurement: a clear difference is shown to the seller.
        </p>
      }
      passLabel="The picture is right"
      before={outcome === 'works' ? null : 'Draw the picture first.'}
      failLabel="It is not right"
      finding={finding}
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
