import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { runCommand } from '#tests/harness/operations/server-process.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';

const wait = (args: string[], port: number) =>
  runCommand('server/operations/readiness/wait-until-ready.ts', args, { PORT: String(port) });

test('does not wait for a process that has ended', async () => {
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'close');
  const result = await wait(['--timeout', '600', '--process', String(ended.pid)], await freePorts(1));
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(`Process ${ended.pid} has ended.`);
});

test('asks once without a timeout, and refuses nonsense', async () => {
  const port = await freePorts(1);
  expect(await wait([], port)).toMatchObject({ code: 1 });
  expect(await wait(['--process', '-1'], port)).toMatchObject({ code: 2 });
});
