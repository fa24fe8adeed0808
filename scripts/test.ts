// Runs all checks and tests and ends with a summary that names each failure. With `--all` also what takes long: the tests of the
// project `long`, those with the tag `long`, further seeds of property tests, the mutation run, and the tries of the
// deployment.
//
// The checks and unit tests run beside the build of the pages and the journeys: each of them often waits.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed, root } from './paths.ts';
import { run } from './run-program.ts';
import { checks } from './test-checks.ts';
import {
  firstLine,
  type Outcome,
  readMutationReport,
  readPlaywrightReport,
  readVitestReport,
} from './test-reports.ts';

/** How many failures are listed: with one line for each step, all of them fit in the last 40 lines of a log. */
const MAXIMUM_LISTED = 25;

const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const checksOnly = process.argv.includes('--checks');
const all = process.argv.includes('--all');
/** Whether to leave out what takes long. Who names tests wants all of them. */
const isShort = !all && filters.length === 0;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs a check, which prints nothing until it has failed. */
async function runCheck(
  name: string,
  work: () => Promise<{ ok: boolean; report: string }>,
): Promise<Outcome> {
  const { ok, report } = await work();
  if (ok) return { passed: 1, failures: [], skipped: 0 };
  print(report.trimEnd());
  return { passed: 0, failures: [`${name}: ${firstLine(report)}`], skipped: 0 };
}

/** Runs a test runner, and reads the report that it wrote. */
async function runTests(
  args: (reportFile: string) => { args: string[]; env: NodeJS.ProcessEnv },
  read: (report: unknown) => Outcome,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-test-report-'));
  const file = join(folder, 'report.json');
  try {
    const { args: program, env } = args(file);
    const { code } = await run([...program, ...filters], { quiet: false, env });
    const outcome = existsSync(file)
      ? read(JSON.parse(await readFile(file, 'utf8')))
      : { passed: 0, failures: [], skipped: 0 };
    // What no test reports, such as an unhandled rejection or a crash of the runner.
    if (code !== 0 && outcome.failures.length === 0)
      outcome.failures.push(`The test runner ended with ${code === null ? 'a signal' : `code ${code}`}.`);
    return outcome;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs tests with vitest. @param options further arguments */
const vitest = (...options: string[]) =>
  runTests(
    (file) => ({
      args: [
        ...[installed('vitest/vitest.mjs'), 'run', ...options],
        ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
        // A part of a name may be that of a journey only.
        ...(filters.length > 0 ? ['--passWithNoTests'] : []),
      ],
      env: { NODE_ENV: 'test', ...(all && { ALL_SEEDS: '1' }) },
    }),
    (report) => readVitestReport(report, root),
  );

const unitTests = () => vitest(...(isShort ? ['--project=!long', '--tags-filter=!long'] : []));

const mutations = () =>
  runTests(
    (file) => ({ args: [join(root, 'tests/mutation/main.ts')], env: { MUTATION_REPORT: file } }),
    readMutationReport,
  );

const deployment = () => vitest('--config', 'tests/deploy/vitest.config.ts');

/** @param currency of the journeys' shop: each amount of a journey is in it */
const journeys = (currency: 'USD' | 'EUR' | 'JPY') =>
  runTests(
    (file) => ({
      args: [
        ...[installed('@playwright/test/cli.js'), 'test', '--reporter=list,json'],
        ...(isShort ? ['--grep-invert=@long'] : []),
        ...(filters.length > 0 ? ['--pass-with-no-tests'] : []),
      ],
      env: {
        ...{ PLAYWRIGHT_JSON_OUTPUT_FILE: file, JOURNEYS_CURRENCY: currency },
        ...(!isShort && { ALL_LAYOUTS: '1' }),
      },
    }),
    (report) => readPlaywrightReport(report, 'tests/journeys'),
  );

async function buildPages(): Promise<{ ok: boolean; report: string }> {
  const { code, output } = await run([join(root, 'scripts/bootstrap.js'), 'build'], { quiet: true });
  return { ok: code === 0, report: output };
}

/** Those of currencies with and without decimals, and of one with another sign. */
const journeyCurrencies = all ? (['USD', 'EUR', 'JPY'] as const) : (['USD'] as const);

interface Step {
  name: string;
  work: () => Promise<Outcome>;
}

/** Some of the unit tests start a server, which needs the pages. */
const built = Promise.withResolvers<void>();

const readingSteps: Step[] = checks.map(({ name, work }) => ({ name, work: () => runCheck(name, work) }));

/** The lists run beside each other, each of their steps after the one before. */
const lists: Step[][] = checksOnly
  ? [readingSteps]
  : [
      [
        { name: 'unit tests and calls (vitest)', work: () => built.promise.then(unitTests) },
        // Its arguments are files with rules, and no parts of a test's name.
        ...(all && filters.length === 0 ? [{ name: 'mutations (stryker)', work: mutations }] : []),
      ],
      [
        {
          name: 'pages (production build)',
          work: () => runCheck('pages', buildPages).finally(built.resolve),
        },
        ...journeyCurrencies.map((currency) => ({
          name: `journeys in ${currency} (playwright)`,
          work: () => journeys(currency),
        })),
        // Beside the end of the unit tests, which take longest.
        ...readingSteps,
        ...(all ? [{ name: 'deployment (vitest)', work: deployment }] : []),
      ],
    ];

let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
  });
}

const lines: string[] = [];
const failures: string[] = [];
let passed = 0;

async function runSteps(steps: Step[]): Promise<void> {
  for (const { name, work } of steps) {
    const started = performance.now();
    const outcome = await work();
    if (isInterrupted) process.exit(130);
    passed += outcome.passed;
    failures.push(...outcome.failures);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const skipped = outcome.skipped > 0 ? `, ${outcome.skipped} skipped` : '';
    const line = `${name}: ${outcome.passed} passed, ${outcome.failures.length} failed${skipped} (${seconds} s)`;
    print(line);
    lines.push(line);
  }
}

await Promise.all(lists.map(runSteps));
if (!checksOnly && filters.length > 0 && passed <= checks.length + 1 && failures.length === 0)
  failures.push(`No test is named like ${filters.join(' ')}.`);

if (isShort && !checksOnly)
  lines.push('The tests that take long and further seeds were left out: npm run test:all');
print(['', ...lines, ''].join('\n'));
if (failures.length > 0) {
  const more = failures.length - MAXIMUM_LISTED;
  print(['Failed:', ...failures.slice(0, MAXIMUM_LISTED)].join('\n  '));
  print(more > 0 ? `  and ${more} more\n` : '');
}
print(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
