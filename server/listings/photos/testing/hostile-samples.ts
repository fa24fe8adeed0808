import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** Repeats the last scan of a progressive JPEG until it has this number of scans. */
export function withScans(progressive: Buffer, scans: number): Buffer {
  const starts: number[] = [];
  for (let at = progressive.indexOf('ffda', 0, 'hex'); at !== -1; ) {
    starts.push(at);
    at = progressive.indexOf('ffda', at + 2, 'hex');
  }
  const last = progressive.subarray(starts.at(-1), progressive.length - 2);
  const repeated = Array.from({ length: scans - starts.length }, () => last);
  return Buffer.concat([
    progressive.subarray(0, progressive.length - 2),
    ...repeated,
    progressive.subarray(progressive.length - 2),
  ]);
}

/**
 * Makes an AVIF of 8152 × 6100 pixels in 1,265 bytes: one colour, written by sharp 0.35 with effort 0 and quality 1.
 * @param padding bytes that are appended, at least 16, to lower its pixels per byte
 */
export async function avifBomb(padding: number): Promise<Buffer> {
  const free = randomBytes(padding);
  free.writeUInt32BE(padding);
  free.write('free', 4, 'latin1');
  return Buffer.concat([await readFile(new URL('../bomb.sample.avif', import.meta.url)), free]);
}

/** Finds the codec processes of a server, by default of this process. */
export function codecProcesses(server = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isChildOf(server, pid) && read(pid, 'cmdline').includes('photos/worker/main.ts'));
}

/** Reads a process's resident memory, in bytes; 0 when it has ended. */
export function residentBytes(pid: number): number {
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0);
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

function isChildOf(server: number, pid: number): boolean {
  const stat = read(pid, 'stat');
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state !== 'Z' && Number(parent) === server;
}
