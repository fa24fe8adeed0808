// Runs the checks against the sandbox, and against Stripe's test mode if there is a key, and prints what differs.
import { checks } from './checks.ts';
import { rules } from './rules.ts';
import { type Outcome, runCheck } from './run.ts';
import { withSandbox } from './sandbox-target.ts';
import { isTestKey, stripeTarget } from './stripe-target.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs all checks and prints a table of what differs. @returns how many differ */
async function report(
  name: string,
  run: (check: (typeof checks)[number]) => Promise<Outcome>,
): Promise<number> {
  const skipped: string[] = [];
  const differences: string[] = [];
  for (const check of checks) {
    const title = check.rule === undefined ? check.name : `${check.rule}: ${check.name}`;
    const outcome = await run(check);
    if (outcome.kind === 'skipped') skipped.push(`| ${title} | ${outcome.reason} |`);
    if (outcome.kind === 'differs') {
      const cells = [title, JSON.stringify(check.expected), JSON.stringify(outcome.got)];
      differences.push(`| ${cells.join(' | ')} |`);
    }
  }
  const asExpected = checks.length - differences.length - skipped.length;
  print(`\n${name}: ${asExpected} as expected, ${differences.length} differ, ${skipped.length} skipped.`);
  if (skipped.length > 0) print(['', '| Skipped | Why |', '| --- | --- |', ...skipped].join('\n'));
  if (differences.length > 0) {
    print(['', '| Check | Expected | Got |', '| --- | --- | --- |', ...differences].join('\n'));
  }
  return differences.length;
}

const { STRIPE_TEST_SECRET_KEY: key, STRIPE_TEST_ACCOUNT: account } = process.env;
if (key && !isTestKey(key)) {
  console.error('STRIPE_TEST_SECRET_KEY is not a key of test mode. Nothing was run.');
  process.exit(1);
}
print(`${checks.length} checks of ${Object.keys(rules).length} rules and of the shop's requests.`);
let differences = await report('Card sandbox', (check) => withSandbox((target) => runCheck(check, target)));
if (key) {
  const target = stripeTarget(key, account || null);
  differences += await report("Stripe's test mode", (check) => runCheck(check, target));
} else {
  print("\nStripe's test mode: not run. Set STRIPE_TEST_SECRET_KEY, and STRIPE_TEST_ACCOUNT for transfers.");
}
process.exitCode = differences === 0 ? 0 : 1;
