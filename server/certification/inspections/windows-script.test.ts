import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readReport } from './report-parsers/read-report.ts';
import { parseReport } from './report-parsers/report.ts';
import { codeResponse, readScripts } from './scripts.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '../../../inspect');
const expectedReport = join(folder, 'windows.expected-report.txt');

const hasPowerShell = await run('pwsh', ['-NoProfile', '-Command', 'exit 0']).then(
  () => true,
  () => false,
);

describe('the script for Windows', () => {
  // Skipped where PowerShell is not installed.
  test.skipIf(!hasPowerShell)('reports what the mocked commands of Windows say', async () => {
    const mocks = join(folder, 'windows.mocks.ps1');
    const { stdout } = await run('pwsh', ['-NoProfile', '-NonInteractive', '-File', mocks]);
    expect(stdout).toContain('The report is as expected');
  });

  // Windows PowerShell reads a script without a byte order mark in the code page of the system.
  test.each(['windows.ps1', 'windows.mocks.ps1'])('%s is ASCII', async (name) => {
    expect(await readFile(join(folder, name), 'utf8')).toMatch(/^[\t\n\x20-\x7e]*$/);
  });

  test('the page’s lines run it in the home folder, also where scripts are forbidden', async () => {
    const { scripts } = codeResponse(
      { code: '0000-0000-0000', expiresAt: new Date() },
      await readScripts(),
      'https://shop.example',
    );
    expect(scripts.find(({ system }) => system === 'windows')).toMatchObject({
      command:
        'cd ~; irm https://shop.example/inspect/windows.ps1 -OutFile measure.ps1 -ErrorAction Stop; if ($?) { powershell -ExecutionPolicy Bypass -File .\\measure.ps1 https://shop.example 0000-0000-0000 }',
      fileCommand:
        'cd ~; powershell -ExecutionPolicy Bypass -File .\\windows.ps1 https://shop.example 0000-0000-0000 -File',
    });
  });

  test('the report of the mocks is read as the laptop that they describe', async () => {
    const text = await readFile(expectedReport, 'utf8');
    const report = parseReport(text);
    if ('problem' in report) throw new Error(report.problem);
    const reading = readReport(report);
    if ('problem' in reading) throw new Error(reading.problem);
    expect(reading.machine).toMatchObject({
      maker: { value: 'LENOVO', source: 'firmware' },
      model: { value: 'ThinkPad T480', source: 'firmware' },
      serial: { value: 'PF1…3C', source: 'firmware' },
      board: { value: 'LENOVO 20L5000AGE', source: 'firmware' },
      firmwareDate: { value: '2021-03-09', source: 'firmware' },
      processor: { value: 'Intel(R) Core(TM) i5-8350U CPU @ 1.70GHz', source: 'system' },
      memory: { value: 16, source: 'firmware' },
      memoryModules: {
        value: [
          { gigabytes: 8, kind: 'DDR4', speed: 2400 },
          { gigabytes: 8, kind: 'DDR4', speed: 2400 },
        ],
        source: 'firmware',
      },
      drives: [
        { model: 'SAMPLE NVME 512', gigabytes: 512, kind: 'SSD', hours: 5120, wear: 7, healthy: true },
        { model: 'SAMPLE SATA 1TB', gigabytes: 1000, kind: 'HDD', hours: 12_840, wear: 0, healthy: false },
      ],
      screen: { value: { inches: 14, width: 1920, height: 1080 }, source: 'screen' },
      graphics: ['Intel(R) UHD Graphics 620'],
      system: { value: 'Microsoft Windows 11 Pro', source: 'system' },
      battery: {
        value: { health: 83, designMwh: 48_000, fullMwh: 39_600, cycles: 401 },
        source: 'battery',
      },
      locks: {
        firmwarePassword: 'unknown',
        absolute: 'unknown',
        management: 'not_found',
        activationLock: 'unknown',
      },
      tpm: 'unknown',
    });
    expect(reading.identity.driveSerials).toEqual(['S4EN_X0N1_2345.', 'WXA1B2C3D4']);
    expect(text).not.toContain('not to be sent');
  });
});
