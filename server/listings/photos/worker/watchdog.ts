import { parentPort, workerData } from 'node:worker_threads';

// A thread of the codec process that enforces the memory and CPU limits. It runs while a decoder blocks the main thread,
// and does not depend on the server's load. It measures CPU time rather than elapsed time: on a busy machine a photo takes
// longer, but not more CPU time.

/** Decoders fill memory at about 2 GB/s, so the memory limit is exceeded by about 20 MB. */
const CHECK_INTERVAL_MS = 10;

const { memoryBytes, cpuMs, parentPid } = workerData;

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let cpuTimeAtStart = 0;
let timer: NodeJS.Timeout | undefined;

function check(): void {
  // The signal tells the server why the process ended. Node handles neither of these two signals.
  if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGUSR2');
  if (cpuTime() - cpuTimeAtStart > cpuMs) process.kill(process.pid, 'SIGVTALRM');
  // The parent has changed, so the server has ended, perhaps by SIGKILL.
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
}

// The main thread sends its number of active requests whenever one starts or ends.
parentPort?.on('message', (requests: number) => {
  clearInterval(timer);
  if (requests === 0) return;
  cpuTimeAtStart = cpuTime();
  timer = setInterval(check, CHECK_INTERVAL_MS);
});
parentPort?.postMessage('ready');
