import * as z from 'zod';
import type { Drive } from '#contract/machine.ts';
import { toInteger } from './values.ts';

/** The parts of `smartctl --json` that are shown. */
const SmartReport = z.object({
  smart_status: z.object({ passed: z.boolean() }).optional().catch(undefined),
  power_on_time: z.object({ hours: z.number() }).optional().catch(undefined),
  nvme_smart_health_information_log: z.object({ percentage_used: z.number() }).optional().catch(undefined),
});

/** What a drive says of its own condition, from the parsed output of `smartctl -a --json`. */
export function readSmart(report: unknown): Pick<Drive, 'hours' | 'wear' | 'healthy'> {
  const smart = SmartReport.safeParse(report).data;
  return {
    hours: toInteger(smart?.power_on_time?.hours, 0, 500_000),
    wear: toInteger(smart?.nvme_smart_health_information_log?.percentage_used, 0, 255),
    healthy: smart?.smart_status?.passed ?? null,
  };
}
