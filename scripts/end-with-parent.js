// Loaded before each program that bootstrap.js runs. When the bootstrap is killed outright it cannot pass the
// signal on, so the end of the pipe to it asks the program to end as SIGTERM would have.
import { Socket } from 'node:net';

const bootstrap = new Socket({ fd: 3 });
bootstrap.once('close', () => process.kill(process.pid, 'SIGTERM'));
bootstrap.on('error', () => bootstrap.destroy());
bootstrap.resume();
bootstrap.unref();
