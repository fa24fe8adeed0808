import { describe, expect, test } from 'vitest';
import { readMacosReport } from './macos.ts';

const read = (sections: Record<string, unknown>) =>
  readMacosReport(
    new Map(Object.entries(sections).map(([name, content]) => [name, JSON.stringify(content)])),
  );

const apple = {
  _name: 'APPLE SSD AP0256Q',
  detachable_drive: 'no',
  device_serial: '0ba01e6ebe08d5c1',
  removable_media: 'no',
  size_in_bytes: 251_000_193_024,
  smart_status: 'Verified',
};
const external = { ...apple, _name: 'Samsung SSD 990 PRO', device_serial: 'S6Z1NJ0W4', size_in_bytes: 2e12 };
const nvme = (...items: unknown[]) => ({ SPNVMeDataType: [{ _name: 'SSD Controller', _items: items }] });
const sata = (_name: string, ...items: unknown[]) => ({ SPSerialATADataType: [{ _name, _items: items }] });

describe('drives', () => {
  test.each([
    ['says that it can be detached', { ...external, detachable_drive: 'yes' }],
    ['says so in another spelling', { ...external, detachable_drive: 'Yes' }],
    ['says nothing, beside Apple’s own', external],
  ])('an external NVMe drive that %s is not the laptop’s', (_name, drive) => {
    const { machine, identity } = read({ storage: nvme(drive, apple) });
    expect(machine.drives).toMatchObject([{ model: 'APPLE SSD AP0256Q', gigabytes: 251, kind: 'SSD' }]);
    expect(identity.driveSerials).toEqual(['0ba01e6ebe08d5c1']);
  });

  test('one NVMe drive of another maker is the laptop’s; of two it is unknown which', () => {
    expect(read({ storage: nvme(external) }).machine.drives).toMatchObject([{ gigabytes: 2000 }]);
    expect(read({ storage: nvme(external, external) }).machine.drives).toEqual([]);
  });

  test('SATA drives are the laptop’s, without optical ones and those at Thunderbolt', () => {
    const own = { ...apple, _name: 'APPLE SSD SM0256F', spsata_medium_type: 'Solid State' };
    const disk = { ...external, _name: 'APPLE HDD HTS541010', spsata_medium_type: 'Rotational' };
    const optical = { _name: 'MATSHITA DVD-R', device_serial: 'ABCDE12345' };
    const controllers = [
      sata('Intel 7 Series Chipset', own, optical, disk),
      sata('Thunderbolt SATA', external),
    ];
    const storage = {
      SPSerialATADataType: controllers.flatMap(({ SPSerialATADataType }) => SPSerialATADataType),
      ...nvme({ ...external, detachable_drive: 'yes' }),
    };
    const { machine, identity } = read({ storage });
    expect(machine.drives).toMatchObject([
      { model: 'APPLE SSD SM0256F', kind: 'SSD' },
      { model: 'APPLE HDD HTS541010', kind: 'HDD' },
    ]);
    expect(identity.driveSerials).toHaveLength(2);
  });

  test.each([
    ['Verified', true],
    ['Failing', false],
    ['Not Supported', null],
    ['Überprüft', null],
  ])('“%s” as verdict is %s', (smart_status, healthy) => {
    expect(read({ storage: nvme({ ...apple, smart_status }) }).machine.drives).toMatchObject([{ healthy }]);
  });
});

test.each([
  ['97%', 97],
  ['97\u00a0%', 97],
  ['97\u202f%', 97],
  ['%97', 97],
  ['% 97', 97],
  ['\u200e97%\u200e', 97],
  ['97', undefined],
  ['0%', undefined],
  ['970%', undefined],
  ['97,5 %', undefined],
  ['٩٧٪', undefined],
])('the battery’s capacity “%s” is %s', (capacity, health) => {
  const power = {
    SPPowerDataType: [{ sppower_battery_health_info: { sppower_battery_health_maximum_capacity: capacity } }],
  };
  expect(read({ power }).machine.battery?.value.health).toBe(health);
});

test('a no-break space in the size of a memory module is a space', () => {
  const memory = { SPMemoryDataType: [{ dimm_type: 'LPDDR5', SPMemoryDataType: '18\u00a0GB' }] };
  expect(read({ memory }).machine.memoryModules?.value).toEqual([
    { gigabytes: 18, kind: 'LPDDR5', speed: null },
  ]);
});

test('graphics in a case at a Thunderbolt port are not the laptop’s', () => {
  const displays = {
    SPDisplaysDataType: [
      { sppci_model: 'Intel Iris Plus Graphics 655', sppci_bus: 'spdisplays_builtin' },
      { sppci_model: 'AMD Radeon RX 580', sppci_bus: 'spdisplays_tb_device' },
      { sppci_model: 'AMD Radeon Pro 580', sppci_device_type: 'spdisplays_egpu' },
    ],
  };
  expect(read({ displays }).machine.graphics).toEqual(['Intel Iris Plus Graphics 655']);
});
