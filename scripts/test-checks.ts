import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { brokenReferences, documents } from './documents.ts';
import { installed, root } from './paths.ts';
import { type Result, run } from './test-step.ts';

const rooms = [
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

const one = (ok: boolean, report: string): Result => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, report });

async function types(): Promise<Result> {
  // The pages' own types are made from the table of URLs, and a fresh clone has none yet.
  const made = await run(process.execPath, [installed('@react-router/dev/bin.cjs'), 'typegen'], {
    quiet: true,
  });
  if (made.code !== 0) return one(false, made.output);
  const checked = await run(process.execPath, [installed('typescript/bin/tsc'), '-p', 'tsconfig.json'], {
    quiet: true,
  });
  return one(checked.code === 0, checked.output);
}

async function lint(): Promise<Result> {
  const checked = await run(
    process.execPath,
    [installed('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'],
    {
      quiet: true,
    },
  );
  return one(checked.code === 0, checked.output);
}

const cruise = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

async function structure(): Promise<Result> {
  const present = rooms.filter((room) => existsSync(join(root, room)));
  const program = installed('dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...present];
  const checked = await run(process.execPath, args, { quiet: true });
  if (!checked.output.trimStart().startsWith('{')) return one(false, checked.output);
  const { summary } = cruise.parse(JSON.parse(checked.output));
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  // With a parser that reads none of our files it finds nothing, and nothing wrong.
  if (summary.totalCruised === 0) broken.push('dependency-cruiser read no module at all.');
  return one(broken.length === 0, broken.join('\n'));
}

async function unused(): Promise<Result> {
  const checked = await run(process.execPath, [installed('knip/bin/knip.js'), '--no-progress'], {
    quiet: true,
  });
  return one(checked.code === 0, checked.output);
}

async function references(): Promise<Result> {
  const broken = documents.flatMap(brokenReferences);
  return one(broken.length === 0, broken.join('\n'));
}

/** The checks that read the code without running it; each counts as one test. */
export const checks: { name: string; work: () => Promise<Result> }[] = [
  { name: 'types (tsc)', work: types },
  { name: 'format and lint (biome)', work: lint },
  { name: 'structure (dependency-cruiser)', work: structure },
  { name: 'unused code and packages (knip)', work: unused },
  { name: 'paths named in documents', work: references },
];
