// The codec process: decodes and encodes photos. The server starts it, sends it requests over the IPC channel and kills
// it when a request takes too long. Arguments: the maximum resident memory in bytes, and the maximum CPU time of a request
// in milliseconds.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { encodePicture, ingest, makeVariant } from '../codec.ts';
import { PhotoRejected } from '../photo-validation.ts';
import { type CodecAnswer, type CodecRequest, RequestEnvelope, type WorkerMessage } from './messages.ts';

const [memoryBytes = 0, cpuMs = 0] = process.argv.slice(2).map(Number);

const watchdog = new Worker(new URL('./watchdog.ts', import.meta.url), {
  workerData: { memoryBytes, cpuMs, parentPid: process.ppid },
});

function send(message: WorkerMessage): void {
  process.send?.(message);
}

async function handleRequest(request: CodecRequest): Promise<CodecAnswer> {
  if (request.task === 'variant') {
    const bytes = await makeVariant(Buffer.from(request.master), request.size, request.format);
    return { outcome: 'encoded', bytes };
  }
  try {
    if (request.task === 'picture') {
      const { bytes, limits, shape } = request;
      return { outcome: 'picture', ...(await encodePicture(Buffer.from(bytes), limits, shape)) };
    }
    return { outcome: 'ingested', ...(await ingest(await readFile(request.path), request.limits)) };
  } catch (error) {
    if (!(error instanceof PhotoRejected)) throw error;
    return { outcome: 'rejected', rejection: error.rejection };
  }
}

let activeRequests = 0;
process.on('message', async (message) => {
  const { id, request } = RequestEnvelope.parse(message);
  activeRequests += 1;
  watchdog.postMessage(activeRequests);
  const answer = await handleRequest(request).catch(
    (error: unknown): CodecAnswer => ({ outcome: 'failed', message: String(error) }),
  );
  activeRequests -= 1;
  watchdog.postMessage(activeRequests);
  // The memory of a WebAssembly module never shrinks.
  send({ id, answer, retire: process.memoryUsage.rss() > memoryBytes / 3 });
});
process.once('disconnect', () => process.exit());
// A terminal or a service manager signals every process of the shop. This one ignores the signals: the server ends it
// once the uploads in progress are answered.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Without it the first request would have no limits.
await once(watchdog, 'message');
send({ ready: true });
