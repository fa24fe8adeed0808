// `npm run torture`: kills the shop's processes at random moments under load, stops services that it needs, and checks
// that no data is lost. Then it runs the model test with a random seed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAudit } from './audit.ts';
import {
  testCardProcessorOutage,
  testDatabaseOutage,
  testFullPhotoDisk,
  testKillsAroundPayouts,
  testMailServerOutage,
} from './faults.ts';
import { killAtRandom } from './kills.ts';
import { testKillsAroundLabels } from './labels.ts';
import { createLoad } from './load.ts';
import { startTortureShop } from './shop.ts';

const root = join(import.meta.dirname, '../..');
const print = (line: string) => process.stdout.write(`${line}\n`);

const usage = `Options of npm run torture, after --:
  --kills N          processes are killed at least N times (100); 0 leaves the kills out
  --minutes N        and for at least N minutes (20); the other faults take about ten minutes more
  --model-seconds N  the model test runs for N seconds (300); 0 leaves it out`;

/** Reads the command line. Exits with the usage when it is wrong. */
function readOptions(): { kills: number; minutes: number; modelSeconds: number } {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string', default: '100' },
        minutes: { type: 'string', default: '20' },
        'model-seconds': { type: 'string', default: '300' },
      },
    });
    const [kills, minutes, modelSeconds] = [values.kills, values.minutes, values['model-seconds']].map(
      (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
    );
    if (kills === undefined || minutes === undefined || modelSeconds === undefined) {
      throw new Error('An option is not a whole number.');
    }
    return { kills, minutes, modelSeconds };
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return process.exit(2);
  }
}

const options = readOptions();

/** Runs the model test of `npm test` for longer. @returns whether it passed */
async function runModelTest(seconds: number): Promise<boolean> {
  if (seconds === 0) return true;
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/races/model.test.ts'],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        LONG_SECONDS: String(seconds),
      },
      stdio: 'inherit',
    },
  );
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** Runs all kills and faults. @returns whether no response was unexpected @throws AuditError when data was lost */
async function injectFaults(): Promise<boolean> {
  const shop = await startTortureShop(print);
  const audit = openAudit(shop);
  // An interrupted run must leave no processes behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void shop.close().finally(() => process.exit(1)));
  }
  const started = Date.now();
  try {
    const load = await createLoad(shop, audit.stripe);
    const context = { shop, load, audit, log: print };
    const { kills, audits, longestRecoveryMs } = await killAtRandom(context, options);
    await testKillsAroundPayouts(context);
    await testKillsAroundLabels(context);
    await testDatabaseOutage(context);
    await testCardProcessorOutage(context, 'error', 20);
    await testCardProcessorOutage(context, 'hold', 45);
    await testMailServerOutage(context);
    const disk = await testFullPhotoDisk(context);
    const { sales, refunds, transfers, reversed } = await audit.waitUntilConsistent(1_000);
    const total = [...kills.values()].reduce((sum, count) => sum + count, 0);
    const calls = [...load.answers.values()].reduce((sum, count) => sum + count, 0);
    print('');
    print(`Processes killed: ${total} (${[...kills].map(([name, count]) => `${name} ${count}`).join(', ')})`);
    print(`Consistency checks: ${audits + 10}; longest recovery: ${(longestRecoveryMs / 1000).toFixed(1)} s`);
    print(
      `Other faults: server killed between transfer or reversal and record, and between label, record and event, database unavailable, card processor returning 500 and hanging, mail server down, disk full (${disk})`,
    );
    print(`Calls: ${calls}; internal errors: ${load.unexpected.length}`);
    print(
      `Payments: ${sales} sold, ${refunds} refunded, ${transfers} transferred to sellers, ${reversed} of them reversed; photos acknowledged: ${load.acknowledged.photos.length}`,
    );
    for (const line of load.unexpected.slice(0, 20)) print(`  ${line.slice(0, 400)}`);
    if (load.unexpected.length > 0) {
      for (const line of shop.failedCalls.slice(0, 20)) print(`  ${line.slice(0, 2_000)}`);
    }
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    print(`No data lost in ${minutes} minutes.`);
    return load.unexpected.length === 0;
  } finally {
    await audit.close();
    await shop.close();
  }
}

const passed = (await injectFaults()) && (await runModelTest(options.modelSeconds));
process.exit(passed ? 0 : 1);
