import Fastify from 'fastify';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, startProvider } from '../testing/provider.ts';

const SignedIn = z.object({ sessionToken: z.string() });

/** Starts a provider behind a proxy, with a signed-in person whose reads wait while the sessions are locked. */
async function start() {
  const app = Fastify({ trustProxy: (_address, hop) => hop < 1 });
  const provider = await startProvider({ rateLimit: true }, 0, app);
  const signedUp = await provider.call('POST', '/sign-up/email', {
    body: { email: 'ann@mail.example', password: PASSWORD },
  });
  const token = SignedIn.parse(await signedUp.json()).sessionToken;
  const locker = new pg.Client({
    connectionString: provider.databaseUrl,
    options: '-c search_path=identity',
  });
  await locker.connect();
  await locker.query('begin; lock table session');
  onTestFinished(async () => {
    await locker.end();
    await provider.stop();
  });
  return {
    read: async (method: string, path: string, address: string) =>
      (await provider.call(method, path, { token, headers: { 'x-forwarded-for': address } })).status,
    unlock: () => locker.query('commit'),
    /** The connections of the provider's pool that wait for the lock. */
    countWaiting: async () => {
      const [row] = await provider.sql(
        `select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.waiting;
    },
  };
}

it.each(['GET', 'HEAD'])(
  'lets %s requests of a network wait for each other, not others for them',
  async (method) => {
    const { read, unlock, countWaiting } = await start();
    const flood = ['/token', '/account', '/sessions'].flatMap((path) =>
      Array.from({ length: 4 }, (_, at) => read(method, path, `2001:db8:1:${at}::1`)),
    );
    await expect.poll(countWaiting).toBe(3);
    expect(await read(method, '/jwks', '2001:db8:2::1')).toBe(200);
    expect(await countWaiting()).toBe(3);
    await unlock();
    expect(await Promise.all(flood)).toEqual(Array(12).fill(200));
  },
);

it('refuses a read that has waited too long with 429, which is no failure of the shop', async () => {
  const { read, unlock, countWaiting } = await start();
  const flood = Array.from({ length: 3 }, () => read('GET', '/token', '198.51.100.1'));
  await expect.poll(countWaiting).toBe(3);
  expect(await read('GET', '/jwks', '198.51.100.1')).toBe(429);
  await unlock();
  expect(await Promise.all(flood)).toEqual([200, 200, 200]);
});
