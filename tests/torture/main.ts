// `npm run torture`: kills the shop's processes at random moments under load, stops services that it needs, and checks
// that no data is lost. `--kills 25` instead of 100 kills, `--model-seconds 60` for a shorter model test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openAudit } from './audit.ts';
import { cardProcessorFails, databaseStops, diskFills, mailServerStops } from './faults.ts';
import { killAtRandom } from './kills.ts';
import { createLoad } from './load.ts';
import { startTortureShop } from './shop.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    'model-seconds': { type: 'string', default: '300' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

/** The same model as in `npm test`, for longer. @returns whether it held */
async function model(seconds: number): Promise<boolean> {
  if (seconds === 0) return true;
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/races/model.test.ts'],
    {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: 'test',
        MODEL_RUNS: String(seconds * 5),
        MODEL_SECONDS: String(seconds),
      },
      stdio: 'inherit',
    },
  );
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** @returns whether nothing was lost */
async function torture(): Promise<boolean> {
  const shop = await startTortureShop(say);
  const audit = openAudit(shop);
  // Whoever stops it early is left with nothing that runs.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void shop.close().finally(() => process.exit(1)));
  }
  const started = Date.now();
  try {
    const load = await createLoad(shop);
    const all = { shop, load, audit, log: say };
    const { kills, audits, longest } = await killAtRandom(all, Number(values.kills));
    await databaseStops(all);
    await cardProcessorFails(all, 'error', 20);
    await cardProcessorFails(all, 'hold', 45);
    await mailServerStops(all);
    const disk = await diskFills(all);
    const { sales, refunds } = await audit.waitUntilConsistent(1_000);
    const total = [...kills.values()].reduce((sum, count) => sum + count, 0);
    const calls = [...load.answers.values()].reduce((sum, count) => sum + count, 0);
    say('');
    say(`Killed outright: ${total} (${[...kills].map(([name, count]) => `${name} ${count}`).join(', ')})`);
    say(
      `Looked through the books: ${audits + 4} times; longest until all was right: ${(longest / 1000).toFixed(1)} s`,
    );
    say(
      `Faults beside: database gone 30 s, card processor 500 and silent, mail server down, disk full ${disk}`,
    );
    say(`Calls made: ${calls}, answered with a failure of the shop's own: ${load.unexpected.length}`);
    say(
      `Payments: ${sales} sold, ${refunds} given back; photos answered for: ${load.acknowledged.photos.length}`,
    );
    for (const line of load.unexpected.slice(0, 20)) say(`  ${line.slice(0, 400)}`);
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    say(`Lost: nothing, in ${minutes} minutes.`);
    return load.unexpected.length === 0;
  } finally {
    await audit.close();
    await shop.close();
  }
}

const held = (await torture()) && (await model(Number(values['model-seconds'])));
process.exit(held ? 0 : 1);
