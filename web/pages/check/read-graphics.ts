import type { BrowserFacts } from '#contract/certification/browser-checks.ts';
import { toLine } from './check-progress.ts';

/** What the test of graphics found. */
export interface GraphicsReading {
  facts: Omit<BrowserFacts, 'refreshRate'>;
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

/** Chromium's `navigator.deviceMemory`, in gigabytes; null elsewhere. */
function readMemory(): number | null {
  const memory: unknown = Reflect.get(navigator, 'deviceMemory');
  return typeof memory === 'number' && memory >= 0.1 && memory <= 1024 ? memory : null;
}

const isSize = (value: number) => Number.isInteger(value) && value >= 1 && value <= 20_000;

/** Draws on a canvas with WebGL, and reads what the browser says about the machine. */
export function readGraphics(canvas: HTMLCanvasElement): GraphicsReading {
  const gl = canvas.getContext('webgl', { preserveDrawingBuffer: true });
  const { width, height } = screen;
  const { hardwareConcurrency: processors } = navigator;
  return {
    draws: gl && drawQuarters(gl, canvas.width),
    facts: {
      renderer: gl && readRenderer(gl),
      processors: Number.isInteger(processors) && processors >= 1 && processors <= 1024 ? processors : null,
      memory: readMemory(),
      screen: isSize(width) && isSize(height) ? { width, height } : null,
    },
  };
}
