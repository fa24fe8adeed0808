import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Finding } from './report.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Fills each table with as many rows as there are laptops, and checks how many rows each query of each call reads: the test of
 * `npm test`, with larger tables. It uses the embedded PostgreSQL.
 */
export async function checkPlans(rows: number, print: (line: string) => void): Promise<Finding[]> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'tests/scale/rows-read.test.ts'],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'test', SCALE_ROWS: String(rows) },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  const minutes = (performance.now() - started) / 60_000;
  print(`The queries were checked in ${minutes.toFixed(1)} minutes.`);
  const count = rows.toLocaleString('en');
  return [
    {
      claim: `With ${count} rows in each table (people, laptops, bookings, payments and all others), each query of each call reads a small multiple of the rows it returns, or at most a hundredth of a table`,
      seen: code === 0 ? 'all of them, planned for their parameters and for all' : 'listed above',
      holds: code === 0,
    },
  ];
}
