import { afterEach, expect, it } from 'vitest';
import * as z from 'zod';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

let provider: RunningProvider | null = null;

afterEach(async () => {
  await provider?.stop();
  provider = null;
});

async function start(): Promise<RunningProvider> {
  provider = await startProvider({ rateLimit: true });
  return provider;
}

const signIn = (on: RunningProvider, email: string, password: string) =>
  on.call('POST', '/sign-in/email', { body: { email, password } });

async function statuses(count: number, make: () => Promise<Response>): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) found.push((await make()).status);
  return found;
}

/** Moves all counts into the past. */
const advanceMinutes = (on: RunningProvider, minutes: number) =>
  on.sql(`update rate_limits set empty_at = empty_at - make_interval(mins => $1)`, [minutes]);

it('refuses further passwords after too many wrong ones, also the right one, until the quota recovers', async () => {
  const on = await start();
  const email = 'guessed@püople.example';
  await on.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name: 'Guessed' } });
  // The two forms of one address are counted together.
  const forms = ['Guessed@Püople.example', 'guessed@xn--pople-kva.example'];
  let guess = 0;
  const guesses = await statuses(20, () => signIn(on, forms[guess++ % 2] ?? '', 'Wrong#123'));
  expect(new Set(guesses)).toEqual(new Set([401]));

  const refused = await signIn(on, email, PASSWORD);
  expect(refused.status).toBe(429);
  const problem = z
    .object({ code: z.string(), detail: z.string(), retryAt: z.iso.datetime(), requestId: z.string() })
    .parse(await refused.json());
  expect(problem.code).toBe('too_many_requests');
  expect(problem.detail).toMatch(/Please try again in (a minute|\d+ minutes)\./);
  const wait = (new Date(problem.retryAt).getTime() - Date.now()) / 1000;
  expect(Math.abs(Number(refused.headers.get('retry-after')) - wait)).toBeLessThan(3);

  expect((await signIn(on, 'another@people.example', 'Wrong#123')).status).toBe(401);
  await advanceMinutes(on, 1);
  expect((await signIn(on, email, PASSWORD)).status).toBe(200);
});

it('resets the count after each successful sign-in', async () => {
  const on = await start();
  const email = 'busy@people.example';
  await on.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name: 'Busy' } });
  const found = await statuses(25, () => signIn(on, email, PASSWORD));
  expect(new Set(found)).toEqual(new Set([200]));
});

it('limits no attempts by default', async () => {
  provider = await startProvider();
  const on = provider;
  const found = await statuses(22, () => signIn(on, 'nobody@people.example', 'Wrong#123'));
  expect(new Set(found)).toEqual(new Set([401]));
});

it('limits callbacks of Google', async () => {
  const on = await start();
  const call = () => on.call('GET', '/callback/google?state=invented&code=x');
  expect((await call()).status).toBe(302);
  await on.sql(`update rate_limits set empty_at = now() + interval '1 hour'`);
  const refused = await call();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('text/html');
});

it('counts attempts with an email address that is none for the IP address', async () => {
  const on = await start();
  for (const email of ['a\u0000@b.example', 'a\ud800@b.example', '\u0000', 'x'.repeat(300), 7, null, {}]) {
    const password = PASSWORD;
    for (const path of ['/sign-in/email', '/sign-up/email']) {
      const found = await on.call('POST', path, { body: { email, password } });
      expect(found.status, `${path} ${JSON.stringify(email)}`).toBe(422);
    }
  }
  const attempt = () => signIn(on, 'a\u0000@b.example', PASSWORD);
  await attempt();
  // Moves the end of each count so that its quota is used up.
  await on.sql(`update rate_limits set empty_at = now() + interval '1 hour'`);
  expect((await attempt()).status).toBe(429);
});
