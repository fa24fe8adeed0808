import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/inbox.ts';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const RESET = 'Choose a new password';
const DESK = 'requests'.repeat(8);
const HOME = '198.51.100.7';
const ELSEWHERE = '203.0.113.9';

const Due = z.object({ secondFactor: z.object({ challenge: z.string() }) });
const Signed = z.object({ user: z.object({ uid: z.string() }) });

let inbox: Inbox;
let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  inbox = await startInbox();
  provider = await startProvider(
    { rateLimit: true, mail: { smtpUrl: inbox.smtpUrl, from: 'Shop <shop@shop.example>' } },
    0,
    Fastify({ trustProxy: true }),
  );
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

interface From {
  address: string;
  device?: string;
}
const post = (path: string, body: unknown, { address, device }: From, token?: string) =>
  provider.call('POST', path, {
    body,
    ...(token === undefined ? {} : { token }),
    headers: { 'x-forwarded-for': address, ...(device === undefined ? {} : { 'device-token': device }) },
  });
const signIn = (email: string, password: string, from: From) =>
  post('/sign-in/email', { email, password }, from);
const askReset = (email: string, from: From) => post('/password/reset-letter', { email }, from);

/** Somebody who has registered at home, at their requests. */
async function owner() {
  const email = `owner${++people}@people.example`;
  const answer = await post('/sign-up/email', { email, password: PASSWORD }, { address: HOME, device: DESK });
  return { email, uid: Signed.parse(await answer.json()).user.uid };
}

/** Attempts count before the password is looked at; an empty one saves the hash. */
async function guess(email: string, from: From, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) statuses.push((await signIn(email, '', from)).status);
  return statuses;
}

it('wrong passwords from elsewhere lock out unknown clients only, however many addresses they come from', async () => {
  const { email } = await owner();
  const guesses = await Promise.all(
    [1, 2, 3].map((host) => guess(email, { address: `203.0.113.${host}` }, 7)),
  );
  expect(guesses.flat().filter((status) => status === 429)).toHaveLength(1);
  expect((await signIn(email, PASSWORD, { address: ELSEWHERE })).status).toBe(429);
  // An invented device token is unknown as well.
  expect((await signIn(email, PASSWORD, { address: ELSEWHERE, device: 'x'.repeat(32) })).status).toBe(429);

  // On the known device from a new network, and on a new device in the known network.
  expect((await signIn(email, PASSWORD, { address: '192.0.2.1', device: DESK })).status).toBe(200);
  expect((await signIn(email, PASSWORD, { address: HOME, device: 'y'.repeat(32) })).status).toBe(200);
}, 60_000);

it('a device is known to the accounts that signed in on it, and has a quota of its own', async () => {
  const [{ email }, other] = [await owner(), await owner()];
  const thief = 'thief'.repeat(7);
  await signIn(other.email, PASSWORD, { address: ELSEWHERE, device: thief });
  expect(await guess(email, { address: ELSEWHERE, device: thief }, 21)).toContain(429);
  expect(await guess(email, { address: ELSEWHERE, device: DESK }, 21)).toContain(429);
  expect((await signIn(email, PASSWORD, { address: HOME })).status).toBe(200);
}, 60_000);

it('wrong codes from elsewhere do not keep the owner from completing a sign-in', async () => {
  const { email, uid } = await owner();
  await provider.sql(
    `insert into passkey (id, user_id, public_key, counter, transports, name)
     values ($1, $1, '\\x00', 0, '{}', 'phone')`,
    [uid],
  );
  const wrongCode = async (from: From) => {
    const { secondFactor } = Due.parse(await (await signIn(email, PASSWORD, from)).json());
    return (await post('/sign-in/code', { code: '000000' }, from, secondFactor.challenge)).status;
  };
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push(await wrongCode({ address: ELSEWHERE }));
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  expect(await wrongCode({ address: HOME, device: DESK })).toBe(422);
}, 60_000);

it('five reset letters for a stranger leave the owner’s own, and the mailbox is not flooded', async () => {
  const { email, uid } = await owner();
  const letters = async () => {
    const rows = await provider.sql(`select 1 from letter where user_id = $1 and kind = 'reset-password'`, [
      uid,
    ]);
    return rows.length;
  };
  const passMinutes = () =>
    provider.sql(`update letter set requested_at = requested_at - interval '61 seconds' where user_id = $1`, [
      uid,
    ]);
  for (let at = 0; at < 5; at += 1) {
    expect((await askReset(email, { address: ELSEWHERE })).status).toBe(200);
    await passMinutes();
  }
  expect(await letters()).toBe(2);
  for (let at = 0; at < 10; at += 1) {
    await askReset(email, { address: `203.0.113.${100 + at}` });
    await passMinutes();
  }
  expect(await letters()).toBe(5);

  expect((await askReset(email, { address: '192.0.2.1', device: DESK })).status).toBe(200);
  expect(await letters()).toBe(6);
  await inbox.waitForEmail(email, RESET);
  const own = Array.from({ length: 8 }, async () => askReset(email, { address: HOME, device: DESK }));
  await Promise.all(own);
  expect(await letters()).toBe(6);
}, 60_000);

it('registering is counted by network, so that nobody keeps others from registering their address', async () => {
  const email = `late${++people}@people.example`;
  const weak = { email, password: 'Password1!' };
  const tries: number[] = [];
  for (let at = 0; at < 21; at += 1) {
    tries.push((await post('/sign-up/email', weak, { address: ELSEWHERE })).status);
  }
  expect(tries.slice(0, 20)).not.toContain(429);
  expect(tries.at(-1)).toBe(429);
  expect((await post('/sign-up/email', { email, password: PASSWORD }, { address: HOME })).status).toBe(200);
}, 60_000);
