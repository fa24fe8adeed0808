import { execFile, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createMeasurementCode,
  readMeasurement,
  readOwnMeasurement,
  submitReport,
} from '#contract/certification/inspections.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { readReport } from './report-parsers/read-report.ts';
import { parseReport } from './report-parsers/report.ts';
import { thinkpad, writeTree } from './testing/linux-tree.ts';
import { createReport } from './testing/measure.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../inspect/linux.sh');

let shop: SharedShop;
let seller: Person;
const folders: string[] = [];
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const description = { Memory: '16 GB', Storage: '512 GB SSD', Display: '14.0"', Processor: 'Core i5-10310U' };

/** Runs the script against a prepared tree, writes the report to a file and returns it. */
async function measure(files: Record<string, string | Uint8Array>, code: string): Promise<string> {
  const folder = await writeTree(files);
  folders.push(folder);
  await run('sh', [script, shop.origin, code, '--file'], {
    cwd: folder,
    env: { PATH: process.env.PATH, INSPECT_ROOT: folder },
  });
  return readFile(join(folder, 'laptop-report.txt'), 'utf8');
}

async function newCode(laptopId: string): Promise<string> {
  return (await seller.client.call(createMeasurementCode, { params: { _id: laptopId } })).code;
}

const send = (report: string) =>
  fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: report,
  });

/** What the server reads in a report, without what commands of the running machine say in it. */
function readingOf(text: string) {
  const report = parseReport(text);
  if ('problem' in report) throw new Error(report.problem);
  const reading = readReport(report);
  if ('problem' in reading) throw new Error(reading.problem);
  const { graphics: _graphics, drives, ...machine } = reading.machine;
  const health = { hours: null, wear: null, healthy: null };
  return { ...reading, machine: { ...machine, drives: drives.map((drive) => ({ ...drive, ...health })) } };
}

describe('the script for Linux', () => {
  test('reports what the laptop is, and the listing then counts as measured', async () => {
    const laptopId = await shop.laptop(seller, { description, condition: 'Excellent' });
    const report = await measure(thinkpad, await newCode(laptopId));
    expect((await send(report)).status).toBe(200);
    expect(readingOf(createReport(thinkpad, '0000-0000-0000'))).toEqual(readingOf(report));

    const { measurement } = await shop.visitor.call(readMeasurement, { params: { _id: laptopId } });
    expect(measurement).toMatchObject({ measuredWith: 'linux', contradictions: [] });
    expect(measurement?.machine).toMatchObject({
      maker: { value: 'LENOVO', source: 'firmware' },
      model: { value: 'ThinkPad T14 Gen 1', source: 'firmware' },
      serial: { value: 'PF3…DE', source: 'firmware' },
      firmwareDate: { value: '2023-03-15' },
      processor: { value: 'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz' },
      memory: { value: 16, source: 'firmware' },
      memoryModules: {
        value: [
          { gigabytes: 8, kind: 'DDR4', speed: 2667 },
          { gigabytes: 8, kind: 'DDR4', speed: 2667 },
        ],
        source: 'firmware',
      },
      board: { value: 'LENOVO 20S0000LUS', source: 'firmware' },
      drives: [{ model: 'SAMSUNG MZVLB512HBJQ-000L7', gigabytes: 512, kind: 'SSD' }],
      screen: { value: { inches: 14, width: 1920, height: 1080 } },
      battery: { value: { health: 89, designMwh: 50450, fullMwh: 44900, cycles: 211 } },
      locks: { firmwarePassword: 'not_found', absolute: 'unknown', management: 'unknown' },
    });
  });

  test('a difference from the listing is shown to the seller, and the listing does not count as measured', async () => {
    const laptopId = await shop.laptop(seller, { description: { ...description, Memory: '32 GB' } });
    await send(await measure(thinkpad, await newCode(laptopId)));

    const { measurement: own } = await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } });
    expect(own?.contradictions).toEqual([{ field: 'Memory', listed: '32 GB', measured: '16 GB' }]);
    expect(await shop.visitor.call(readMeasurement, { params: { _id: laptopId } })).toMatchObject({
      measurement: null,
    });
  });

  test('without root, what cannot be read is unknown', async () => {
    const readable = Object.fromEntries(
      Object.entries(thinkpad).filter(([path]) => !path.includes('serial') && !path.endsWith('DMI')),
    );
    const laptopId = await shop.laptop(seller, { description });
    await send(await measure(readable, await newCode(laptopId)));
    const { measurement: own } = await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } });
    expect(own?.machine).toMatchObject({
      serial: null,
      memory: { atLeast: 16, source: 'system' },
      memoryModules: null,
    });
  });

  test('without a terminal, nothing is sent, and the person is told how to go on', async () => {
    const laptopId = await shop.laptop(seller, { description });
    const child = spawn('sh', [script, shop.origin, await newCode(laptopId)], {
      // In a session of its own, which has no terminal.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = await text(child.stdout);
    expect(output).toMatch(/There is no terminal to answer at\. With --file .*\nNothing was sent\.\n$/);
    expect(await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } })).toMatchObject({
      measurement: null,
    });
  });

  test('a report file is uploaded on the page of its laptop only', async () => {
    const laptopId = await shop.laptop(seller, { description });
    const other = await shop.laptop(seller, { description });
    const report = await measure(thinkpad, await newCode(laptopId));

    const wrong = seller.client.call(submitReport, { body: { laptopId: other, report } });
    await expect(wrong).rejects.toMatchObject({ code: 'report_refused' });
    await seller.client.call(submitReport, { body: { laptopId, report } });
    expect(await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } })).toMatchObject({
      measurement: { measuredWith: 'linux' },
    });
  });
});
