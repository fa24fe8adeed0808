import { describe, expect, test } from 'vitest';
import { readWindowsReport } from './windows.ts';

/** Reads sections; each value that is not a text is written as JSON. */
const read = (sections: Record<string, unknown>) =>
  readWindowsReport(
    new Map(
      Object.entries(sections).map(([name, content]) => [
        name,
        typeof content === 'string' ? content : JSON.stringify(content),
      ]),
    ),
  );

const disk = (values: Record<string, unknown>) => ({
  DeviceId: '0',
  FriendlyName: 'SAMPLE 512',
  MediaType: 'SSD',
  BusType: 'NVMe',
  Size: 512_110_190_592,
  SerialNumber: 'S4ENX0N12345',
  HealthStatus: 'Healthy',
  ...values,
});

describe('drives', () => {
  test.each([
    ['USB', 'Unspecified'],
    ['SD', 'Unspecified'],
    ['File Backed Virtual', 'Unspecified'],
    ['Spaces', 'SSD'],
    ['Storage Spaces', 'SSD'],
    ['iSCSI', 'Unspecified'],
    ['Fibre Channel', 'HDD'],
    ['1394', 'HDD'],
    ['SAS', 'SSD'],
    ['SCSI', 'SSD'],
    ['Unknown', 'SSD'],
    ['7', '4'],
    ['12', '0'],
    ['15', '0'],
    ['', 'SSD'],
  ])('connected by “%s” are not the laptop’s', (BusType, MediaType) => {
    const { machine, identity } = read({ drives: [disk({ BusType, MediaType })] });
    expect(machine.drives).toEqual([]);
    expect(identity.driveSerials).toEqual([]);
  });

  test.each([
    ['NVMe', 'SSD', 'SSD'],
    ['NVMe', 'Unspecified', 'SSD'],
    ['RAID', 'SSD', 'SSD'],
    ['RAID', 'Unspecified', null],
    ['SATA', 'HDD', 'HDD'],
    ['SATA', 'SSD', 'SSD'],
    ['MMC', 'SSD', 'eMMC'],
    ['UFS', 'SSD', 'SSD'],
    ['17', '4', 'SSD'],
    ['11', '3', 'HDD'],
    [17, 4, 'SSD'],
    [13, 0, 'eMMC'],
  ])('connected by %s with the medium %s are the laptop’s, of the kind %s', (BusType, MediaType, kind) => {
    expect(read({ drives: [disk({ BusType, MediaType })] }).machine.drives).toMatchObject([
      { gigabytes: 512, kind },
    ]);
  });

  test.each([
    ['Healthy', true],
    ['0', true],
    ['Warning', false],
    ['Unhealthy', false],
    ['2', false],
    ['Unknown', null],
    ['5', null],
  ])('“%s” as health is %s', (HealthStatus, healthy) => {
    expect(read({ drives: [disk({ HealthStatus })] }).machine.drives).toMatchObject([{ healthy }]);
  });
});

describe('the battery', () => {
  const first = { InstanceName: 'ACPI\\PNP0C0A\\1_0', DesignedCapacity: 24_000 };
  const second = { InstanceName: 'ACPI\\PNP0C0A\\2_0', DesignedCapacity: 48_000 };
  const full = [
    { InstanceName: second.InstanceName, FullChargedCapacity: 24_000 },
    { InstanceName: first.InstanceName, FullChargedCapacity: 24_000 },
  ];
  const cycles = [
    { InstanceName: second.InstanceName, CycleCount: 300 },
    { InstanceName: first.InstanceName, CycleCount: 0 },
  ];
  const reported = {
    Id: 'SAMPLE',
    LongTerm: '1',
    RelativeCapacity: '0',
    DesignCapacity: '50000',
    FullChargeCapacity: '40000',
    CycleCount: '120',
  };
  const failed = '[]\nerror: Generic failure';
  const battery = (sections: Record<string, unknown>) => read(sections).machine.battery?.value;

  test('two batteries are matched by their instance, not by their order', () => {
    const sections = { 'battery-design': [first, second], 'battery-full': full, 'battery-cycles': cycles };
    expect(battery(sections)).toEqual({ designMwh: 72_000, fullMwh: 48_000, health: 67, cycles: 300 });
  });

  test('where Get-CimInstance fails, Get-WmiObject is read', () => {
    const sections = {
      'battery-design': failed,
      'battery-design-wmi': [first, second],
      'battery-full': full,
      'battery-report': [reported],
    };
    expect(battery(sections)).toMatchObject({ designMwh: 72_000, health: 67 });
  });

  test('where both fail, the report of powercfg is read', () => {
    const sections = {
      'battery-design': failed,
      'battery-design-wmi': '[]\nerror: The term Get-WmiObject is not recognized',
      'battery-full': full,
      'battery-report': [reported],
    };
    expect(battery(sections)).toEqual({ designMwh: 50_000, fullMwh: 40_000, health: 80, cycles: 120 });
  });

  test.each([
    ['a capacity without the other', { 'battery-design': [first], 'battery-full': failed }],
    ['one of two batteries', { 'battery-design': [first, second], 'battery-full': [full[0]] }],
    [
      'capacities that cannot be told apart',
      {
        'battery-design': [{ DesignedCapacity: 50_000 }],
        'battery-full': [{ FullChargedCapacity: 40_000 }, { FullChargedCapacity: 30_000 }],
      },
    ],
    [
      'a capacity in percent',
      { 'battery-design': [{ DesignedCapacity: 100 }], 'battery-full': [{ FullChargedCapacity: 93 }] },
    ],
    ['a relative capacity', { 'battery-report': [{ ...reported, RelativeCapacity: '1' }] }],
    [
      'one of two batteries of powercfg',
      { 'battery-report': [reported, { ...reported, DesignCapacity: '0' }] },
    ],
  ])('%s is unknown', (_name, sections) => {
    expect(battery(sections)).toBeUndefined();
  });

  test('an uninterruptible power supply is not the laptop’s', () => {
    const supply = 'HID\\VID_051D\\5_0';
    const wmi = {
      'battery-design': [{ InstanceName: supply, DesignedCapacity: 100_000 }, first, second],
      'battery-full': [{ InstanceName: supply, FullChargedCapacity: 90_000 }, ...full],
    };
    expect(battery(wmi)).toMatchObject({ designMwh: 72_000 });
    expect(battery({ 'battery-report': [{ ...reported, LongTerm: '0' }, reported] })).toMatchObject({
      designMwh: 50_000,
    });
  });
});

describe('graphics', () => {
  test('of software, of a dock at USB and of a missing driver are not the laptop’s', () => {
    const graphics = [
      { Name: 'Intel(R) Iris(R) Xe Graphics', PNPDeviceID: 'PCI\\VEN_8086&DEV_9A49\\3' },
      { Name: 'Remote Display Adapter', PNPDeviceID: 'SWD\\REMOTEDISPLAYENUM\\1' },
      { Name: 'Virtual Display', PNPDeviceID: 'ROOT\\DISPLAY\\0000' },
      { Name: 'DisplayLink USB Device', PNPDeviceID: 'USB\\VID_17E9\\1' },
      { Name: 'Microsoft Basic Display Adapter', PNPDeviceID: 'PCI\\VEN_10DE&DEV_25A2\\4' },
    ];
    expect(read({ graphics }).machine.graphics).toEqual(['Intel(R) Iris(R) Xe Graphics']);
  });
});

describe('management', () => {
  test.each([
    ['no line of dsregcmd', ''],
    ['a command that failed', 'error: The term dsregcmd is not recognized'],
    ['half of the lines', 'AzureAdJoined : NO'],
    ['an error that contains the words', 'error: AzureAdJoined : NO, DomainJoined : NO'],
  ])('%s leaves it unknown', (_name, state) => {
    expect(read({ 'join-state': state }).machine.locks.management).toBe('unknown');
  });
});

test('an error beside values is no value', () => {
  const { machine } = read({
    'firmware-date': '2021-03-09\nerror: Access denied',
    product: '[]\nerror: [{"Vendor":"LENOVO"}]',
    drives: `${JSON.stringify([disk({})])}\nerror: Access denied`,
  });
  expect(machine.firmwareDate?.value).toBe('2021-03-09');
  expect(machine.maker).toBeNull();
  expect(machine.drives).toHaveLength(1);
});

test('a processor’s name without a model is none', () => {
  const processorOf = (Name: string) => read({ processor: [{ Name }] }).machine.processor?.value;
  expect(processorOf('Genuine Intel(R) CPU 0000 @ 2.00GHz')).toBeUndefined();
  expect(processorOf('Intel(R) Core(TM) Ultra 7 155H')).toBe('Intel(R) Core(TM) Ultra 7 155H');
});
