import { expect, test } from 'vitest';
import { checks } from './checks.ts';
import { rules } from './rules.ts';
import { runCheck } from './run.ts';
import { withSandbox } from './sandbox-target.ts';

test.each(checks.map((check) => [check.rule ?? 'request', check.name, check] as const))(
  '%s: %s',
  async (_rule, _name, check) => {
    expect(await withSandbox((target) => runCheck(check, target))).toEqual({ kind: 'as expected' });
  },
);

test('each rule has a check', () => {
  const checked = new Set<string | undefined>(checks.map(({ rule }) => rule));
  expect(Object.keys(rules).filter((rule) => !checked.has(rule))).toEqual([]);
});
