import { createMeasurementCode } from '#contract/certification/inspections.ts';
import type { Person, SharedShop } from '#tests/harness/operations/shop.ts';

/** The parts of a report that tests vary. */
export interface ReportedMachine {
  /** Percent of the battery's capacity when new. */
  health?: number;
  /** As the firmware reports it. */
  model?: string;
  gigabytes?: number;
  /** Whether a firmware password is set. */
  locked?: boolean;
}

/** The firmware's table with one memory module (DMTF DSP0134, 7.18), as a hexadecimal dump. */
function memoryTable(gigabytes: number): string {
  const module = Buffer.alloc(0x28);
  module.set([17, module.length]);
  module.writeUInt16LE(gigabytes * 1024, 0x0c);
  return Buffer.from([...module, 0, 0, 127, 4, 0, 0, 0, 0])
    .toString('hex')
    .replace(/../g, ' $&');
}

/** Writes a report with a new code, as the script for Linux does. */
export async function writeReport(
  seller: Pick<Person, 'client'>,
  laptopId: string,
  { health = 91, model = 'EliteBook 840 G8', gigabytes = 16, locked = false }: ReportedMachine = {},
): Promise<string> {
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  const sections = {
    'dmi/sys_vendor': 'HP',
    'dmi/product_name': model,
    'dmi/product_serial': `5CG${laptopId.slice(0, 8)}`,
    cpuinfo: 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz',
    smbios: memoryTable(gigabytes),
    'battery/BAT0/energy_full_design': '50000000',
    'battery/BAT0/energy_full': `${health * 500_000}`,
    'battery/BAT0/cycle_count': '212',
    'firmware/hp/authentication/Admin/is_enabled': locked ? '1' : '0',
  };
  const lines = Object.entries(sections).flatMap(([name, value]) => [`== ${name}`, `\t${value}`]);
  return ['laptop-report 1', `code ${code}`, 'system linux', ...lines, '== end', ''].join('\n');
}

/** Lets a laptop send its report. */
export async function measure(
  shop: Pick<SharedShop, 'origin'>,
  seller: Pick<Person, 'client'>,
  laptopId: string,
  machine?: ReportedMachine,
): Promise<void> {
  const response = await fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: await writeReport(seller, laptopId, machine),
  });
  if (response.status !== 200) throw new Error(await response.text());
}
