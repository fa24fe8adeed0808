import { parentPort, workerData } from 'node:worker_threads';

// A thread of the process that decodes photos. It checks the process also while a decoder blocks the main thread, and
// however busy the server is. CPU time rather than elapsed time: on a busy machine a photo takes longer, not more.

/** How often it looks, in milliseconds: decoders fill memory at some 2 GB/s, so the limit is passed by 20 MB or so. */
const INTERVAL = 10;

const { memoryBytes, cpuMs, parent } = workerData;

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let began = 0;
let checks: NodeJS.Timeout | undefined;

function check(): void {
  // The server reads from the signal why the process ended. Node handles neither of these two.
  if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGUSR2');
  if (cpuTime() - began > cpuMs) process.kill(process.pid, 'SIGVTALRM');
  // The server has died, also by SIGKILL: nobody waits for the answer.
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}

// How many requests the main thread works on, sent when one begins or ends.
parentPort?.on('message', (requests: number) => {
  clearInterval(checks);
  if (requests === 0) return;
  began = cpuTime();
  checks = setInterval(check, INTERVAL);
});
