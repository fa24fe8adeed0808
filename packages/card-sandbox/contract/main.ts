// Runs the checks against the sandbox, and against Stripe's test mode if there is a key, and prints what differs.
import { checks } from './checks.ts';
import { rules } from './rules.ts';
import { type Outcome, runCheck } from './run.ts';
import { withSandbox } from './sandbox-target.ts';
import { stripeTarget } from './stripe-target.ts';

type Row = { check: string; expected: string; got: string };

/** Runs all checks and prints the differences. @returns how many there are */
async function report(
  name: string,
  run: (check: (typeof checks)[number]) => Promise<Outcome>,
): Promise<number> {
  const differences: Row[] = [];
  const skipped: string[] = [];
  for (const check of checks) {
    const outcome = await run(check);
    const title = check.rule === undefined ? check.name : `${check.rule}: ${check.name}`;
    if (outcome.kind === 'skipped') skipped.push(`  ${title} (${outcome.reason})`);
    if (outcome.kind === 'differs') {
      const { expected } = check;
      differences.push({
        check: title,
        expected: JSON.stringify(expected),
        got: JSON.stringify(outcome.got),
      });
    }
  }
  const asExpected = checks.length - differences.length - skipped.length;
  console.log(`${name}: ${asExpected} as expected, ${differences.length} differ, ${skipped.length} skipped.`);
  if (skipped.length > 0) console.log(`Skipped:\n${skipped.join('\n')}`);
  for (const { check, expected, got } of differences) {
    console.log(`\n${check}\n  expected  ${expected}\n  got       ${got}`);
  }
  return differences.length;
}

const { STRIPE_TEST_SECRET_KEY: key, STRIPE_TEST_ACCOUNT: account } = process.env;
console.log(`${checks.length} checks of ${Object.keys(rules).length} rules and of the shop's requests.`);
let differences = await report('Card sandbox', (check) => withSandbox((target) => runCheck(check, target)));
if (key) {
  const target = stripeTarget(key, account || null);
  differences += await report("Stripe's test mode", (check) => runCheck(check, target));
} else {
  console.log(
    "Stripe's test mode: not run. Set STRIPE_TEST_SECRET_KEY, and STRIPE_TEST_ACCOUNT for transfers.",
  );
}
process.exitCode = differences === 0 ? 0 : 1;
