import type { Battery } from '#contract/certification/machine.ts';

/** One battery as its counter reports it. */
export interface BatteryCounter {
  designMwh: number;
  fullMwh: number;
  cycles: number | null;
}

/** A laptop's batteries together, with the cycles of the most used one; null without any. */
export function combineBatteries(batteries: readonly BatteryCounter[]): Battery | null {
  const designMwh = batteries.reduce((sum, battery) => sum + battery.designMwh, 0);
  const fullMwh = batteries.reduce((sum, battery) => sum + battery.fullMwh, 0);
  // A counter that is off by this much was reset or is another battery's. The sum of several can hide it.
  if (designMwh === 0 || batteries.some((battery) => battery.fullMwh > battery.designMwh * 1.3)) return null;
  const cycles = batteries.flatMap((battery) => battery.cycles ?? []);
  return {
    health: Math.round((fullMwh / designMwh) * 100),
    designMwh,
    fullMwh,
    cycles: cycles.length === 0 ? null : Math.max(...cycles),
  };
}
