import { expect, test } from 'vitest';
import type { GraphicsKind } from './fact-names.ts';
import { dedicatedGraphics, readDedicatedGraphics, readGraphics } from './graphics-names.ts';

/** Names of Windows, macOS and `lspci`, and of sellers, by kind. */
const names: Readonly<Record<GraphicsKind, readonly string[]>> = {
  integrated: [
    'Intel(R) UHD Graphics 620',
    'Intel(R) Iris(R) Xe Graphics',
    'Intel(R) HD Graphics 5500',
    'Intel HD 4400',
    'Intel(R) Arc(TM) Graphics',
    'Intel(R) Arc(TM) 140V GPU (16GB)',
    'Intel Corporation Meteor Lake-P [Intel Arc Graphics]',
    'Intel Corporation Haswell-ULT Integrated Graphics Controller',
    'AMD Radeon(TM) Graphics',
    'AMD Radeon(TM) Vega 8 Graphics',
    'AMD Radeon(TM) RX Vega 10 Graphics',
    'AMD Radeon 780M Graphics',
    'AMD Radeon(TM) 890M Graphics',
    'AMD Radeon(TM) 610M',
    'AMD Radeon(TM) 8060S Graphics',
    'AMD Radeon R5 Graphics',
    'AMD Radeon(TM) R7',
    'AMD Radeon HD 7660G',
    'AMD Radeon HD 6310 Graphics',
    'Advanced Micro Devices, Inc. [AMD/ATI] Rembrandt',
    'Advanced Micro Devices, Inc. [AMD/ATI] Renoir [Radeon Vega Series / Radeon Vega Mobile Series]',
    'Advanced Micro Devices, Inc. [AMD/ATI] Wani [Radeon R5/R6/R7 Graphics]',
    'Advanced Micro Devices, Inc. [AMD/ATI] Kabini [Radeon HD 8400 / R3 Series]',
    'Advanced Micro Devices, Inc. [AMD/ATI] RS880M [Mobility Radeon HD 4225/4250]',
    'Apple M1',
    'Apple M3 Pro',
    '10-core GPU',
    'Qualcomm(R) Adreno(TM) X1-85 GPU',
    'Mali-G72',
    'integrated, no dedicated graphics',
  ],
  geforce: [
    'NVIDIA GeForce RTX 3060 Laptop GPU',
    'NVIDIA GeForce MX450',
    'NVIDIA Corporation GA107M [GeForce RTX 3050 Mobile]',
    'NVIDIA Corporation GP107M [GeForce GTX 1050 Ti Mobile]',
    'NVIDIA Corporation GM108M [GeForce 940M]',
    'NVIDIA GeForce 840M',
    'GT 940M',
    'GTX 1650',
    'MX 150',
    '940MX',
    'RTX 4050',
    'Nvidia 1650',
    'Intel UHD Graphics 630 + NVIDIA GeForce GTX 1650',
    'AMD Radeon Graphics / NVIDIA GeForce RTX 4060',
  ],
  'nvidia-workstation': [
    'NVIDIA Quadro P620',
    'NVIDIA Quadro RTX 3000',
    'NVIDIA RTX A2000 Laptop GPU',
    'NVIDIA RTX 2000 Ada Generation Laptop GPU',
    'NVIDIA RTX PRO 1000 Blackwell Generation Laptop GPU',
    'NVIDIA T1200 Laptop GPU',
    'T500',
    'NVIDIA Corporation AD107GLM [RTX 2000 Ada Generation Laptop GPU]',
    'NVIDIA Corporation TU117GLM [T550 Laptop GPU]',
    'NVIDIA Corporation GT218M [NVS 3100M]',
    'NVIDIA Corporation GF108GLM [NVS 5200M]',
  ],
  radeon: [
    'AMD Radeon RX 6600M',
    'AMD Radeon(TM) RX 5500M',
    'Radeon RX 640',
    'AMD Radeon Pro 5300M',
    'Pro 560X',
    'AMD Radeon Pro Vega 20',
    'Radeon RX Vega M GL Graphics',
    'AMD Radeon(TM) 530',
    'AMD Radeon 540X',
    'AMD Radeon R5 M330',
    'AMD Radeon R7 M360',
    'AMD Radeon R9 M370X',
    'ATI Mobility Radeon HD 5470',
    'HD 5470',
    'AMD Radeon HD 7670M',
    'AMD FirePro W5170M',
    'Advanced Micro Devices, Inc. [AMD/ATI] Topaz XT [Radeon R7 M260/M265 / M340/M360 / M440/M445 / 530/535 Mobile]',
    'Advanced Micro Devices, Inc. [AMD/ATI] Lexa [Radeon 540X/550X/630 / RX 640 / E9171 MCM]',
    'Advanced Micro Devices, Inc. [AMD/ATI] Navi 14 [Radeon RX 5500/5500M / Pro 5500M]',
    'Intel UHD Graphics 630, Radeon Pro 560X',
    'AMD Radeon Graphics + Radeon RX 6700S',
  ],
  arc: [
    'Intel(R) Arc(TM) A370M Graphics',
    'Intel Corporation DG2 [Arc A350M]',
    'Arc A770M',
    'Intel Arc Pro A30M',
  ],
};

const rows = (Object.keys(names) as GraphicsKind[]).flatMap((kind) =>
  names[kind].map((name) => [name, kind] as const),
);

test.each(rows)('“%s” is %s', (name, kind) => {
  expect(readGraphics(name.toLowerCase())).toBe(kind);
});

test.each(rows)('“%s” is not matched by the expressions of other kinds than %s', (name, kind) => {
  const plain = name
    .toLowerCase()
    .replace(/\((?:r|tm)\)/g, ' ')
    .replace(/ +/g, ' ');
  const matching = Object.entries(dedicatedGraphics).flatMap(([each, pattern]) =>
    pattern.test(plain) ? [each] : [],
  );
  expect(matching).toEqual(kind === 'integrated' ? [] : [kind]);
});

test.each([
  'NVIDIA',
  'NVIDIA Corporation Device [10de:28e0]',
  'Intel Corporation Device [8086:5690]',
  'Intel UHD, NVIDIA 2 GB',
  'AMD Radeon',
  'Intel UHD, AMD Radeon 2 GB',
  'Intel Arc',
  'Intel(R) Iris(R) Xe MAX Graphics',
  'dedicated, 4 GB',
  'GeForce RTX 3050 or Quadro T1000',
  'Microsoft Basic Display Adapter',
])('“%s” is not understood', (name) => {
  expect(readGraphics(name.toLowerCase())).toBeUndefined();
});

test('in a text about everything, only a dedicated adapter is looked for', () => {
  expect(readDedicatedGraphics('intel laptop with a geforce mx450')).toBe('geforce');
  expect(readDedicatedGraphics('windows 11 pro 512 gb ssd, intel uhd graphics')).toBeUndefined();
});

test.each(['Intel 8086:5690', 'AMD 1002:15bf'])('%s, a number of an adapter, has no kind', (name) => {
  expect(readGraphics(name.toLowerCase())).toBeUndefined();
});
