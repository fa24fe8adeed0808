import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { brokenReferences, documents } from './documents.ts';
import { installed, root } from './paths.ts';
import { run } from './run-program.ts';
import type { StepResult } from './test-result.ts';

/** The top-level folders whose imports are checked. */
const folders = [
  'contract',
  'server',
  'identity',
  'web',
  'sandbox',
  'packages',
  'demo',
  'tests',
  'bench',
  'scripts',
];

/** The result of a step that is one check. */
const toResult = (ok: boolean, report: string): StepResult => ({
  passed: ok ? 1 : 0,
  failed: ok ? 0 : 1,
  report,
});

async function types(): Promise<StepResult> {
  // React Router generates the types of the routes, and a fresh clone has none yet.
  const generated = await run(process.execPath, [installed('@react-router/dev/bin.cjs'), 'typegen'], {
    quiet: true,
  });
  if (generated.code !== 0) return toResult(false, generated.output);
  const checked = await run(process.execPath, [installed('typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    quiet: true,
  });
  return toResult(checked.code === 0, checked.output);
}

async function lint(): Promise<StepResult> {
  const checked = await run(
    process.execPath,
    [installed('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'],
    {
      quiet: true,
    },
  );
  return toResult(checked.code === 0, checked.output);
}

const cruiserReport = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

async function structure(): Promise<StepResult> {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const program = installed('dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present];
  const checked = await run(process.execPath, args, { quiet: true });
  if (!checked.output.trimStart().startsWith('{')) return toResult(false, checked.output);
  const { summary } = cruiserReport.parse(JSON.parse(checked.output));
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  // A parser that cannot read these files would report no violation.
  if (summary.totalCruised === 0) broken.push('dependency-cruiser read no module at all.');
  return toResult(broken.length === 0, broken.join('\n'));
}

async function unused(): Promise<StepResult> {
  const checked = await run(process.execPath, [installed('knip/bin/knip.js'), '--no-progress'], {
    quiet: true,
  });
  return toResult(checked.code === 0, checked.output);
}

async function references(): Promise<StepResult> {
  const broken = documents.flatMap(brokenReferences);
  return toResult(broken.length === 0, broken.join('\n'));
}

/** The checks that read the code without running it; each counts as one test. */
export const checks: { name: string; work: () => Promise<StepResult> }[] = [
  { name: 'types (tsc)', work: types },
  { name: 'format and lint (biome)', work: lint },
  { name: 'structure (dependency-cruiser)', work: structure },
  { name: 'unused code and packages (knip)', work: unused },
  { name: 'paths named in documents', work: references },
];
