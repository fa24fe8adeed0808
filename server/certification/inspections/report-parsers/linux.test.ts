import { describe, expect, test } from 'vitest';
import { driveLinks } from '../testing/linux-tree.ts';
import { readLinuxReport } from './linux.ts';

const read = (sections: Record<string, string>) => readLinuxReport(new Map(Object.entries(sections))).machine;

/** The sections of one drive. */
const drive = (device: string, files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries({ size: '1000215216', removable: '0', ...files }).map(([name, content]) => [
      `drive/${device}/${name}`,
      content,
    ]),
  );

const own = drive('nvme0n1', { 'device/model': 'SAMSUNG MZVLB512HBJQ', link: driveLinks.nvme });

describe('the drives that are the laptop’s', () => {
  test.each([
    [
      'a SATA drive',
      'sda',
      { link: driveLinks.sata, 'queue/rotational': '1', 'device/type': '0' },
      { kind: 'HDD' },
    ],
    ['an NVMe drive', 'nvme0n1', { link: driveLinks.nvme }, { kind: 'SSD' }],
    ['an NVMe drive that can have several paths', 'nvme0n1', { link: driveLinks.nvmeSubsystem }, {}],
    [
      'an NVMe drive behind Intel VMD',
      'nvme0n1',
      {
        link: '../devices/pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0/nvme/nvme0/nvme0n1',
      },
      {},
    ],
    [
      'Apple’s own NVMe',
      'nvme0n1',
      { link: '../devices/platform/soc/27bcc0000.nvme/nvme/nvme0/nvme0n1' },
      {},
    ],
    [
      'soldered eMMC',
      'mmcblk0',
      { link: driveLinks.mmc, 'device/type': 'MMC', 'device/name': 'DA4064' },
      { kind: 'eMMC', model: 'DA4064' },
    ],
    [
      'soldered UFS',
      'sda',
      {
        link: '../devices/platform/soc@0/1d84000.ufshc/host0/target0:0:0/0:0:0:0/block/sda',
        'queue/rotational': '0',
      },
      { kind: 'SSD' },
    ],
  ])('%s', (_name, device, files, expected) => {
    expect(read(drive(device, files)).drives).toMatchObject([{ gigabytes: 512, ...expected }]);
  });

  test.each([
    ['a USB disk, whose medium cannot be removed', 'sdb', { link: driveLinks.usb }],
    ['an SD card in a reader of its own', 'mmcblk0', { link: driveLinks.mmc, 'device/type': 'SD' }],
    ['a path of an NVMe drive', 'nvme0c0n1', { link: driveLinks.nvmePath, hidden: '1' }],
    ['an NVMe drive at Thunderbolt', 'nvme1n1', { 'device/device/removable': 'removable' }],
    ['an NVMe drive in a network', 'nvme1n1', { link: '../devices/virtual/nvme-fabrics/ctl/nvme1/nvme1n1' }],
    [
      'a disk of a virtual machine',
      'sda',
      {
        link: '../devices/pci0000:00/0000:00:05.0/virtio1/host2/target2:0:0/2:0:0:0/block/sda',
      },
    ],
    ['an iSCSI disk', 'sda', { link: '../devices/platform/host3/session1/target3:0:0/3:0:0:1/block/sda' }],
    ['a medium that can be removed', 'sda', { link: driveLinks.sata, removable: '1' }],
    ['a drive of unknown transport', 'sda', {}],
  ])('%s is not', (_name, device, files) => {
    const other = drive(device, { size: '3907029168', ...files });
    expect(read({ ...other, ...own }).drives).toMatchObject([{ model: 'SAMSUNG MZVLB512HBJQ' }]);
  });

  test('what kind a drive is that does not say whether it turns is unknown', () => {
    expect(read(drive('sda', { link: driveLinks.sata })).drives).toMatchObject([{ kind: null }]);
  });
});

describe('the battery', () => {
  const sections = (name: string, files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([file, value]) => [`battery/${name}/${file}`, value]));
  const charge = { charge_full_design: '4400000', charge_full: '3300000', cycle_count: '0' };

  test.each(['CMB1', 'qcom-battmgr-bat', 'macsmc-battery', 'sbs-20-000b'])('%s is one', (name) => {
    const files = { energy_full_design: '50000000', energy_full: '40000000', cycle_count: '211' };
    expect(read(sections(name, files)).battery?.value).toEqual({
      health: 80,
      designMwh: 50_000,
      fullMwh: 40_000,
      cycles: 211,
    });
  });

  test('charges are capacities at the design voltage', () => {
    const files = { ...charge, voltage_min_design: '11400000' };
    expect(read(sections('BAT0', files)).battery?.value).toEqual({
      health: 75,
      designMwh: 50_160,
      fullMwh: 37_620,
      cycles: null,
    });
  });

  test.each([undefined, '0', '11'])(
    'with the design voltage %s only the ratio of charges is known',
    (voltage) => {
      const files = voltage === undefined ? charge : { ...charge, voltage_min_design: voltage };
      expect(read(sections('BAT0', files)).battery?.value).toEqual({
        health: 75,
        designMwh: null,
        fullMwh: null,
        cycles: null,
      });
    },
  );

  const first = sections('BAT0', {
    energy_full_design: '23000000',
    energy_full: '20700000',
    cycle_count: '300',
  });

  test('two batteries are their sum, with the cycles of the most used one', () => {
    const second = sections('BAT1', {
      energy_full_design: '72000000',
      energy_full: '36000000',
      cycle_count: '80',
    });
    expect(read({ ...first, ...second }).battery?.value).toEqual({
      health: 60,
      designMwh: 95_000,
      fullMwh: 56_700,
      cycles: 300,
    });
  });

  test('two batteries of which one reports far more than when new are unknown, although their sum is possible', () => {
    const second = sections('BAT1', { energy_full_design: '10000000', energy_full: '15000000' });
    expect(read({ ...first, ...second }).battery).toBeNull();
  });

  test.each([
    ['a broken one, which reports no capacity now', { energy_full_design: '72000000', energy_full: '0' }],
    ['one of unknown voltage', charge],
  ])('a good battery beside %s is not shown as the laptop’s', (_name, files) => {
    expect(read({ ...first, ...sections('BAT1', files) }).battery).toBeNull();
  });

  test('an empty place for a second battery does not count', () => {
    expect(read({ ...first, ...sections('BAT1', { cycle_count: '0' }) }).battery?.value.health).toBe(90);
  });
});

const unknown = 'Adapter of unknown model';

describe('the graphics', () => {
  test.each([
    [
      '00:02.0 "VGA compatible controller [0300]" "Intel Corporation [8086]" "UHD Graphics 620 [5917]" -r07 -p00 "Lenovo [17aa]" "ThinkPad T480 [2258]"',
      'Intel Corporation UHD Graphics 620',
    ],
    [
      '01:00.0 "3D controller [0302]" "NVIDIA Corporation [10de]" "GP108M [GeForce MX150] [1d10]" -ra1 "Lenovo [17aa]" "Device [2258]"',
      'NVIDIA Corporation GP108M [GeForce MX150]',
    ],
    [
      '03:00.0 "Display controller [0380]" "Advanced Micro Devices, Inc. [AMD/ATI] [1002]" "Navi 23 [Radeon RX 6650 XT / 6700S / 6800S] [73ef]" -rc0 "" ""',
      'AMD Navi 23 [Radeon RX 6650 XT / 6700S / 6800S]',
    ],
    ['01:00.0 "3D controller [0302]" "NVIDIA Corporation [10de]" "Device [28e0]" -ra1 "" ""', unknown],
    ['01:00.0 "VGA compatible controller [0300]" "Vendor [1234]" "Device [1111]" -r02 "" ""', unknown],
    [
      '0000:00:02.0 "VGA compatible controller [0300]" "A \\"B\\" Ltd [1ed5]" "C \\\\ D [0201]" "" ""',
      'A "B" Ltd C \\ D',
    ],
  ])('%s', (line, name) => {
    const audio =
      '00:1f.3 "Audio device [0403]" "Intel Corporation [8086]" "HD Audio [9d71]" -r21 "Lenovo [17aa]" "Device [2258]"';
    expect(read({ lspci: `${audio}\n${line}` }).graphics).toEqual([name]);
  });

  const listed =
    '00:02.0 "VGA compatible controller [0300]" "Intel Corporation [8086]" "UHD Graphics 620 [5917]" "" ""';

  test('an adapter that lspci does not name is known to be there', () => {
    const kernel = {
      'graphics/0000:00:02.0/class': '0x030000',
      'graphics/0000:01:00.0/class': '0x030200',
      'graphics/0000:01:00.1/class': '0x030100',
    };
    expect(read(kernel).graphics).toEqual([unknown, unknown]);
    expect(read({ lspci: listed, ...kernel }).graphics).toEqual([
      'Intel Corporation UHD Graphics 620',
      unknown,
    ]);
  });

  test('an adapter in an enclosure is not the laptop’s', () => {
    const outside =
      '3a:00.0 "VGA compatible controller [0300]" "NVIDIA Corporation [10de]" "GA104 [GeForce RTX 3070] [2484]" "" ""';
    const kernel = {
      'graphics/0000:00:02.0/class': '0x030000',
      'graphics/0000:3a:00.0/class': '0x030000',
      'graphics/0000:3a:00.0/removable': 'removable',
    };
    expect(read({ lspci: `${listed}\n${outside}`, ...kernel }).graphics).toEqual([
      'Intel Corporation UHD Graphics 620',
    ]);
  });
});

describe('the processor', () => {
  test.each([
    ['apple,j313\napple,t8103\napple,arm-platform', 'Apple M1'],
    ['apple,j314s\napple,t6000\napple,arm-platform', 'Apple M1 Pro'],
    ['lenovo,thinkpad-x13s\nqcom,sc8280xp', 'Qualcomm Snapdragon 8cx Gen 3 (SC8280XP)'],
    [
      'lenovo,thinkpad-t14s-oled\nlenovo,thinkpad-t14s\nqcom,x1e78100\nqcom,x1e80100',
      'Qualcomm Snapdragon X Elite (X1E78100)',
    ],
    ['dell,tributo-13\nqcom,x1e80100', 'Qualcomm Snapdragon X Elite or X Plus (X1E80100)'],
    ['google,juniper-sku16\ngoogle,juniper\nmediatek,mt8183', 'MediaTek MT8183'],
    ['pine64,pinebook-pro\nrockchip,rk3399', 'Rockchip RK3399'],
    ['example,laptop\nqcom,x9z99999', undefined],
    ['apple,t9999\nmediatek,mt8183-pumpkin', undefined],
  ])('of a machine with the devicetree %j', (compatible, name) => {
    const cpuinfo = 'processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4b';
    expect(read({ cpuinfo, 'devicetree/compatible': compatible }).processor?.value).toBe(name);
  });

  test('is not a name without a model', () => {
    const cpuinfo = 'model name\t: Genuine Intel(R) CPU 0000 @ 2.40GHz';
    expect(read({ cpuinfo }).processor).toBeNull();
  });

  test('is not the architecture that older ARM processors name', () => {
    const cpuinfo = 'model name\t: ARMv7 Processor rev 1 (v7l)';
    expect(read({ cpuinfo }).processor).toBeNull();
  });
});

describe('the locks of the firmware', () => {
  const attribute = 'firmware/thinklmi/attributes/AbsolutePersistenceModuleActivation/current_value';

  test.each([
    ['Activated', 'locked'],
    ['Activate', 'locked'],
    // It can be activated; whether it was is not said.
    ['Enable', 'unknown'],
    ['Disable', 'not_found'],
    ['PermanentlyDisable', 'not_found'],
    ['another word', 'unknown'],
  ])('Absolute Persistence that is %s', (value, state) => {
    expect(read({ [attribute]: value }).locks.absolute).toBe(state);
  });

  test.each<[string, string[], string]>([
    ['none that is set', ['0', '0'], 'not_found'],
    ['one that is set', ['0', '1'], 'locked'],
    ['one of which this is not known', ['0', ''], 'unknown'],
    ['no attribute', [], 'unknown'],
  ])('of passwords, %s', (_, values, state) => {
    const sections = values.map((value, at) => [
      `firmware/hp-bioscfg/authentication/${at}/is_enabled`,
      value,
    ]);
    expect(read(Object.fromEntries(sections)).locks.firmwarePassword).toBe(state);
  });
});
