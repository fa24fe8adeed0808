import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts, portOf } from '#tests/harness/platform/ports.ts';
import { testSmsSender } from '#tests/harness/ports/sms-sender.ts';
import { createSmsSender } from './sms.ts';

const key = Buffer.alloc(32, 3);
const message = { id: '6f0a', to: '+351912345678', text: '123456 is your code' };

/** Starts a hook. @returns its address */
async function startHook(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${portOf(server)}/hook`;
}

test('the hook gets JSON with the signature of Standard Webhooks', async () => {
  const received = Promise.withResolvers<{ headers: Record<string, unknown>; body: string }>();
  const url = await startHook((request, response) => {
    void text(request).then((body) => {
      received.resolve({ headers: request.headers, body });
      response.writeHead(202).end();
    });
  });
  await expect(createSmsSender({ url, key }).send(message)).resolves.toEqual({ kind: 'sent' });
  const { headers, body } = await received.promise;
  expect(JSON.parse(body)).toEqual({ to: message.to, text: message.text });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': message.id });
  const timestamp = Number(headers['webhook-timestamp']);
  expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(300);
  const signed = createHmac('sha256', key).update(`${message.id}.${timestamp}.${body}`).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${signed}`);
});

test.each([
  [302, 'not_sent'],
  [401, 'not_sent'],
  [422, 'not_sent'],
  [503, 'not_sent'],
  [500, 'uncertain'],
  [502, 'uncertain'],
  [504, 'uncertain'],
] as const)('after a response with status %d the message is %s', async (status, kind) => {
  let requests = 0;
  const url = await startHook((_request, response) => {
    requests += 1;
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  const outcome = await createSmsSender({ url, key }).send(message);
  expect(outcome).toEqual({ kind, reason: `The SMS hook responded ${status}.` });
  expect(requests).toBe(1);
});

test('a hook that cannot be reached is named with the cause', async () => {
  const away = await createSmsSender({ url: `http://127.0.0.1:${await freePorts(1)}/hook`, key }).send(
    message,
  );
  expect(away).toEqual({ kind: 'not_sent', reason: 'The SMS hook did not respond: ECONNREFUSED' });
});

testSmsSender(async (state) => {
  let requests = 0;
  const url =
    state === 'away'
      ? `http://127.0.0.1:${await freePorts(1)}/hook`
      : await startHook((request, response) => {
          requests += 1;
          if (state === 'breaks off') request.socket.destroy();
          else response.writeHead(state === 'up' ? 202 : 422).end();
        });
  return { sender: createSmsSender({ url, key }), requests: () => requests };
});
