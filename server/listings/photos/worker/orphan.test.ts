import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { codecProcesses } from '../testing/hostile-samples.ts';

/** A program that decodes a photo, prints `decoded` and keeps running. */
const server = `
  import { createCodec, standardBudget } from ${JSON.stringify(new URL('../codec-client.ts', import.meta.url).href)};
  import { standardLimits } from ${JSON.stringify(new URL('../photo-validation.ts', import.meta.url).href)};
  const photo = ${JSON.stringify(new URL('../tiles.sample.heic', import.meta.url).pathname)};
  const codec = createCodec(standardBudget);
  await codec.ingest(photo, standardLimits);
  console.log('decoded');
`;

/** Whether a process runs; a zombie does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

test('the codec process ends when its server is killed with SIGKILL', { tags: 'long' }, async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(parent.stdout, 'data');
  const [pid] = codecProcesses(parent.pid);
  if (pid === undefined) throw new Error('No process decodes photos');
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});
