import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from './files.ts';

/** Finds a port on 127.0.0.1 that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = await listen({ host: '127.0.0.1', port: 0 });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was given on 127.0.0.1.');
  return address.port;
}

/**
 * Runs `action` while no other process on this machine runs one under the same name. The lock is an abstract Unix
 * socket: the kernel releases it when its holder dies, so a stale lock is impossible.
 * @throws Error when the lock is not acquired within two minutes
 */
export async function withMachineLock<Result>(name: string, action: () => Promise<Result>): Promise<Result> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const lock = await listen({ path: `\0${name}` }).catch((error: unknown) => {
      if (hasCode(error, 'EADDRINUSE') && Date.now() < deadline) return undefined;
      throw error;
    });
    if (lock === undefined) {
      await delay(50);
      continue;
    }
    try {
      return await action();
    } finally {
      await new Promise((resolve) => lock.close(resolve));
    }
  }
}

function listen(address: { host: string; port: number } | { path: string }): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}
