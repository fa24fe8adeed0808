import * as z from 'zod';
import type { Drive } from '#contract/certification/machine.ts';
import { firstItems, toInteger } from './values.ts';

/** Drives have eight pages of statistics (ACS-4, 9.5), each of 512 bytes with 8 bytes per value. */
const MAXIMUM_PAGES = 16;
const MAXIMUM_VALUES = 64;

/** The parts of `smartctl --json` that are shown. */
const SmartReport = z.object({
  smart_status: z.object({ passed: z.boolean() }).optional().catch(undefined),
  power_on_time: z.object({ hours: z.number() }).optional().catch(undefined),
  // Newer versions of smartctl, for all drives.
  endurance_used: z.object({ current_percent: z.number() }).optional().catch(undefined),
  ata_device_statistics: z
    .object({
      pages: firstItems(
        z.object({
          number: z.number(),
          table: firstItems(z.object({ offset: z.number(), value: z.number().optional() }), MAXIMUM_VALUES),
        }),
        MAXIMUM_PAGES,
      ),
    })
    .optional()
    .catch(undefined),
  nvme_smart_health_information_log: z.object({ percentage_used: z.number() }).optional().catch(undefined),
});

type SmartReport = z.output<typeof SmartReport>;

/** Where SATA drives keep "Percentage Used Endurance Indicator" (ACS-4, 9.5.10): page and offset of their statistics. */
const SSD_STATISTICS_PAGE = 7;
const PERCENTAGE_USED_OFFSET = 8;

/** The percentage of the rated writes; undefined when the drive does not report it. */
function wearOf(smart: SmartReport | undefined): number | undefined {
  const page = smart?.ata_device_statistics?.pages.find(({ number }) => number === SSD_STATISTICS_PAGE);
  return (
    smart?.nvme_smart_health_information_log?.percentage_used ??
    smart?.endurance_used?.current_percent ??
    page?.table.find(({ offset }) => offset === PERCENTAGE_USED_OFFSET)?.value
  );
}

/** What a drive says of its own condition, from the parsed output of `smartctl -H -A -l devstat --json`. */
export function readSmart(report: unknown): Pick<Drive, 'hours' | 'wear' | 'healthy'> {
  const smart = SmartReport.safeParse(report).data;
  return {
    hours: toInteger(smart?.power_on_time?.hours, 0, 500_000),
    wear: toInteger(wearOf(smart), 0, 255),
    healthy: smart?.smart_status?.passed ?? null,
  };
}
