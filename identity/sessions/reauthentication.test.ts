import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const SessionResponse = z.object({
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
  return SessionResponse.parse(await answer.json());
}

/** Moves the start of a user's sessions into the past. */
const ageSessions = (uid: string, minutes: number) =>
  provider.sql(`update session set "createdAt" = now() - make_interval(mins => $2) where "userId" = $1`, [
    uid,
    minutes,
  ]);

const reauthenticate = (token: string, body: object) =>
  provider.call('POST', '/sign-in/again', { token, body });

it('replaces the session with a new one when the password is right', async () => {
  const { sessionToken, user } = await signUp();
  await ageSessions(user.uid, 120);
  const answer = await reauthenticate(sessionToken, { password: PASSWORD });
  expect(answer.status).toBe(200);
  const renewed = SessionResponse.parse(await answer.json());
  const { auth_time, amr } = decodeJwt(renewed.idToken);
  expect(Number(auth_time)).toBeGreaterThan(Date.now() / 1000 - 60);
  expect(amr).toEqual(['pwd']);
  expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
  expect((await provider.call('GET', '/token', { token: renewed.sessionToken })).status).toBe(200);
});

it('refuses a wrong password, and every password after five wrong ones', async () => {
  const { sessionToken, user } = await signUp();
  await ageSessions(user.uid, 120);
  expect((await reauthenticate(sessionToken, {})).status).toBe(422);
  for (let count = 0; count < 5; count += 1) {
    expect((await reauthenticate(sessionToken, { password: 'Wrong#1Guess' })).status).toBe(401);
  }
  expect((await reauthenticate(sessionToken, { password: PASSWORD })).status).toBe(429);
  const renewed = await provider.call('GET', '/token', { token: sessionToken });
  const { auth_time } = decodeJwt(z.object({ idToken: z.string() }).parse(await renewed.json()).idToken);
  expect(Number(auth_time)).toBeLessThan(Date.now() / 1000 - 7000);
});

it('requires a recent sign-in of an account without a password and does not extend it', async () => {
  const { sessionToken, user } = await signUp();
  await provider.sql(`delete from account where "userId" = $1`, [user.uid]);
  await ageSessions(user.uid, 9);
  const answer = await reauthenticate(sessionToken, { password: 'Anything#1' });
  const { idToken } = SessionResponse.parse(await answer.json());
  expect(Number(decodeJwt(idToken).auth_time)).toBeLessThan(Date.now() / 1000 - 500);
  await ageSessions(user.uid, 11);
  const late = await reauthenticate(sessionToken, { password: 'Anything#1' });
  expect([late.status, await late.json()]).toMatchObject([403, { code: 'reauthentication_required' }]);
});
