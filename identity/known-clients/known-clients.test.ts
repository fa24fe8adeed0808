import Fastify from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/people/inbox.ts';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const RESET_SUBJECT = 'Choose a new password';
const LAPTOP = 'laptop-1'.repeat(8);
const HOME_ADDRESS = '198.51.100.7';
const OTHER_ADDRESS = '203.0.113.9';

const PendingSignIn = z.object({ secondFactor: z.object({ challenge: z.string() }) });
const SessionResponse = z.object({ user: z.object({ uid: z.string() }) });

let inbox: Inbox;
let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  inbox = await startInbox();
  provider = await startProvider(
    { rateLimit: true, mail: { smtpUrl: inbox.smtpUrl } },
    0,
    Fastify({ trustProxy: true }),
  );
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

interface Source {
  address: string;
  device?: string;
}
const post = (path: string, body: unknown, { address, device }: Source, token?: string) =>
  provider.call('POST', path, {
    body,
    ...(token === undefined ? {} : { token }),
    headers: { 'x-forwarded-for': address, ...(device === undefined ? {} : { 'device-token': device }) },
  });
const signIn = (email: string, password: string, from: Source) =>
  post('/sign-in/email', { email, password }, from);
const requestReset = (email: string, from: Source) => post('/password/reset-letter', { email }, from);

/** Creates an account on the laptop at home. */
async function signUpOwner() {
  const email = `owner${++people}@people.example`;
  const answer = await post(
    '/sign-up/email',
    { email, password: PASSWORD },
    { address: HOME_ADDRESS, device: LAPTOP },
  );
  return { email, uid: SessionResponse.parse(await answer.json()).user.uid };
}

/** Signs in with an empty password: it counts as an attempt but costs no hash. */
async function guess(email: string, from: Source, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) statuses.push((await signIn(email, '', from)).status);
  return statuses;
}

it('locks out only unknown clients after wrong passwords from any number of unknown addresses', async () => {
  const { email } = await signUpOwner();
  const guesses = await Promise.all(
    [1, 2, 3].map((host) => guess(email, { address: `203.0.113.${host}` }, 7)),
  );
  expect(guesses.flat().filter((status) => status === 429)).toHaveLength(1);
  expect((await signIn(email, PASSWORD, { address: OTHER_ADDRESS })).status).toBe(429);
  // A made-up device token is unknown as well.
  expect((await signIn(email, PASSWORD, { address: OTHER_ADDRESS, device: 'x'.repeat(32) })).status).toBe(
    429,
  );

  // The known device in a new network, and a new device in the known network.
  expect((await signIn(email, PASSWORD, { address: '192.0.2.1', device: LAPTOP })).status).toBe(200);
  expect((await signIn(email, PASSWORD, { address: HOME_ADDRESS, device: 'y'.repeat(32) })).status).toBe(200);
});

it('gives a device its own quota for the accounts that signed in on it', async () => {
  const [{ email }, other] = [await signUpOwner(), await signUpOwner()];
  const attackerDevice = 'thief'.repeat(7);
  await signIn(other.email, PASSWORD, { address: OTHER_ADDRESS, device: attackerDevice });
  expect(await guess(email, { address: OTHER_ADDRESS, device: attackerDevice }, 21)).toContain(429);
  expect(await guess(email, { address: OTHER_ADDRESS, device: LAPTOP }, 21)).toContain(429);
  expect((await signIn(email, PASSWORD, { address: HOME_ADDRESS })).status).toBe(200);
});

it('lets the owner complete a sign-in after wrong codes from unknown clients', async () => {
  const { email, uid } = await signUpOwner();
  await provider.sql(
    `insert into passkey (id, user_id, public_key, counter, transports, name)
     values ($1, $1, '\\x00', 0, '{}', 'phone')`,
    [uid],
  );
  const enterWrongCode = async (from: Source) => {
    const { secondFactor } = PendingSignIn.parse(await (await signIn(email, PASSWORD, from)).json());
    return (await post('/sign-in/code', { code: '000000' }, from, secondFactor.challenge)).status;
  };
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push(await enterWrongCode({ address: OTHER_ADDRESS }));
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  expect(await enterWrongCode({ address: HOME_ADDRESS, device: LAPTOP })).toBe(422);
});

it('keeps the known clients’ quota of reset emails when unknown clients use up theirs', async () => {
  const { email, uid } = await signUpOwner();
  const countResetEmails = async () => {
    const rows = await provider.sql(
      `select 1 from pgboss.job where data->>'userId' = $1 and data->>'kind' = 'reset-password'`,
      [uid],
    );
    return rows.length;
  };
  const advanceOneMinute = () =>
    provider.sql(`update rate_limits set empty_at = empty_at - interval '61 seconds'`);
  for (let at = 0; at < 5; at += 1) {
    expect((await requestReset(email, { address: OTHER_ADDRESS })).status).toBe(200);
    await advanceOneMinute();
  }
  expect(await countResetEmails()).toBe(2);
  for (let at = 0; at < 5; at += 1) {
    await requestReset(email, { address: `203.0.113.${100 + at}` });
    await advanceOneMinute();
  }
  expect(await countResetEmails()).toBe(5);

  expect((await requestReset(email, { address: '192.0.2.1', device: LAPTOP })).status).toBe(200);
  expect(await countResetEmails()).toBe(6);
  await inbox.waitForEmail(email, RESET_SUBJECT);
  const own = Array.from({ length: 8 }, async () =>
    requestReset(email, { address: HOME_ADDRESS, device: LAPTOP }),
  );
  await Promise.all(own);
  expect(await countResetEmails()).toBe(6);
});

it('counts sign-ups per network, so that one network cannot block an address for the others', async () => {
  const email = `late${++people}@people.example`;
  const weak = { email, password: 'Password1!' };
  const tries: number[] = [];
  for (let at = 0; at < 21; at += 1) {
    tries.push((await post('/sign-up/email', weak, { address: OTHER_ADDRESS })).status);
  }
  expect(tries.slice(0, 20)).not.toContain(429);
  expect(tries.at(-1)).toBe(429);
  expect(
    (await post('/sign-up/email', { email, password: PASSWORD }, { address: HOME_ADDRESS })).status,
  ).toBe(200);
});
