import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { codeAt, timeStepAt } from '../second-factor/totp.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { decodeBase32 } from '../testing/authenticator-app.ts';
import { createLoggingApp, PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const NEW_PASSWORD = 'Kettle#9Marble';
const SessionResponse = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const PendingSignIn = z.object({ secondFactor: z.object({ challenge: z.string() }) });
const PasskeyOptions = z.object({ challenge: z.string() });

const log = createLoggingApp();
let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider({ rateLimit: true }, 0, log.app);
});
afterAll(() => provider.stop());

const post = (path: string, token: string | null, body: unknown = {}) =>
  provider.call('POST', path, { body, ...(token === null ? {} : { token }) });
const signIn = (email: string, password = PASSWORD) => post('/sign-in/email', null, { email, password });
const signUp = async (email: string) =>
  SessionResponse.parse(
    await (await post('/sign-up/email', null, { email, password: PASSWORD, name: 'Ann Private' })).json(),
  );

let readCount = 0;
/** Waits for the next `count` attempts in the log. Their order can differ from that of the requests. */
async function readAttempts(count: number) {
  await expect.poll(() => log.attempts().length).toBe(readCount + count);
  const newAttempts = log.attempts().slice(readCount);
  readCount += count;
  return newAttempts.map(({ attempt, outcome, account }) => [attempt, outcome, account]);
}

it('logs each attempt with its account, its outcome and its request id', async () => {
  const email = 'ann.private@mail.example';
  const { sessionToken, user } = await signUp(email);
  const { uid } = user;
  const wrong = await signIn(email, NEW_PASSWORD);
  await signIn('nobody@mail.example');
  await signIn(email);
  expect(await readAttempts(4)).toEqual(
    expect.arrayContaining([
      ['sign-up', 'ok', uid],
      ['password', 'invalid_credential', uid],
      ['password', 'invalid_credential', null],
      ['password', 'ok', uid],
    ]),
  );
  const { requestId } = z.object({ requestId: z.string() }).parse(await wrong.json());
  expect(
    log.attempts().find((line) => line.outcome === 'invalid_credential' && line.account === uid)?.requestId,
  ).toBe(requestId);

  await post('/password/change', sessionToken, { currentPassword: 'Wrong#1234', password: NEW_PASSWORD });
  await post('/password/change', sessionToken, { currentPassword: PASSWORD, password: NEW_PASSWORD });
  await post('/password/reset', null, { token: 'x'.repeat(43), password: NEW_PASSWORD });
  await post('/sign-out', sessionToken);
  expect(await readAttempts(4)).toEqual(
    expect.arrayContaining([
      ['password-change', 'invalid_credential', uid],
      ['password-change', 'ok', uid],
      ['reset', 'link_spent', null],
      ['session-ended', 'ok', uid],
    ]),
  );
});

it('distinguishes authenticator codes, recovery codes and passkeys', async () => {
  const email = 'careful.private@mail.example';
  const { sessionToken, user } = await signUp(email);
  const { uid } = user;
  const begun = await post('/totp', sessionToken, { password: PASSWORD });
  const key = decodeBase32(z.object({ secret: z.string() }).parse(await begun.json()).secret);
  const confirmed = await post('/totp/confirm', sessionToken, {
    code: codeAt(key, timeStepAt(Date.now()) - 1),
  });
  const added = SessionResponse.parse(await confirmed.json());
  expect(await readAttempts(3)).toEqual(
    expect.arrayContaining([
      ['sign-up', 'ok', uid],
      ['authenticator-set-up', 'ok', uid],
      ['authenticator-added', 'ok', uid],
    ]),
  );

  const { challenge } = PendingSignIn.parse(await (await signIn(email)).json()).secondFactor;
  await post('/sign-in/code', challenge, { code: '000000' });
  await post('/sign-in/code', challenge, { code: added.recoveryCodes?.[0] });
  expect(await readAttempts(3)).toEqual(
    expect.arrayContaining([
      ['password', 'second_factor_required', uid],
      ['authenticator-code', 'invalid_code', uid],
      ['recovery-code', 'ok', uid],
    ]),
  );

  const device = createAuthenticator(provider.origin);
  const asked = await post('/passkeys/options', added.sessionToken, { password: PASSWORD });
  const made = device.create(PasskeyOptions.parse(await asked.json()));
  await post('/passkeys', added.sessionToken, { name: 'Phone', response: made });
  const options = async () =>
    PasskeyOptions.parse(await (await post('/sign-in/passkey/options', null)).json());
  await post('/sign-in/passkey', null, { response: device.get({ challenge: 'bm90LWdpdmVuLW91dA' }) });
  await post('/sign-in/passkey', null, { response: device.get(await options()) });
  expect(await readAttempts(4)).toEqual(
    expect.arrayContaining([
      ['passkey-set-up', 'ok', uid],
      ['passkey-added', 'ok', uid],
      ['passkey', 'passkey_refused', uid],
      ['passkey', 'ok', uid],
    ]),
  );
});

it('logs an attempt that a rate limit refuses', async () => {
  const email = 'sought.private@mail.example';
  const { user } = await signUp(email);
  await readAttempts(1);
  for (let times = 0; times < 20; times += 1) await signIn(email, NEW_PASSWORD);
  expect((await signIn(email)).status).toBe(429);
  expect(await readAttempts(21)).toContainEqual(['password', 'too_many_requests', user.uid]);
});

it('logs no user input', () => {
  expect(log.attempts().length).toBeGreaterThan(30);
  for (const typed of ['private@mail.example', 'nobody@', 'Ann Private', PASSWORD, NEW_PASSWORD]) {
    expect(log.lines.filter((line) => line.includes(typed))).toEqual([]);
  }
});
