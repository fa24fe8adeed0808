// The process in which photos are decoded and encoded. The server starts it, sends it requests over the IPC channel and
// kills it when one takes too long. Arguments: the memory that the process may hold, in bytes, and the CPU time that a
// request may take, in milliseconds.
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { ingest, makeVariant } from '../codec.ts';
import { PhotoRejected } from '../objections.ts';
import { type CodecAnswer, CodecRequest, Numbered, type WorkerMessage } from './messages.ts';

const [memoryBytes = 0, cpuMs = 0] = process.argv.slice(2).map(Number);

const guard = new Worker(new URL('./guard.ts', import.meta.url), {
  workerData: { memoryBytes, cpuMs, parent: process.ppid },
});

function send(message: WorkerMessage): void {
  process.send?.(message);
}

async function answerTo(sent: unknown): Promise<CodecAnswer> {
  const request = CodecRequest.parse(sent);
  if (request.task === 'variant') {
    const bytes = await makeVariant(Buffer.from(request.master), request.size, request.format);
    return { outcome: 'encoded', bytes };
  }
  try {
    return { outcome: 'ingested', ...(await ingest(await readFile(request.path), request.limits)) };
  } catch (error) {
    if (!(error instanceof PhotoRejected)) throw error;
    return { outcome: 'rejected', objection: error.objection };
  }
}

let underWay = 0;
process.on('message', async (message) => {
  const { id, request } = Numbered.parse(message);
  underWay += 1;
  guard.postMessage(underWay);
  const answer = await answerTo(request).catch(
    (error: unknown): CodecAnswer => ({ outcome: 'failed', message: String(error) }),
  );
  underWay -= 1;
  guard.postMessage(underWay);
  // The memory of a WebAssembly module never shrinks.
  send({ id, answer, retire: process.memoryUsage.rss() > memoryBytes / 3 });
});
process.once('disconnect', () => process.exit());
// A terminal or a service manager signals every process of the shop. The server decides when this one ends: it answers
// the uploads that are under way first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

send({ ready: true });
