import { once } from 'node:events';
import { createServer } from 'node:http';
import { handleTasks } from './child.ts';
import { BareBytesTask, type Listening } from './messages.ts';

// A minimal Node server that returns recorded responses: the baseline for responses from the shop's cache.
handleTasks(BareBytesTask, async ({ responses }): Promise<Listening> => {
  const recorded = new Map(
    responses.map(({ url, headers, body }) => [
      url,
      { headers: { ...headers, 'content-length': body.length }, body: Buffer.from(body) },
    ]),
  );
  const server = createServer((request, response) => {
    const recording = recorded.get(request.url ?? '');
    if (recording === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, recording.headers).end(recording.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return { origin: `http://127.0.0.1:${address.port}` };
});
