import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReport } from './report-parsers/read-report.ts';
import { parseReport } from './report-parsers/report.ts';
import { codeResponse, readScripts } from './scripts.ts';

const run = promisify(execFile);
const origin = 'https://shop.example';
const code = '0000-0000-0000';

/** What `system_profiler` reports by data type. The Mac’s language is French. */
const dataTypes = {
  SPHardwareDataType: [
    {
      machine_name: 'MacBook Air',
      machine_model: 'Mac14,2',
      chip_type: 'Apple M2',
      serial_number: 'C02ABCDEFG12',
      activation_lock_status: 'activation_lock_disabled',
    },
  ],
  SPMemoryDataType: [{ dimm_type: 'LPDDR5', SPMemoryDataType: '16 GB' }],
  SPNVMeDataType: [
    {
      _name: 'Generic SSD Controller',
      _items: [
        { _name: 'SAMPLE X5', detachable_drive: 'yes', size: '2 To', size_in_bytes: 2_000_398_934_016 },
      ],
    },
    {
      _name: 'Apple SSD Controller',
      _items: [
        {
          _name: 'APPLE SSD AP0512Z',
          detachable_drive: 'no',
          removable_media: 'no',
          size: '500,28 Go',
          size_in_bytes: 500_277_792_768,
          smart_status: 'Verified',
        },
      ],
    },
  ],
  SPSerialATADataType: [],
  SPDisplaysDataType: [{ sppci_model: 'Apple M2', sppci_bus: 'spdisplays_builtin' }],
  SPPowerDataType: [
    {
      sppower_battery_health_info: {
        sppower_battery_cycle_count: 41,
        sppower_battery_health_maximum_capacity: '97\u00a0%',
      },
    },
  ],
};

/** Commands of macOS. `system_profiler` writes one document for the data types that it is asked for. */
const commands = {
  system_profiler: `[ "$1" = -json ] || exit 1
shift
separator='{'
for type in "$@"; do
  printf '%s"%s":' "$separator" "$type"
  cat "$0.$type"
  separator=,
done
echo '}'`,
  sysctl: 'case $2 in hw.memsize) echo 17179869184 ;; machdep.cpu.brand_string) echo "Apple M2" ;; esac',
  sw_vers: "printf 'ProductName:\\t\\tmacOS\\nProductVersion:\\t\\t15.1\\nBuildVersion:\\t\\t24B83\\n'",
  profiles: "printf 'Enrolled via DEP: No\\nMDM enrollment: No\\n'",
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coomercio-macos-'));
  for (const [name, content] of Object.entries(commands)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${content}\n`, { mode: 0o755 });
  }
  for (const [type, content] of Object.entries(dataTypes)) {
    await writeFile(join(folder, `system_profiler.${type}`), JSON.stringify(content));
  }
});
afterAll(() => rm(folder, { recursive: true }));

test('the script for macOS reports what the commands of macOS say, and nothing of an external drive is read', async () => {
  const scripts = await readScripts();
  const script = scripts.find(({ system }) => system === 'macos');
  const { fileCommand } =
    codeResponse({ code, expiresAt: new Date() }, scripts, origin).scripts.find(
      ({ system }) => system === 'macos',
    ) ?? {};
  if (script === undefined || fileCommand === undefined) throw new Error('there is no script for macOS');
  await writeFile(join(folder, script.fileName), script.content);
  // As the page says: the saved script in the home folder, and the line that the page shows.
  await run('sh', ['-c', fileCommand], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}` },
  });
  const report = parseReport(await readFile(join(folder, 'laptop-report.txt'), 'utf8'));
  if ('problem' in report) throw new Error(report.problem);
  const reading = readReport(report);
  if ('problem' in reading) throw new Error(reading.problem);
  expect(reading.machine).toMatchObject({
    maker: { value: 'Apple' },
    model: { value: 'Mac14,2' },
    processor: { value: 'Apple M2' },
    memory: { value: 16 },
    memoryModules: { value: [{ gigabytes: 16, kind: 'LPDDR5', speed: null }] },
    drives: [{ model: 'APPLE SSD AP0512Z', gigabytes: 500, kind: 'SSD', healthy: true }],
    graphics: ['Apple M2'],
    system: { value: 'macOS 15.1' },
    battery: { value: { health: 97, cycles: 41 } },
    locks: { management: 'not_found', activationLock: 'not_found' },
  });
});
