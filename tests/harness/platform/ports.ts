import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Returns the port that a server listens on. @throws Error when it does not listen */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a port.');
  return address.port;
}

/**
 * Workers that run at the same time have ranges of their own: otherwise one could take a port that another has found and does not
 * listen on yet.
 */
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env;
const RANGES = 10;
const PORTS_OF_RANGE = 1_000;
const range =
  VITEST_POOL_ID !== undefined
    ? Number(VITEST_POOL_ID) % 5
    : TEST_PARALLEL_INDEX !== undefined
      ? 5 + (Number(TEST_PARALLEL_INDEX) % 5)
      : Math.floor(Math.random() * RANGES);
const FIRST_PORT = 20_000 + range * PORTS_OF_RANGE;
const LAST_PORT = FIRST_PORT + PORTS_OF_RANGE - 1;

/** Below it, ports were returned to an earlier caller of this process, whose servers may not listen on them yet. */
let next = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));

/** Finds `count` consecutive free ports on 127.0.0.1, which no other call of this process gets. @returns the first */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = next + count - 1 > LAST_PORT ? FIRST_PORT : next;
    next = first + count;
    const servers: Server[] = [];
    try {
      for (let port = first; port < first + count; port += 1) {
        const server = createServer().listen(port, '127.0.0.1');
        servers.push(server);
        await once(server, 'listening');
      }
      return first;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    } finally {
      for (const server of servers) server.close();
    }
  }
}
