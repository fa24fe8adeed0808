// `npm run mutate`: changes the rules about money in one place at a time (an operator, a condition, a constant, a returned
// value), runs the rules' tests for each change, and fails when no test notices one that `explained-mutants.ts` does not
// explain. Arguments limit it to these files. `npm run test:all` names in MUTATION_REPORT where it reads the outcome.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { explainedMutants } from './explained-mutants.ts';

const root = join(import.meta.dirname, '../..');

/** The rules about money, each with the tests that are to notice its mutants: they need no database and no server. */
const testsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['contract/money/order-states.ts', ['contract/money/order-states.test.ts']],
  ['server/money/ledger/rules.ts', ['server/money/ledger/rules.test.ts']],
  ['contract/money/commission.ts', ['server/sales/orders/rules.test.ts']],
  ['server/sales/order-price.ts', ['server/sales/order-price.test.ts']],
  ['server/sales/orders/rules.ts', ['server/sales/orders/rules.test.ts']],
  ['server/sales/complaints/rules.ts', ['server/sales/complaints/rules.test.ts']],
  ['server/sales/shipping/label-rules.ts', ['server/sales/shipping/label-rules.test.ts']],
  ['server/sales/payments/rules.ts', ['server/sales/payments/rules.test.ts']],
  [
    'server/money/refunds/rules.ts',
    ['server/sales/payments/rules.test.ts', 'server/sales/payments/states.test.ts'],
  ],
  ['server/money/payouts/rules.ts', ['server/money/payouts/rules.test.ts']],
  ['server/money/payouts/payout-processor-rules.ts', ['server/money/payouts/account-state.test.ts']],
  ['server/money/payouts/settlement-rules.ts', ['server/money/payouts/settlement-rules.test.ts']],
  ['server/money/receipts/rules.ts', ['server/money/receipts/rules.test.ts']],
  ['server/money/accounting/rules.ts', ['server/money/accounting/rules.test.ts']],
]);

const print = (line: string) => process.stdout.write(`${line}\n`);
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** A mutant that survived. */
interface Survivor {
  file: string;
  line: string;
  replacement: string;
  /** For people: place, code before and after. */
  description: string;
}

function toSurvivor({ fileName, location, replacement, mutatorName, status }: MutantResult): Survivor {
  const file = fileName.slice(root.length + 1);
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const { start, end } = location;
  // Lines and columns are counted from 1.
  const mutated = lines.slice(start.line - 1, end.line);
  mutated[mutated.length - 1] = mutated.at(-1)?.slice(0, end.column - 1) ?? '';
  const original = onOneLine(mutated.join('\n').slice(start.column - 1));
  const changed = onOneLine(replacement);
  const reached = status === 'NoCoverage' ? ', which no test reaches' : '';
  return {
    file,
    line: lines[start.line - 1]?.trim() ?? '',
    replacement: changed,
    description: `${file}:${start.line} ${mutatorName}${reached}\n  - ${original}\n  + ${changed}`,
  };
}

const isExplainedBy = (survivor: Survivor) => (explained: (typeof explainedMutants)[number]) =>
  explained.file === survivor.file &&
  explained.line === survivor.line &&
  explained.replacement === survivor.replacement;

const named = process.argv.slice(2);
const unknown = named.filter((file) => !testsOf.has(file));
if (unknown.length > 0) {
  print(`${unknown.join(', ')}: not among the rules about money:\n${[...testsOf.keys()].join('\n')}`);
  process.exit(2);
}
const mutatedFiles = named.length > 0 ? named : [...testsOf.keys()];

/** Runs the tests of a file for each of its mutants. */
async function mutate(file: string): Promise<MutantResult[]> {
  // The processes that run the tests inherit it.
  process.env.MUTATION_TESTS = testsOf.get(file)?.join(',') ?? '';
  const stryker = new Stryker({
    packageManager: 'npm',
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    mutate: [file],
    // The mutants run in a copy with these files. Without tsconfig.json, which Stryker would read with an API that TypeScript 7
    // lacks.
    ignorePatterns: [
      '*',
      ...[
        '/package.json',
        '/contract/**',
        '/server/**',
        '/emails/**',
        '/rate-limits/**',
        '/tests/harness/**',
        '/tests/mutation/**',
      ].map((pattern) => `!${pattern}`),
    ],
    tempDirName: 'node_modules/.cache/mutants',
    coverageAnalysis: 'perTest',
    reporters: ['progress'],
    warnings: false,
    concurrency: 2,
    // Beside the time that the tests take without a mutant: a busy machine must not look like an endless loop.
    timeoutMS: 30_000,
  });
  return stryker.runMutationTest();
}

let mutants = 0;
let explained = 0;
/** The files of which each change is noticed or explained. */
let passed = 0;
const failures: string[] = [];
for (const file of mutatedFiles) {
  print(`\n${file}`);
  const results = await mutate(file);
  const survivors = results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(toSurvivor);
  const unexplained = survivors.filter((survivor) => !explainedMutants.some(isExplainedBy(survivor)));
  const outdated = explainedMutants.filter(
    (entry) => entry.file === file && !survivors.some((survivor) => isExplainedBy(survivor)(entry)),
  );
  const found = [
    ...unexplained.map(({ description }) => description),
    ...outdated.map(
      ({ line, replacement }) =>
        `${file}: explained-mutants.ts explains a mutant that does not survive: ${line} → ${replacement}`,
    ),
    ...(results.length === 0 ? [`${file}: has no mutants`] : []),
  ];
  for (const failure of found) print(failure);
  mutants += results.length;
  explained += survivors.length - unexplained.length;
  passed += found.length === 0 ? 1 : 0;
  failures.push(...found.map(onOneLine));
  print(`${results.length} mutants, ${unexplained.length} unexplained`);
}
print(
  `\n${mutants} mutants of the rules about money: ${explained} survive with an explanation, ${failures.length} fail.`,
);
const { MUTATION_REPORT } = process.env;
if (MUTATION_REPORT !== undefined) writeFileSync(MUTATION_REPORT, JSON.stringify({ passed, failures }));
process.exit(failures.length === 0 ? 0 : 1);
