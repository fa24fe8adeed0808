import { beforeAll, expect, test } from 'vitest';
import {
  createMeasurementCode,
  readOwnMeasurement,
  submitReport,
} from '#contract/certification/inspections.ts';
import { isSnapshot, reportOfSnapshot } from '#contract/certification/workbench.ts';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const dmidecode = `# dmidecode 3.4
Getting SMBIOS data from sysfs.

Handle 0x0000, DMI type 0, 26 bytes
BIOS Information
	Vendor: LENOVO
	Release Date: 03/15/2023
	Characteristics:
		PCI is supported

Handle 0x0001, DMI type 1, 27 bytes
System Information
	Manufacturer: LENOVO
	Product Name: 20S0000LUS
	Version: ThinkPad T14 Gen 1
	Serial Number: PF3ABCDE
	UUID: 4c4c4544-0031-3010-8044-b4c04f4d3332

Handle 0x0002, DMI type 2, 15 bytes
Base Board Information
	Manufacturer: LENOVO
	Product Name: 20S0000LUS
	Serial Number: L1HF0AB01CD

Handle 0x0004, DMI type 4, 48 bytes
Processor Information
	Version: Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz

Handle 0x0011, DMI type 17, 40 bytes
Memory Device
	Size: 8192 MB
	Type: DDR4
	Speed: 3200 MT/s
	Configured Memory Speed: 2667 MT/s

Handle 0x0012, DMI type 17, 40 bytes
Memory Device
	Size: 8 GB
	Speed: 3200 MT/s
	Configured Memory Speed: Unknown

Handle 0x0013, DMI type 17, 40 bytes
Memory Device
	Size: No Module Installed
`;

const drive = {
  device: { name: '/dev/nvme0n1', protocol: 'NVMe' },
  model_name: 'SAMSUNG MZVLB512',
  serial_number: 'S4ENNX0N123456',
  user_capacity: { bytes: 512110190592 },
  smart_status: { passed: true },
  power_on_time: { hours: 2110 },
  nvme_smart_health_information_log: { percentage_used: 3 },
};
const stick = { ...drive, device: { name: '/dev/sdb', protocol: 'SCSI' }, serial_number: 'STICK12345' };
const inxi = [
  { '000#1#0#Battery': [{ '001#0#1#ID-1': 'BAT0', '004#0#2#condition': '44.9/50.5 Wh (88.9%)' }] },
  { '000#1#0#Network': [{ '009#0#2#mac': '3c:58:c2:11:22:33', '010#0#2#host': 'marta-laptop' }] },
];
const sample = () => ({
  timestamp: new Date().toISOString(),
  type: 'Snapshot',
  uuid: '0b5f1c2e-1111-4222-8333-444455556666',
  software: 'Workbench',
  version: '2024.6.1',
  data: { smartctl: [drive, stick], dmidecode, inxi },
});

/** Uploads a file as the page does. @returns the laptop's id */
async function upload(file: string): Promise<string> {
  const laptopId = await shop.laptop(seller, {
    description: { Memory: '16 GB', Storage: '512 GB SSD', Processor: 'Core i5-10310U' },
  });
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  expect(isSnapshot(file)).toBe(true);
  await seller.client.call(submitReport, { body: { laptopId, report: reportOfSnapshot(file, code) } });
  return laptopId;
}

async function measured(file: string) {
  const params = { _id: await upload(file) };
  const { measurement } = await seller.client.call(readOwnMeasurement, { params });
  return measurement;
}

const rows = () =>
  shop.connection.pool.query<{ row: string; machine_hash: string | null; part_hashes: string[] }>(
    'select measurements::text as row, machine_hash, part_hashes from measurements',
  );

test('a snapshot measures a laptop; a USB stick is no drive of it', async () => {
  const expected = {
    measuredWith: 'workbench',
    contradictions: [],
    machine: {
      maker: { value: 'LENOVO' },
      model: { value: 'ThinkPad T14 Gen 1' },
      serial: { value: 'PF3…DE' },
      firmwareDate: { value: '2023-03-15' },
      processor: { value: 'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz' },
      board: { value: 'LENOVO 20S0000LUS' },
      memory: { value: 16, source: 'firmware' },
      memoryModules: {
        value: [
          { gigabytes: 8, kind: 'DDR4', speed: 2667 },
          { gigabytes: 8, kind: null, speed: 3200 },
        ],
      },
      drives: [
        { model: 'SAMSUNG MZVLB512', gigabytes: 512, kind: 'SSD', hours: 2110, wear: 3, healthy: true },
      ],
      battery: { value: { health: 89, designMwh: 50500, fullMwh: 44900 } },
      system: null,
      locks: { firmwarePassword: 'unknown' },
    },
  };
  expect(await measured(JSON.stringify(sample(), null, 2))).toMatchObject(expected);
  // Some versions write the outputs of commands as texts.
  const texts = { smartctl: JSON.stringify([drive]), dmidecode, inxi: JSON.stringify(inxi) };
  expect(await measured(`\uFEFF${JSON.stringify({ ...sample(), data: texts })}`)).toMatchObject(expected);
});

test('neither serial numbers nor names nor network addresses of a snapshot are stored', async () => {
  await upload(JSON.stringify(sample()));
  const stored = await rows();
  const [row] = stored.rows.slice(-1);
  expect(row).toMatchObject({ machine_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(row?.part_hashes).toHaveLength(2);
  const personal = [
    'PF3ABCDE',
    'L1HF0AB01CD',
    'S4ENNX0N123456',
    '3c:58:c2:11:22:33',
    'marta',
    '0b5f1c2e',
    '4c4c4544',
  ];
  for (const word of personal) expect(row?.row).not.toContain(word);
});

test.each([
  [
    'a legacy snapshot',
    JSON.stringify({ type: 'Snapshot', timestamp: 'x', data: { smart: [], lshw: {} } }),
    /not a snapshot/,
  ],
  [
    'a signed snapshot',
    JSON.stringify({ type: ['VerifiableCredential'], credentialSubject: sample() }),
    /not a snapshot/,
  ],
  ['another JSON file', '{"type":"Other"}', /not a snapshot/],
  ['half a snapshot', JSON.stringify(sample()).slice(0, -20), /not a snapshot/],
  ['one without outputs', JSON.stringify({ ...sample(), data: {} }), /not a snapshot/],
  ['an old one', JSON.stringify({ ...sample(), timestamp: '2024-01-01T00:00:00Z' }), /last 24 hours/],
  ['one without a date', JSON.stringify({ ...sample(), timestamp: 'today' }), /last 24 hours/],
  ['one that is nested deeply', `{"data":${'['.repeat(400_000)}`, /not a snapshot/],
])('%s is refused in words, and nothing is kept', async (_name, file, message) => {
  const before = (await rows()).rows.length;
  await expect(upload(file)).rejects.toMatchObject({
    code: 'report_refused',
    message: expect.stringMatching(message),
  });
  expect((await rows()).rows).toHaveLength(before);
});

test('a placeholder for the processor is unknown, and the listing does not count as measured', async () => {
  const placeholder = dmidecode.replace(/Version: Intel.*/, 'Version: CPU Version');
  const laptopId = await upload(
    JSON.stringify({ ...sample(), data: { ...sample().data, dmidecode: placeholder } }),
  );
  const { measurement } = await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } });
  expect(measurement).toMatchObject({ machine: { processor: null }, contradictions: [] });
  expect(await shop.visitor.call(readLaptop, { params: { _id: laptopId } })).toMatchObject({ level: 'word' });
});

test('of many memory modules the first 32 are kept', async () => {
  const module = (handle: number) =>
    `Handle 0x${handle.toString(16).toUpperCase().padStart(4, '0')}, DMI type 17, 40 bytes\nMemory Device\n\tSize: 1 GB\n`;
  const many = Array.from({ length: 400 }, (_, at) => module(at)).join('\n');
  const snapshot = { ...sample(), data: { ...sample().data, dmidecode: many } };
  expect((await measured(JSON.stringify(snapshot)))?.machine.memoryModules?.value).toHaveLength(32);
});

const values = ['\u202Eevil', '<b>'.repeat(100), '9'.repeat(400), -1, null, [[[[]]]], { bytes: 1e300 }];
test.each(values.map((value) => [value]))('hostile values %j are unknown', async (value) => {
  const text = String(value).replaceAll('\n', ' ');
  const data = {
    smartctl: [value, Object.fromEntries(Object.keys(drive).map((key) => [key, value]))],
    dmidecode: dmidecode.replace(/^(\t[^:]*): .*$/gm, (_line, name: string) => `${name}: ${text}`),
    inxi: { a: { '001#0#0#condition': value } },
  };
  expect((await measured(JSON.stringify({ ...sample(), data })))?.machine).toMatchObject({
    memory: null,
    drives: [],
    battery: null,
    firmwareDate: null,
  });
});
