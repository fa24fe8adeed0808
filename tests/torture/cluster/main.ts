// `npm run scale`: runs the shop on a PostgreSQL cluster with several processes, kills what can be killed, and prints a
// table of what was claimed and seen. `--only failover` runs one part; `--failovers 2` kills fewer
// primaries, and `--laptops 10000` fills a smaller shop.
import { parseArgs } from 'node:util';
import { type Cluster, startCluster } from './cluster.ts';
import { tryFailovers } from './failover.ts';
import { measureGrowth } from './growth.ts';
import { checkPlans } from './plans.ts';
import { tryRolesBehindPooler } from './pooled.ts';
import { installPrograms } from './programs.ts';
import { type Finding, formatFindings } from './report.ts';
import { tryRollingDeploy } from './rolling.ts';

/** The exit code when a program is missing, apart from 1 for a claim that does not hold. */
const SOMETHING_IS_MISSING = 3;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    failovers: { type: 'string', default: '10' },
    laptops: { type: 'string', default: '1000000' },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);

const parts: Readonly<Record<string, (cluster: Cluster) => Promise<Finding[]>>> = {
  roles: (cluster) => tryRolesBehindPooler(cluster, print),
  deploy: (cluster) => tryRollingDeploy(cluster, print),
  plans: () => checkPlans(Number(values.laptops), print),
  growth: (cluster) => measureGrowth(cluster, Number(values.laptops), print),
  failover: (cluster) => tryFailovers(cluster, Number(values.failovers), print),
};

async function main(): Promise<number> {
  const chosen = values.only === undefined ? Object.keys(parts) : values.only.split(',');
  const unknown = chosen.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    print(`--only takes: ${Object.keys(parts).join(', ')}.`);
    return 2;
  }
  const missing = installPrograms(print);
  if (missing !== null) {
    print(missing);
    return SOMETHING_IS_MISSING;
  }
  await using cluster = await startCluster();
  // An interrupted run leaves no processes behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await cluster[Symbol.asyncDispose]();
      process.exit(1);
    });
  }
  print('The cluster runs: three PostgreSQL 15 under Patroni, synchronous, behind HAProxy.');
  const findings: Finding[] = [];
  for (const name of chosen) {
    print(`\n${name}`);
    findings.push(...((await parts[name]?.(cluster)) ?? []));
  }
  print(`\n${formatFindings(findings)}`);
  return findings.every(({ holds }) => holds) ? 0 : 1;
}

process.exit(await main());
