import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

// The tests measure what happens while hashes take their time.
vi.unmock('better-auth/crypto');

const Problem = z.object({ code: z.string(), detail: z.string() });

let provider: RunningProvider;
beforeAll(async () => {
  provider = await startProvider({}, 0, Fastify({ trustProxy: true }));
});
afterAll(() => provider.stop());

const signIn = (email: string, address: string) =>
  provider.call('POST', '/sign-in/email', {
    body: { email, password: PASSWORD },
    headers: { 'x-forwarded-for': address },
  });
const signUp = (email: string, address: string) =>
  provider.call('POST', '/sign-up/email', {
    body: { email, password: PASSWORD },
    headers: { 'x-forwarded-for': address },
  });

it('does not delay file reads during many sign-ins, and refuses those that would wait too long', {
  tags: 'long',
}, async () => {
  let hashed = 0;
  const firstHash = Promise.withResolvers<void>();
  const signIns = Array.from({ length: 96 }, async (_, at) => {
    const answer = await signIn('nobody@people.example', `203.0.113.${at}`);
    if (answer.status === 401) {
      hashed += 1;
      firstHash.resolve();
    }
    return answer;
  });
  // Two hashes are computed at a time, and 24 wait: more arrive than that before all of these are done.
  await firstHash.promise;
  for (let count = 0; count < 3; count += 1) await readFile(new URL(import.meta.url));
  const hashedBeforeReads = hashed;

  const answers = await Promise.all(signIns);
  expect(hashed).toBeGreaterThanOrEqual(26);
  // Reads that wait behind the hashes would end after all of them.
  expect(hashedBeforeReads).toBeLessThan(hashed);
  const refused = answers.find(({ status }) => status === 503);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Problem.parse(await refused?.json())).toEqual({
    code: 'overloaded',
    detail: expect.stringContaining('Nothing was changed; please try again in a few seconds.'),
  });
  expect((await signIn('nobody@people.example', '203.0.113.1')).status).toBe(401);
});

it('limits the queue for each /48, and waiting sign-ups occupy no database connection', async () => {
  const signUps = Array.from({ length: 15 }, (_, at) =>
    signUp(`flood${at}@people.example`, `2001:db8:1:${at.toString(16)}::1`),
  );
  await Promise.race(signUps);
  const inTransaction = await provider.sql(
    `select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(inTransaction.length).toBeLessThan(4);
  expect((await signUp('honest@people.example', '203.0.113.200')).status).toBe(200);
  const statuses = (await Promise.all(signUps)).map(({ status }) => status);
  expect(statuses).toContain(503);
});
