import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBrands } from './catalogue.ts';
import { createClient } from './client.ts';

/** What the server does once a call has come in. */
let answer: (response: ServerResponse) => void;
const server = createServer((_request, response) => answer(response));
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

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).write('[{"_id":');
const clientWaiting = (timeout?: number) =>
  createClient({ base, fetch, token: () => null, ...(timeout !== undefined && { timeout }) });

test('an answer that breaks off after its headers is a failure of the connection', async () => {
  answer = (response) => {
    begin(response);
    setImmediate(() => response.destroy());
  };
  await expect(clientWaiting().call(listBrands, {})).rejects.toMatchObject({ status: 0, code: 'network' });
});

test('an answer that never ends takes too long', async () => {
  answer = begin;
  await expect(clientWaiting(100).call(listBrands, {})).rejects.toThrow(/takes too long/);
});

test('a call that is given up while its answer comes in is no failure of the shop', async () => {
  const giveUp = new AbortController();
  answer = begin;
  const client = createClient({
    base,
    token: () => null,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      giveUp.abort();
      return response;
    },
  });
  const call = client.call(listBrands, { signal: giveUp.signal });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

test('a whole answer that is not what the contract says is not understood', async () => {
  answer = (response) => void response.end('<!doctype html>');
  await expect(clientWaiting().call(listBrands, {})).rejects.toMatchObject({ status: 200, code: 'internal' });
});
