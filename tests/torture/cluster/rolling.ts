import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { findProgram, startProgram } from '#tests/harness/platform/programs.ts';
import { openAudit } from '../audit.ts';
import { createLoad } from '../load.ts';
import { type Cluster, waitUntil } from './cluster.ts';
import { startProbers } from './failover.ts';
import type { Finding } from './report.ts';
import { prepareShop } from './shop.ts';

const PROCESSES = 4;

/** How long an ending process still accepts requests, in seconds: HAProxy asks twice a second, and believes the second no. */
const DRAIN_SECONDS = 3;

/** How long the load runs on each new set of processes, in milliseconds. */
const LOAD_MS = 2_000;

/** HAProxy as it stands before web processes: it sends a request to another process only when one refused the connection. */
function balancerConfiguration(port: number, backends: readonly number[]): string {
  const servers = backends
    .map((backend) => `  server s${backend} 127.0.0.1:${backend} check inter 500ms fall 2 rise 1`)
    .join('\n');
  return `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option forwardfor
  option redispatch
  retries 3
  retry-on conn-failure
listen shop
  bind 127.0.0.1:${port}
  option httpchk GET /readyz
  http-check expect status 200
${servers}
`;
}

/**
 * Replaces each of four web processes by a new one, behind a proxy and under load.
 * @throws AuditError when confirmed data is missing
 */
export async function tryRollingDeploy(cluster: Cluster, print: (line: string) => void): Promise<Finding[]> {
  const primaryUrl = await cluster.createDatabase('deploy');
  const port = await freePorts(1);
  const first = await freePorts(PROCESSES);
  const backends = Array.from({ length: PROCESSES }, (_, index) => first + index);
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-balancer-'));
  await using shop = await prepareShop({
    port,
    environment: {
      DATABASE_URL: primaryUrl,
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      DATABASE_CONNECTIONS: '8',
      TRUST_PROXY: '1',
    },
  });
  const servers = new Map<number, Awaited<ReturnType<typeof shop.startServer>>>();
  for (const backend of backends) servers.set(backend, await shop.startServer(backend));
  await writeFile(join(folder, 'haproxy.cfg'), balancerConfiguration(port, backends));
  await using _balancer = startProgram(findProgram('haproxy') ?? '', [
    '-f',
    join(folder, 'haproxy.cfg'),
    '-db',
  ]);
  await waitUntil('the proxy answers', 20_000, () =>
    fetch(`${shop.origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const audit = openAudit(shop);
  const load = await createLoad(shop, audit.stripe);
  const { writes, reads } = await startProbers(shop);
  try {
    load.start();
    for (const backend of backends) {
      await pause(LOAD_MS);
      await servers.get(backend)?.stop();
      servers.set(backend, await shop.startServer(backend));
      print(`Process on port ${backend} replaced.`);
    }
    await pause(LOAD_MS);
    await load.stop();
    await audit.waitUntilConsistent(60_000);
    await audit.requireConfirmedData(load.acknowledged);
    const calls = [...load.answers.values()].reduce((sum, count) => sum + count, 0);
    const lost = [...load.answers].filter(([answer]) =>
      /: (network|failure|not_ready|database_unavailable)$/.test(answer),
    );
    const failed = [
      ...writes.wrong,
      ...reads.wrong,
      ...load.unexpected,
      ...lost.map(([answer, count]) => `${answer}: ${count}`),
    ];
    for (const line of failed.slice(0, 10)) print(`  ${line.slice(0, 300)}`);
    return [
      {
        claim: `A rolling deploy of ${PROCESSES} processes under load fails no request`,
        seen: `${calls + writes.done() + reads.done()} requests, ${failed.length + writes.refused() + reads.refused()} failed`,
        holds: failed.length + writes.refused() + reads.refused() === 0,
      },
    ];
  } finally {
    await writes.stop();
    await reads.stop();
    await load.stop();
    await audit.close();
    await rm(folder, { recursive: true, force: true });
  }
}
