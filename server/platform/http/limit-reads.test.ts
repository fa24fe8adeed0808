import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createInProcessFetch } from './in-process-fetch.ts';
import { createReadLimit } from './limit-reads.ts';
import { unlimited } from './limits.ts';

/** Serves reads that end when the test says so, as behind one proxy. */
async function startReads() {
  const app = Fastify({ trustProxy: (_address, hop) => hop < 1 });
  onTestFinished(() => app.close());
  const limitRead = createReadLimit({ ...unlimited });
  const started: { name: string; end: () => void }[] = [];
  let arrived = 0;
  app.get<{ Params: { name: string } }>('/:name', (request) => {
    arrived += 1;
    return limitRead(request, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      started.push({ name: request.params.name, end: resolve });
      await promise;
      return 'read';
    });
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    started,
    read: async (name: string, address: string, token = '') => {
      const headers = {
        'x-forwarded-for': address,
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      };
      const response = await fetch(`${origin}/${name}`, { headers });
      await response.text();
      return response.status;
    },
    readInProcess: (address: string) => createInProcessFetch(app)('/page', {}, address),
    waitForArrived: (count: number) => expect.poll(() => arrived).toBe(count),
    waitForStarted: (count: number) => expect.poll(() => started.length).toBe(count),
  };
}

test('eight reads of a network run at once; other networks and the parts of a page do not wait for them', async () => {
  const { started, read, readInProcess, waitForStarted } = await startReads();
  const flood = Array.from({ length: 20 }, (_, at) => read('flood', `2001:db8:1:${at}::1`));
  await waitForStarted(8);
  const other = read('other', '2001:db8:2::1');
  const page = readInProcess('2001:db8:1::1');
  await waitForStarted(10);
  expect(
    started
      .slice(8)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['other', 'page']);
  for (let at = 0; at < 22; at += 1) {
    await expect.poll(() => started[at]).toBeDefined();
    started[at]?.end();
  }
  expect(await Promise.all([...flood, other])).toEqual(Array(21).fill(200));
  expect((await page).status).toBe(200);
});

test('the people of a network take turns', async () => {
  const { started, read, waitForArrived } = await startReads();
  const flood = Array.from({ length: 40 }, () => read('flood', '198.51.100.1', 'one'));
  await waitForArrived(40);
  const other = read('other', '198.51.100.1', 'another');
  await waitForArrived(41);
  for (let at = 0; at < 41; at += 1) {
    await expect.poll(() => started[at]).toBeDefined();
    started[at]?.end();
  }
  expect(await Promise.all([...flood, other])).toEqual(Array(41).fill(200));
  expect(started.findIndex(({ name }) => name === 'other')).toBeLessThan(10);
});
