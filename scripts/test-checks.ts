import { z } from 'zod';
import { brokenReferences, documents } from './documents.ts';
import { installed } from './paths.ts';
import { run } from './run-program.ts';

/** Whether a check passed, and what it printed. */
interface CheckResult {
  ok: boolean;
  report: string;
}

/** Runs the program of an installed package. The check passes if its exit code is 0. */
async function runCheck(program: string, ...args: string[]): Promise<CheckResult> {
  const { code, output } = await run([installed(program), ...args], { quiet: true });
  return { ok: code === 0, report: output };
}

async function types(): Promise<CheckResult> {
  // React Router generates the types of the routes, and a fresh clone has none yet.
  const generated = await runCheck('@react-router/dev/bin.cjs', 'typegen');
  if (!generated.ok) return generated;
  // Its threads check the types that they share once each, which takes two thirds more processor time.
  return runCheck('typescript/bin/tsc', '--singleThreaded', '-p', 'tsconfig.json');
}

const lint = () => runCheck('@biomejs/biome/bin/biome', 'ci', '--colors=off', '.');

const unused = () => runCheck('knip/bin/knip.js', '--no-progress');

/** The top-level folders whose imports are checked. */
const folders =
  'contract emails rate-limits server identity web sandbox packages demo tests bench scripts'.split(' ');

const cruiserReport = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

async function structure(): Promise<CheckResult> {
  const program = installed('dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  const { output } = await run([program, ...args], { quiet: true });
  if (!output.trimStart().startsWith('{')) return { ok: false, report: output };
  const { summary } = cruiserReport.parse(JSON.parse(output));
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  // A parser that cannot read these files would report no violation.
  if (summary.totalCruised === 0) broken.push('dependency-cruiser read no module at all.');
  return { ok: broken.length === 0, report: broken.join('\n') };
}

async function references(): Promise<CheckResult> {
  const broken = documents.flatMap(brokenReferences);
  return { ok: broken.length === 0, report: broken.join('\n') };
}

/** The checks that read the code without running it; each counts as one test. */
export const checks: { name: string; work: () => Promise<CheckResult> }[] = [
  { name: 'types (tsc)', work: types },
  { name: 'format and lint (biome)', work: lint },
  { name: 'structure (dependency-cruiser)', work: structure },
  { name: 'unused code and packages (knip)', work: unused },
  { name: 'claims of the documents', work: references },
];
