import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMemory, readStorage } from './sizes.ts';

test.each<[string, number | undefined]>([
  ['16 GB', 16],
  ['16gb', 16],
  ['16G', 16],
  ['16 GiB', 16],
  ['16 Go', 16],
  ['16384 MB', 16],
  ['16GBDDR4', 16],
  ['16,384 MB', 16],
  ['16 GB DDR4-3200', 16],
  ['RAM: 16 GB', 16],
  ['LPDDR4X 16 GB', 16],
  ['LPDDR5x-16GB', 16],
  ['18 GB unified memory', 18],
  ['3 GB', 3],
  ['6 GB', 6],
  ['10 GB', 10],
  ['36 GB', 36],
  ['80 GB', 80],
  // Modules.
  ['2 x 8 GB', 16],
  ['2x8GB DDR5', 16],
  ['8 GB × 2', 16],
  ['8 GB + 8 GB', 16],
  ['8+8 GB', 16],
  ['4GB+8GB', 12],
  ['8GB soldered + 8GB SO-DIMM', 16],
  ['8 GB soldered and 8 GB in the slot', 16],
  ['2 x 8 GB + 16 GB', 32],
  ['8 GB (+ 8 GB)', 16],
  ['16 GB: 8 GB soldered + 8 GB', 16],
  ['8 GB + 8 GB = 16 GB', 16],
  ['16GB (2x8GB)', 16],
  ['16 GB, two 8 GB sticks', undefined],
  ['16 GB in two slots', 16],
  ['16 GB (8 GB + 8 GB)', 16],
  ['2 x 8 GB, 16 GB total', 16],
  ['16 GB DDR4-2400 (1 × 16 GB, one slot free)', 16],
  // What the laptop could have, and what the system leaves.
  ['16 GB (15.8 GB usable)', 16],
  ['16,0 GB (15,8 GB verwendbar)', 16],
  ['16 GB (15.8 usable)', 16],
  ['up to 64 GB, 16 GB installed', 16],
  ['16 GB DDR4, expandable to 32 GB', 16],
  ['16 GB, max. 64 GB', 16],
  ['16 GB of max 64 GB', 16],
  ['16 GB (64 GB max)', 16],
  ['8 GB, upgradeable up to 32GB', 8],
  ['16 GB, supports 64 GB', 16],
  // Other sizes in the field.
  ['16 GB RAM, 512 GB SSD', 16],
  ['16GB/512GB', 16],
  ['16 GB RAM, 4 GB VRAM', 16],
  // Not clear.
  ['15.8 GB usable', undefined],
  ['15.8 GB', undefined],
  ['15 GB', undefined],
  ['up to 64 GB', undefined],
  ['8 or 16 GB', undefined],
  ['8/16 GB', undefined],
  ['8-16 GB', undefined],
  ['8 to 16 GB', undefined],
  ['8 GB or 16 GB', undefined],
  ['8 GB / 16 GB', undefined],
  ['8 GB, upgraded to 16 GB', undefined],
  ['8 GB, 8 GB', undefined],
  ['8 GB (2 x 8 GB)', undefined],
  ['two 8 GB sticks', undefined],
  ['2 sticks of 8 GB', undefined],
  ['2 modules, 8 GB each', undefined],
  ['16', undefined],
  ['512 GB', undefined],
  ['plenty', undefined],
])('the memory “%s” has %s GB', (text, gigabytes) => {
  expect(readMemory(text.toLowerCase())).toBe(gigabytes);
});

test.each<[string, number | undefined]>([
  ['512 GB NVMe SSD', 512],
  ['500 GB', 512],
  ['512 Go SSD', 512],
  ['256GBSSD', 256],
  ['1 To', 1024],
  ['1 TB', 1024],
  ['1.0TB', 1024],
  ['1,5 TB', 1536],
  ['1.000 GB', 1024],
  ['1.000,0', undefined],
  ['320 GB HDD', 320],
  ['64 GB eMMC', 64],
  // As Windows shows 256 GB, 500 GB and 1 TB.
  ['238 GB', 256],
  ['465 GB', 512],
  ['931 GB', 1024],
  // The largest drive.
  ['512 GB SSD + 1 TB HDD', 1024],
  ['256 GB SSD / 1 TB HDD', 1024],
  ['512+256 GB', 512],
  ['2 x 512 GB', 512],
  ['1 TB (2 x 512 GB)', 512],
  ['1.5 TB (1 TB + 512 GB)', 1024],
  // What the laptop could have, and what files leave.
  ['64 GB (slot up to 2 TB)', 64],
  ['256 GB NVMe, free slot', 256],
  ['512 GB, free slot for 2 TB', 512],
  ['512 GB SSD (476 GB)', 512],
  ['512 GB, 476 GB usable', 512],
  ['1 TB SSD, 800 GB free', 1024],
  ['256 GB NVMe, expandable to 4 TB', 256],
  // Not drives of the laptop.
  ['64 GB eMMC + 128 GB microSD', 64],
  ['128 GB SSD, 1 TB OneDrive', 128],
  ['16 GB RAM, 512 GB SSD', 512],
  ['PCIe 3.0 x4 512 GB', 512],
  // Not clear.
  ['up to 2 TB', undefined],
  ['256 or 512 GB', undefined],
  ['256/512 GB SSD', undefined],
  ['1 TB HDD replaced by 256 GB SSD', undefined],
  ['256 GB SSD (1 TB before)', undefined],
  ['HDD 1 TB removed, SSD 256 GB', undefined],
  ['512 GB SSD, external 2 TB drive', undefined],
  ['256 GB, erweiterbar auf 2 TB', undefined],
  ['256 GB SSD or 512 GB SSD', undefined],
  ['512', undefined],
  ['large', undefined],
])('the storage “%s” has %s GB', (text, gigabytes) => {
  expect(readStorage(text.toLowerCase())).toBe(gigabytes);
});

test.each<[string, number | undefined, number | undefined]>([
  ['16 gb ram and a 512 gb ssd', 16, 512],
  ['16 gb ram (15.8 gb usable), 1tb ssd (931 gb)', 16, 1024],
  ['its battery was replaced last year. two fans. 8 gb ram, 256 gb ssd + 1 tb hdd', 8, 1024],
  ['8 gb + 8 gb ram, 1 tb hdd', 16, 1024],
  ['ram: 16 gb, ssd: 512 gb', 16, 512],
  ['up to 64 gb ram, 16 gb ddr4 installed, 256 gb nvme', 16, 256],
  ['8gb ram 256gb ssd gtx 1650 4gb', 8, 256],
  ['comes with an 8 gb stick and a 2 tb usb disk', undefined, undefined],
  ['its charger weighs 96 gram', undefined, undefined],
  ['16 gb ram. very fast and quiet. 16 gb ram is enough', undefined, undefined],
])('of “%s”, the memory has %s GB and the storage %s GB', (text, memory, storage) => {
  expect([readMemory(text, true), readStorage(text, true)]).toEqual([memory, storage]);
});

const memorySizes = fc.constantFrom(
  1,
  2,
  3,
  4,
  6,
  8,
  10,
  12,
  16,
  18,
  20,
  24,
  32,
  36,
  40,
  48,
  64,
  80,
  96,
  128,
  256,
);

test('a size of memory is read whatever unit it has and however it is decorated', () => {
  const unit = fc.constantFrom(' GB', 'GB', ' GiB', ' Go', 'G', ' gigabytes');
  const end = fc.constantFrom(
    '',
    ' DDR4',
    ' (soldered)',
    ', expandable to 256 GB',
    ' (0.5 GB reserved for graphics)',
  );
  fc.assert(
    fc.property(memorySizes, unit, end, (gigabytes, written, ending) => {
      expect(readMemory(`${gigabytes}${written}${ending}`.toLowerCase())).toBe(gigabytes);
    }),
  );
});

test('modules are added up', () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 4, 8, 16, 32), fc.constantFrom(2, 4, 8, 16, 32), (one, other) => {
      expect(readMemory(`${one} gb + ${other} gb`)).toBe(one + other);
      expect(readMemory(`${one + other} gb (${one} gb + ${other} gb)`)).toBe(one + other);
    }),
  );
});
