import { spawn } from 'node:child_process';

/** Runs a program to its end. @throws Error when it fails or takes too long */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; input?: string; timeoutMs?: number } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
    });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      // QEMU exits with 0 when the timeout ends it.
      if (code === 0 && !child.killed) resolve(Buffer.concat(chunks));
      else
        reject(
          new Error(
            `${program} ended with ${child.killed ? 'a timeout' : (signal ?? code)}: ${Buffer.concat(errors).toString().trim()}`,
          ),
        );
    });
    child.stdin.on('error', reject);
    // Nothing is written to a program without input, because it may have ended already.
    if (options.input === undefined) child.stdin.destroy();
    else child.stdin.end(options.input);
  });
}
