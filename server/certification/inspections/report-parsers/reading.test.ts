import { describe, expect, test } from 'vitest';
import { driveLinks, hexDump, sampleEdid, sampleSmbios } from '../testing/linux-tree.ts';
import { readReport } from './read-report.ts';
import { parseReport } from './report.ts';

/** Writes a report as the scripts do. */
function report(system: string, sections: Record<string, string>): string {
  return [
    'laptop-report 1',
    'code 0000-0000-0000',
    `system ${system}`,
    ...Object.entries(sections).flatMap(([name, content]) => [
      `== ${name}`,
      ...content.split('\n').map((line) => `\t${line}`),
    ]),
    '== end',
    '',
  ].join('\n');
}

function read(system: string, sections: Record<string, string>) {
  const split = parseReport(report(system, sections));
  if ('problem' in split) throw new Error(split.problem);
  const reading = readReport(split);
  if ('problem' in reading) throw new Error(reading.problem);
  return reading;
}

describe('a report of Windows', () => {
  const sections = {
    product:
      '[{"Vendor":"LENOVO","Name":"20S0000LUS","Version":"ThinkPad T14 Gen 1","IdentifyingNumber":"PF3ABCDE"}]',
    processor: '[{"Name":"Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz","NumberOfCores":4}]',
    board: '[{"Manufacturer":"LENOVO","Product":"20S0000LUS","SerialNumber":"L1HF0AB01CD"}]',
    memory:
      '[{"Capacity":8589934592,"ConfiguredClockSpeed":2667,"SMBIOSMemoryType":26},{"Capacity":"8589934592","ConfiguredClockSpeed":0,"SMBIOSMemoryType":2}]',
    drives:
      '[{"DeviceId":"0","FriendlyName":"SAMSUNG MZVLB512","MediaType":"SSD","BusType":"NVMe","Size":512110190592,"SerialNumber":"S4EN_X0N1.","HealthStatus":"Healthy"},{"DeviceId":"1","FriendlyName":"Stick","MediaType":"Unspecified","BusType":"USB","Size":64000000000,"SerialNumber":"1","HealthStatus":"Healthy"}]',
    'drive-wear': '[{"DeviceId":"0","Wear":3,"PowerOnHours":2110,"ReadErrorsUncorrected":0}]',
    'battery-design': '[{"DesignedCapacity":50450,"ManufactureName":"SMP","DeviceName":"5B10W13932"}]',
    'battery-full': '[{"FullChargedCapacity":44900}]',
    'battery-cycles': '[{"CycleCount":211}]',
    system: '[{"Caption":"Microsoft Windows 11 Pro","Version":"10.0.22631"}]',
  };

  test('is read by the documented properties of WMI; a stick is no drive of the laptop', () => {
    const { machine, identity } = read('windows', sections);
    expect(machine).toMatchObject({
      model: { value: 'ThinkPad T14 Gen 1' },
      board: { value: 'LENOVO 20S0000LUS' },
      memory: { value: 16, source: 'firmware' },
      memoryModules: {
        value: [
          { gigabytes: 8, kind: 'DDR4', speed: 2667 },
          { gigabytes: 8, kind: null, speed: null },
        ],
        source: 'firmware',
      },
      drives: [{ gigabytes: 512, kind: 'SSD', hours: 2110, wear: 3, healthy: true }],
      battery: { value: { health: 89, cycles: 211 } },
      system: { value: 'Microsoft Windows 11 Pro' },
    });
    expect(identity).toMatchObject({ maker: 'LENOVO', serial: 'PF3ABCDE' });
  });

  test('the screen is the one of the internal connection, by its whole device path', () => {
    const hex = Buffer.from(sampleEdid()).toString('hex').replace(/(..)/g, '$1 ');
    const key = (path: string) =>
      `HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Enum\\${path}\\Device Parameters`;
    const connections = (...names: string[]) =>
      JSON.stringify(names.map((name) => ({ InstanceName: name, VideoOutputTechnology: 11 })));
    const edids = `${key('DISPLAY\\BOE0AFC\\4&1')}\n${hex}`;
    const screen = (name: string) =>
      read('windows', { ...sections, edids, 'screen-connection': connections(name) }).machine.screen?.value;
    expect(screen('DISPLAY\\BOE0AFC\\4&1_0')).toEqual({ inches: 14, width: 1920, height: 1080 });
    expect(screen('DISPLAY\\BOE0AFC\\4_0')).toBeUndefined();
    expect(screen('')).toBeUndefined();
  });

  test.each([
    ['AzureAdJoined : YES', 'locked'],
    ['AzureAdJoined : NO\nDomainJoined : NO', 'not_found'],
  ])('%s: management is %s', (state, expected) => {
    expect(read('windows', { ...sections, 'join-state': state }).machine.locks.management).toBe(expected);
  });

  test('an Autopilot tenant means that an organization manages it', () => {
    const autopilot = '[{"CloudAssignedTenantDomain":"example.onmicrosoft.com","IsAutopilotDisabled":0}]';
    expect(read('windows', { ...sections, autopilot }).machine.locks.management).toBe('locked');
  });

  test.each([
    [0, 'not_found'],
    [2, 'locked'],
    [64, 'not_found'],
  ])('Lenovo’s password state %i: the firmware password is %s', (state, expected) => {
    const passwords = { ...sections, 'lenovo-passwords': `[{"PasswordState":${state}}]` };
    expect(read('windows', passwords).machine.locks.firmwarePassword).toBe(expected);
  });
});

describe('a report of Linux', () => {
  const drive = {
    'drive/sda/link': driveLinks.sata,
    'drive/sda/size': '1000215216',
    'drive/sda/queue/rotational': '0',
  };

  test.each([
    ['the statistics of an SSD', { pages: [{ number: 7, table: [{ offset: 8, value: 12 }] }] }, {}, 12],
    ['statistics without the value', { pages: [{ number: 7, table: [{ offset: 8 }] }] }, {}, null],
    ['newer versions of smartctl', undefined, { endurance_used: { current_percent: 34 } }, 34],
    ['another shape', { pages: 'none' }, { endurance_used: [] }, null],
  ])('the wear of a SATA drive: %s', (_name, statistics, others, wear) => {
    const smart = { power_on_time: { hours: 2110 }, ata_device_statistics: statistics, ...others };
    const { machine } = read('linux', { ...drive, 'smart/sda': JSON.stringify(smart) });
    expect(machine.drives).toMatchObject([{ hours: 2110, wear }]);
  });

  test.each([
    ['LENOVO', '20S0000LUS', 'LENOVO 20S0000LUS'],
    ['Apple Inc.', 'To be filled by O.E.M.', undefined],
    ['ASUSTeK', 'ASUSTeK UX425', 'ASUSTeK UX425'],
  ])('the mainboard %s, %s', (maker, model, shown) => {
    const { machine } = read('linux', { 'dmi/board_vendor': maker, 'dmi/board_name': model });
    expect(machine.board?.value).toBe(shown);
  });
});

/** The firmware's table of memory modules, as a section has it. */
const smbiosOf = (megabytes: readonly number[]) => hexDump(sampleSmbios(megabytes));
const UNKNOWN_SIZE = 0xffff;

/** A table whose last module is the firmware's own memory. */
function withFlash(megabytes: readonly number[]): string {
  const table = sampleSmbios(megabytes);
  const lastModule = table.lastIndexOf(17, table.length - 6);
  table[lastModule + 0x12] = 9;
  return hexDump(table);
}

describe('the memory of a Linux laptop', () => {
  test.each<[string, Record<string, string>, object | null]>([
    ['is the sum of its modules', { smbios: smbiosOf([4096, 2048]) }, { value: 6, source: 'firmware' }],
    ['can be 3 GB', { smbios: smbiosOf([2048, 1024]) }, { value: 3, source: 'firmware' }],
    ['can be 10 GB', { smbios: smbiosOf([8192, 2048, 0]) }, { value: 10, source: 'firmware' }],
    [
      'does not count the firmware’s flash',
      { smbios: withFlash([4096, 8]) },
      { value: 4, source: 'firmware' },
    ],
    [
      'is a bound when a module has an unknown size',
      { smbios: smbiosOf([8192, UNKNOWN_SIZE]) },
      { atLeast: 8, source: 'firmware' },
    ],
    [
      'is a bound when it is not a whole number of gigabytes',
      { smbios: smbiosOf([1024, 512]) },
      { atLeast: 1, source: 'firmware' },
    ],
    [
      'is a bound without the table, because graphics reserve a part',
      { meminfo: 'MemTotal:       11953766 kB' },
      { atLeast: 12, source: 'system' },
    ],
    [
      'is a bound when the table has less than the system sees',
      { smbios: smbiosOf([4096]), meminfo: 'MemTotal:       15984128 kB' },
      { atLeast: 16, source: 'system' },
    ],
    [
      'is the table’s when the system sees less',
      { smbios: smbiosOf([8192, 8192]), meminfo: 'MemTotal:       11953766 kB' },
      { value: 16, source: 'firmware' },
    ],
    ['is unknown without both', {}, null],
  ])('%s', (_name, sections, memory) => {
    expect(read('linux', sections).machine.memory).toEqual(memory);
  });

  test('is shown without its modules when one of them is not known', () => {
    for (const modules of [
      [8192, UNKNOWN_SIZE],
      [1024, 512],
    ]) {
      expect(read('linux', { smbios: smbiosOf(modules) }).machine.memoryModules).toBeNull();
    }
  });
});

describe('a report of macOS', () => {
  test.each([3, 6, 10, 18, 36, 80])('%i GB are not rounded', (gigabytes) => {
    const { machine } = read('macos', { 'memory-bytes': String(gigabytes * 2 ** 30) });
    expect(machine.memory).toEqual({ value: gigabytes, source: 'system' });
  });

  test('is read by the documented keys of system_profiler', () => {
    const { machine, identity } = read('macos', {
      hardware:
        '{"SPHardwareDataType":[{"machine_name":"MacBook Air","machine_model":"MacBookAir10,1","chip_type":"Apple M1","serial_number":"FVFXC2ABCDEF","activation_lock_status":"activation_lock_enabled"}]}',
      storage:
        '{"SPNVMeDataType":[{"_items":[{"_name":"APPLE SSD AP0256Q","device_serial":"0ba01","size_in_bytes":251000193024,"smart_status":"Verified"}]}]}',
      memory:
        '{"SPMemoryDataType":[{"dimm_manufacturer":"Hynix","dimm_type":"LPDDR4","SPMemoryDataType":"8 GB"}]}',
      displays: '{"SPDisplaysDataType":[{"sppci_model":"Apple M1"}]}',
      power:
        '{"SPPowerDataType":[{"sppower_battery_health_info":{"sppower_battery_cycle_count":187,"sppower_battery_health_maximum_capacity":"88%"}},{"_name":"sppower_information"}]}',
      'memory-bytes': '8589934592',
      version: 'ProductName:\t\tmacOS\nProductVersion:\t\t15.1\nBuildVersion:\t\t24B83',
      enrollment: 'Enrolled via DEP: No\nMDM enrollment: No',
    });
    expect(machine).toMatchObject({
      model: { value: 'MacBookAir10,1' },
      processor: { value: 'Apple M1' },
      memory: { value: 8 },
      memoryModules: { value: [{ gigabytes: 8, kind: 'LPDDR4', speed: null }], source: 'system' },
      board: null,
      drives: [{ gigabytes: 251, healthy: true }],
      battery: { value: { health: 88, designMwh: null, cycles: 187 } },
      system: { value: 'macOS 15.1' },
      locks: { activationLock: 'locked', management: 'not_found' },
    });
    expect(identity).toMatchObject({ maker: 'Apple', serial: 'FVFXC2ABCDEF' });
  });

  test('names the modules of the slots that Intel’s processors have', () => {
    const module = {
      dimm_size: '4 GB',
      dimm_speed: '2133 MHz',
      dimm_type: 'LPDDR3',
      dimm_serial_number: '-',
    };
    const slots = [module, { dimm_size: 'empty', dimm_speed: 'empty', dimm_type: 'empty' }];
    const memory = JSON.stringify({ SPMemoryDataType: [{ _name: 'memory', _items: slots }] });
    expect(read('macos', { memory }).machine.memoryModules?.value).toEqual([
      { gigabytes: 4, kind: 'LPDDR3', speed: 2133 },
    ]);
  });
});

describe('lists longer than a laptop has', () => {
  // 200,000 wrong items would take hundreds of milliseconds of the process, or overflow its stack.
  const wrong = '0,'.repeat(200_000);

  test('a drive’s statistics are read up to their maximum, and the rest is not validated', () => {
    const page = `{"number":7,"table":[{"offset":8,"value":12},${'{"offset":0},'.repeat(63)}${wrong}0]}`;
    const otherPages = '{"number":0,"table":[]},'.repeat(15);
    for (const pages of [page, `${page.replace(wrong, '')},${otherPages}${wrong}0`]) {
      const { machine } = read('linux', {
        'drive/sda/link': driveLinks.sata,
        'drive/sda/size': '1000215216',
        'smart/sda': `{"ata_device_statistics":{"pages":[${pages}]}}`,
      });
      expect(machine.drives).toMatchObject([{ wear: 12 }]);
    }
  });

  test('a Mac’s memory modules and drives are read up to their maximum', () => {
    const list = (type: string, first: string) =>
      `{"${type}":[{"_items":[${first},${'{},'.repeat(31)}${wrong}0]}]}`;
    const { machine } = read('macos', {
      memory: list('SPMemoryDataType', '{"dimm_size":"4 GB"}'),
    });
    expect(machine.memoryModules?.value).toMatchObject([{ gigabytes: 4 }]);
    const { machine: other } = read('macos', {
      storage: list('SPNVMeDataType', '{"size_in_bytes":251000193024}'),
    });
    expect(other.drives).toMatchObject([{ gigabytes: 251 }]);
  });
});

describe('a report that is not what a script writes', () => {
  test.each([
    ['another text', 'Hello'],
    ['another version', report('linux', {}).replace('report 1', 'report 2')],
    ['no code', report('linux', {}).replace('code 0000-0000-0000', 'code')],
    ['an unknown system', report('beos', {})],
    ['cut off', report('linux', { cpuinfo: 'model name : x' }).slice(0, -8)],
    ['a section twice', report('linux', { cpuinfo: 'a' }).replace('== end', '== cpuinfo\n\tb\n== end')],
    ['a line outside of sections', report('linux', { cpuinfo: 'a' }).replace('== end', 'hello\n== end')],
    [
      'too many sections',
      report('linux', Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`s${at}`, '']))),
    ],
    ['too long', report('linux', { cpuinfo: 'x'.repeat(500_000) })],
  ])('%s is refused in words', (_name, text) => {
    expect(parseReport(text)).toEqual({ problem: expect.stringContaining('Nothing was kept.') });
  });

  test('a serial number is masked by whole characters', () => {
    const { machine } = read('linux', { 'dmi/product_serial': '5C\u{1F600}12345\u{1F600}Z' });
    expect(machine.serial?.value).toBe('5C\u{1F600}…\u{1F600}Z');
  });

  test('hostile content of every section leaves the values unknown', () => {
    const hostile = [
      '\u202Eevil',
      '\u0000',
      '<script>'.repeat(50),
      '[[[[[[',
      '9'.repeat(400),
      '{"a":1}',
      '-1',
      '1e999',
      '[{"Vendor":"\\ud800","Name":"\\udfff"}]',
    ];
    for (const content of hostile) {
      const names = [
        'product',
        'board',
        'processor',
        'memory',
        'drives',
        'drive-wear',
        'battery-design',
        'battery-full',
        'system',
      ];
      const { machine } = read('windows', Object.fromEntries(names.map((name) => [name, content])));
      expect(machine).toMatchObject({
        maker: null,
        board: null,
        memory: null,
        memoryModules: null,
        drives: [],
        battery: null,
        system: null,
      });
    }
  });
});
