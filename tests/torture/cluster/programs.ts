import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgram } from '#tests/harness/platform/programs.ts';

/** The folder of Debian's PostgreSQL 15. npm's has no pg_basebackup and no pg_rewind, which a member of a cluster needs. */
export const postgresFolder = '/usr/lib/postgresql/15/bin';

/** What the cluster needs, and the Debian package of each. */
const required: readonly (readonly [isThere: () => boolean, debianPackage: string])[] = [
  [() => existsSync(`${postgresFolder}/pg_rewind`), 'postgresql-15'],
  [() => findProgram('patroni') !== null && findProgram('patronictl') !== null, 'patroni'],
  [() => findProgram('etcd') !== null, 'etcd-server'],
  [() => findProgram('haproxy') !== null, 'haproxy'],
  [() => findProgram('pgbouncer') !== null, 'pgbouncer'],
];

const findMissing = () => required.flatMap(([isThere, debianPackage]) => (isThere() ? [] : [debianPackage]));

/**
 * Installs the missing Debian packages, when this process may.
 * @returns a sentence that says what is still missing and how to install it; null when nothing is
 */
export function installPrograms(print: (line: string) => void): string | null {
  if (process.getuid?.() !== 0) return 'The cluster needs root, which gives PostgreSQL a user of its own.';
  const missing = findMissing();
  if (missing.length > 0) {
    print(`Installing ${missing.join(', ')} …`);
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const options = { env: environment, stdio: 'ignore' } as const;
    spawnSync('apt-get', ['update', '-qq'], options);
    // Without its recommendations, which include a local mail server.
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options);
  }
  const left = findMissing();
  return left.length === 0
    ? null
    : `Missing: ${left.join(', ')}. On Debian: apt-get install ${left.join(' ')}`;
}
