import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

test('a forced exit stops what waits behind a component that does not stop', async () => {
  // The time limit has passed almost at once: it counts from 8.9 s ago.
  const program = `
    import { forceExitAfter, stopAll } from './server/platform/shutdown.ts';
    const stops = [
      async () => console.log('database stopped'),
      () => new Promise(() => undefined),
      () => new Promise((resolve) => setTimeout(resolve, 10_000)),
    ];
    forceExitAfter(-8_900, stops);
    await stopAll(stops, 0);`;
  const ended = Promise.withResolvers<{ code: unknown; stdout: string; stderr: string }>();
  execFile(process.execPath, ['--input-type=module', '--eval', program], (error, stdout, stderr) =>
    ended.resolve({ code: error?.code, stdout, stderr }),
  );
  expect(await ended.promise).toEqual({
    code: 1,
    stdout: 'database stopped\n',
    stderr: 'Stopping took too long and was forced.\n',
  });
});
