import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBrands } from '#contract/listings/catalogue.ts';
import { createClient } from './client.ts';

/** Responds to the next requests. */
let respond: (response: ServerResponse) => void;
const server = createServer((_request, response) => respond(response));
let base: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address === 'object' && address !== null) base = `http://127.0.0.1:${address.port}/api`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const sendIncomplete = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).write('[{"_id":');
const createTestClient = (timeout?: number) =>
  createClient({ base, fetch, token: () => null, ...(timeout !== undefined && { timeout }) });

test('rejects with `network` if the connection closes in the middle of a response', async () => {
  respond = (response) => {
    sendIncomplete(response);
    setImmediate(() => response.destroy());
  };
  await expect(createTestClient().call(listBrands, {})).rejects.toMatchObject({ status: 0, code: 'network' });
});

test('rejects with a timeout if a response never ends', async () => {
  respond = sendIncomplete;
  await expect(createTestClient(100).call(listBrands, {})).rejects.toThrow(/takes too long/);
});

test('rejects with AbortError if the call is aborted during the response', async () => {
  const controller = new AbortController();
  respond = sendIncomplete;
  const client = createClient({
    base,
    token: () => null,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      controller.abort();
      return response;
    },
  });
  const call = client.call(listBrands, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('rejects with `internal` if a complete response does not match the contract', async () => {
  respond = (response) => void response.end('<!doctype html>');
  await expect(createTestClient().call(listBrands, {})).rejects.toMatchObject({
    status: 200,
    code: 'internal',
  });
});
