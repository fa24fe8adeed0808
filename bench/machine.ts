import { cpus, totalmem } from 'node:os';

/** The machine and what runs on it, in one line. */
export function describeMachine(postgresVersion: string): string {
  const processors = cpus();
  const model = processors[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  return [
    `${model}, ${processors.length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${postgresVersion}`,
  ].join(', ');
}
