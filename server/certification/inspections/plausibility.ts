import type { BrowserFacts, Implausibility } from '#contract/certification/browser-checks.ts';
import { type Machine, memoryText } from '#contract/certification/machine.ts';

/** Words by which a name of a graphics adapter shows its maker. */
const graphicsMakers = {
  Intel: ['intel', 'iris', 'uhd graphics'],
  NVIDIA: ['nvidia', 'geforce', 'quadro'],
  AMD: ['amd', 'radeon', 'ati technologies'],
  Apple: ['apple'],
  Qualcomm: ['qualcomm', 'adreno'],
} as const;

/** The maker of a graphics adapter; null for an unknown one and for drawing without an adapter, such as SwiftShader. */
function makerOf(name: string): string | null {
  const words = name.toLowerCase();
  // A renderer without an adapter can name the processor that draws.
  if (['swiftshader', 'llvmpipe', 'softpipe', 'basic render'].some((part) => words.includes(part)))
    return null;
  const found = Object.entries(graphicsMakers).find(([, parts]) =>
    parts.some((part) => new RegExp(`\\b${part}\\b`).test(words)),
  );
  return found?.[0] ?? null;
}

function compareGraphics({ renderer }: BrowserFacts, { graphics }: Machine): Implausibility[] {
  if (renderer === null || graphics.length === 0) return [];
  const seen = makerOf(renderer);
  const makers = graphics.map(makerOf);
  // An adapter that is not recognized may be the browser's.
  if (seen === null || makers.includes(null) || makers.includes(seen)) return [];
  return [{ subject: 'Graphics', browser: renderer, measured: graphics.join(', ') }];
}

/** The largest values that versions of Chromium give, whatever the memory is. */
const MEMORY_CAPS = [8, 32];
/** The browser rounds to a power of two, at most by this factor. */
const MEMORY_ROUNDING = 1.5;

function compareMemory({ memory: seen }: BrowserFacts, { memory }: Machine): Implausibility[] {
  if (seen === null || memory === null) return [];
  // More than a lower bound is no difference.
  const isMore = 'value' in memory && seen > memory.value * MEMORY_ROUNDING;
  const least = 'value' in memory ? memory.value : memory.atLeast;
  const isLess = !MEMORY_CAPS.includes(seen) && seen * MEMORY_ROUNDING < least / MEMORY_ROUNDING;
  if (!isMore && !isLess) return [];
  return [{ subject: 'Memory', browser: `about ${seen} GB`, measured: memoryText(memory) }];
}

/** The scale of a browser changes the size of a screen, not its proportions, apart from rounding. */
const PROPORTION_TOLERANCE = 0.04;

const proportion = ({ width, height }: { width: number; height: number }) =>
  Math.max(width, height) / Math.min(width, height);

function compareScreen({ screen: seen }: BrowserFacts, { screen }: Machine): Implausibility[] {
  if (seen === null || screen === null) return [];
  const difference = Math.abs(proportion(seen) / proportion(screen.value) - 1);
  if (difference <= PROPORTION_TOLERANCE) return [];
  const { width, height } = screen.value;
  return [
    {
      subject: 'Display',
      browser: `${seen.width} × ${seen.height}`,
      measured: `${width} × ${height} pixels`,
    },
  ];
}

/**
 * Compares what the browser says with the measurement. Browsers round and hide values, so only a clear difference counts,
 * and the absence of one does not show that both come from the same machine.
 */
export function findImplausibilities(browser: BrowserFacts, machine: Machine): Implausibility[] {
  return [
    ...compareGraphics(browser, machine),
    ...compareMemory(browser, machine),
    ...compareScreen(browser, machine),
  ];
}
