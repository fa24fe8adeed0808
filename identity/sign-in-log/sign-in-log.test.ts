import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { codeAt, timeStepAt } from '../second-factor/totp.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { createLoggingApp, PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const OTHER = 'Kettle#9Marble';
const Signed = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const Due = z.object({ secondFactor: z.object({ challenge: z.string() }) });
const Options = z.object({ challenge: z.string() });

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
  Signed.parse(
    await (await post('/sign-up/email', null, { email, password: PASSWORD, name: 'Ann Private' })).json(),
  );

/** What was logged of an account, or of none, since it was asked last. */
let told = 0;
async function attempts(count: number) {
  // A line may be written just after its answer has arrived, and so after that of the next request.
  await expect.poll(() => log.attempts().length).toBe(told + count);
  const fresh = log.attempts().slice(told);
  told += count;
  return fresh.map(({ attempt, outcome, account }) => [attempt, outcome, account]);
}

/** The bytes of a key in base 32. */
function bytesOf(key: string): Buffer {
  const bits = Array.from(key, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

it('each attempt is a line about its account, with its outcome and the id of its request', async () => {
  const email = 'ann.private@mail.example';
  const { sessionToken, user } = await signUp(email);
  const { uid } = user;
  const wrong = await signIn(email, OTHER);
  await signIn('nobody@mail.example');
  await signIn(email);
  expect(await attempts(4)).toEqual(
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

  await post('/password/change', sessionToken, { currentPassword: 'Wrong#1234', password: OTHER });
  await post('/password/change', sessionToken, { currentPassword: PASSWORD, password: OTHER });
  await post('/password/reset', null, { token: 'x'.repeat(43), password: OTHER });
  await post('/sign-out', sessionToken);
  expect(await attempts(4)).toEqual(
    expect.arrayContaining([
      ['password-change', 'invalid_credential', uid],
      ['password-change', 'ok', uid],
      ['reset', 'link_spent', null],
      ['session-ended', 'ok', uid],
    ]),
  );
});

it('codes, recovery codes and passkeys are told apart', async () => {
  const email = 'careful.private@mail.example';
  const { sessionToken, user } = await signUp(email);
  const { uid } = user;
  const begun = await post('/totp', sessionToken, { password: PASSWORD });
  const key = bytesOf(z.object({ secret: z.string() }).parse(await begun.json()).secret);
  const confirmed = await post('/totp/confirm', sessionToken, {
    code: codeAt(key, timeStepAt(Date.now()) - 1),
  });
  const added = Signed.parse(await confirmed.json());
  expect(await attempts(3)).toEqual(
    expect.arrayContaining([
      ['sign-up', 'ok', uid],
      ['authenticator-set-up', 'ok', uid],
      ['authenticator-added', 'ok', uid],
    ]),
  );

  const { challenge } = Due.parse(await (await signIn(email)).json()).secondFactor;
  await post('/sign-in/code', challenge, { code: '000000' });
  await post('/sign-in/code', challenge, { code: added.recoveryCodes?.[0] });
  expect(await attempts(3)).toEqual(
    expect.arrayContaining([
      ['password', 'second_factor_required', uid],
      ['authenticator-code', 'invalid_code', uid],
      ['recovery-code', 'ok', uid],
    ]),
  );

  const device = createAuthenticator(provider.origin);
  const asked = await post('/passkeys/options', added.sessionToken, { password: PASSWORD });
  const made = device.create(Options.parse(await asked.json()));
  await post('/passkeys', added.sessionToken, { name: 'Phone', response: made });
  const options = async () => Options.parse(await (await post('/sign-in/passkey/options', null)).json());
  await post('/sign-in/passkey', null, { response: device.get({ challenge: 'bm90LWdpdmVuLW91dA' }) });
  await post('/sign-in/passkey', null, { response: device.get(await options()) });
  expect(await attempts(4)).toEqual(
    expect.arrayContaining([
      ['passkey-set-up', 'ok', uid],
      ['passkey-added', 'ok', uid],
      ['passkey', 'passkey_refused', uid],
      ['passkey', 'ok', uid],
    ]),
  );
});

it('an attempt that a limit refuses is one as well', async () => {
  const email = 'sought.private@mail.example';
  const { user } = await signUp(email);
  await attempts(1);
  for (let times = 0; times < 20; times += 1) await signIn(email, OTHER);
  expect((await signIn(email)).status).toBe(429);
  expect(await attempts(21)).toContainEqual(['password', 'too_many_requests', user.uid]);
});

it('nothing that was typed stands in the log', () => {
  expect(log.attempts().length).toBeGreaterThan(30);
  for (const typed of ['private@mail.example', 'nobody@', 'Ann Private', PASSWORD, OTHER]) {
    expect(log.lines.filter((line) => line.includes(typed))).toEqual([]);
  }
});
