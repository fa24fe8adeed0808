import { readFileSync } from 'node:fs';

/** Milliseconds of processor time that all threads of a process have used. */
export function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime and stime, in ticks of 10 ms, the same on every Linux machine.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in megabytes (10^6 bytes), now and at its highest. */
export function residentMemory(pid: number): { now: number; highest: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6;
  return { now: megabytes('VmRSS'), highest: megabytes('VmHWM') };
}
