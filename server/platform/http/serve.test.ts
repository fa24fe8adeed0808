import Fastify from 'fastify';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { connect } from '../database/connect.ts';
import { createIdempotency } from './idempotency.ts';
import { unlimited } from './limits.ts';
import { sendPage } from './paging.ts';
import { createServe } from './serve.ts';

const Seller = z.object({ name: z.string() });
const readSeller = endpoint({
  ...{ method: 'GET', path: '/seller', access: 'public' },
  summary: 'A seller',
  response: Seller,
});
const listSellers = endpoint({
  ...{ method: 'GET', path: '/sellers', access: 'public' },
  summary: 'Sellers',
  response: z.array(Seller),
});

test('an answer has nothing that its contract does not say, though a handler returns a whole row', async () => {
  const nobody = async () => Promise.reject(new Error('Nobody signs in.'));
  const { database, close } = connect('postgres://127.0.0.1:1/none', () => undefined);
  const app = Fastify();
  const serve = createServe(app, {
    authentication: { caller: nobody, identity: nobody },
    limiter: unlimited,
    limitRead: (_request, read) => read(),
    idempotency: createIdempotency(database),
  });
  const row = { name: 'Ada', phone: '+351 900 000 000' };
  serve(readSeller, async () => row);
  serve(listSellers, async (call) =>
    sendPage(call, { rows: [row], hasMore: false, cursorOf: ({ name }) => name }, (each) => each),
  );
  expect((await app.inject('/seller')).json()).toEqual({ name: 'Ada' });
  expect((await app.inject('/sellers')).json()).toEqual([{ name: 'Ada' }]);
  await app.close();
  await close();
});
