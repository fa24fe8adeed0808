import { handleTasks, startServer } from './child.ts';
import { BareBytesTask } from './messages.ts';

// A minimal Node server that returns recorded responses: the baseline for responses from the shop's cache.
handleTasks(BareBytesTask, async ({ responses }) => {
  const recorded = new Map(
    responses.map(({ url, headers, body }) => [
      url,
      { headers: { ...headers, 'content-length': body.length }, body: Buffer.from(body) },
    ]),
  );
  return startServer((request, response) => {
    const recording = recorded.get(request.url ?? '');
    if (recording === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, recording.headers).end(recording.body);
  });
});
