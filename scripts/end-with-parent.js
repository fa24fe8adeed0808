// Loaded before each program that bootstrap.js runs. A bootstrap that is killed with SIGKILL cannot forward a signal, so
// the end of the pipe to it sends SIGTERM to this process.
import cluster from 'node:cluster';
import { Socket } from 'node:net';

// In the processes of PROCESSES, this file descriptor has the messages of their supervisor, with which they end.
if (!cluster.isWorker) {
  const bootstrap = new Socket({ fd: 3 });
  bootstrap.once('close', () => process.kill(process.pid, 'SIGTERM'));
  bootstrap.on('error', () => bootstrap.destroy());
  bootstrap.resume();
  bootstrap.unref();
}
