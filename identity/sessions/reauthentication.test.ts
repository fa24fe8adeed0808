import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const Signed = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({ uid: z.string() }),
});

let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

async function signUp() {
  const email = `again${++people}@mail.example`;
  const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
  return Signed.parse(await answer.json());
}

/** Moves the beginning of all of somebody's sessions into the past. */
const age = (uid: string, minutes: number) =>
  provider.sql(`update session set "createdAt" = now() - make_interval(mins => $2) where "userId" = $1`, [
    uid,
    minutes,
  ]);

const again = (token: string, body: object) => provider.call('POST', '/sign-in/again', { token, body });

it('the password once more makes the sign-in a new one, in place of the old', async () => {
  const { sessionToken, user } = await signUp();
  await age(user.uid, 120);
  const answer = await again(sessionToken, { password: PASSWORD });
  expect(answer.status).toBe(200);
  const renewed = Signed.parse(await answer.json());
  const { auth_time, amr } = decodeJwt(renewed.idToken);
  expect(Number(auth_time)).toBeGreaterThan(Date.now() / 1000 - 60);
  expect(amr).toEqual(['pwd']);
  expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
  expect((await provider.call('GET', '/token', { token: renewed.sessionToken })).status).toBe(200);
});

it('nothing but the right password does, and guessing ends after five', async () => {
  const { sessionToken, user } = await signUp();
  await age(user.uid, 120);
  expect((await again(sessionToken, {})).status).toBe(422);
  for (let count = 0; count < 5; count += 1) {
    expect((await again(sessionToken, { password: 'Wrong#1Guess' })).status).toBe(401);
  }
  expect((await again(sessionToken, { password: PASSWORD })).status).toBe(429);
  const renewed = await provider.call('GET', '/token', { token: sessionToken });
  const { auth_time } = decodeJwt(z.object({ idToken: z.string() }).parse(await renewed.json()).idToken);
  expect(Number(auth_time)).toBeLessThan(Date.now() / 1000 - 7000);
});

it('who has no password must have signed in just now, and becomes no younger by asking', async () => {
  const { sessionToken, user } = await signUp();
  await provider.sql(`delete from account where "userId" = $1`, [user.uid]);
  await age(user.uid, 9);
  const answer = await again(sessionToken, { password: 'Anything#1' });
  const { idToken } = Signed.parse(await answer.json());
  expect(Number(decodeJwt(idToken).auth_time)).toBeLessThan(Date.now() / 1000 - 500);
  await age(user.uid, 11);
  const late = await again(sessionToken, { password: 'Anything#1' });
  expect([late.status, await late.json()]).toMatchObject([403, { code: 'reauthentication_required' }]);
});
