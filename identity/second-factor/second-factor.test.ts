import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';
import { codeAt, findMatchingStep, setupUrl, timeStepAt } from './totp.ts';

const Signed = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({ uid: z.string(), email: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const Due = z.object({ secondFactor: z.object({ challenge: z.string(), methods: z.array(z.string()) }) });
const Problem = z.object({ code: z.string() });
const Options = z.object({ challenge: z.string() });

let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const codeOf = async (answer: Response) => Problem.parse(await answer.json()).code;
const post = (path: string, token: string | null, body: unknown = {}) =>
  provider.call('POST', path, { body, ...(token === null ? {} : { token }) });
const amrOf = (idToken: string) => decodeJwt(idToken).amr;

async function signUp() {
  const email = `careful${++people}@mail.example`;
  const answer = await post('/sign-up/email', null, { email, password: PASSWORD });
  return Signed.parse(await answer.json());
}
const signIn = (email: string) => post('/sign-in/email', null, { email, password: PASSWORD });
const due = async (email: string) => Due.parse(await (await signIn(email)).json()).secondFactor;

/** The bytes of a key in base 32, as an app reads them. */
function bytesOf(key: string): Buffer {
  const bits = Array.from(key, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** An account with an authenticator app; `next` answers a code that was not used yet, of the present or next period. */
async function withApp() {
  const person = await signUp();
  const begun = await post('/totp', person.sessionToken, { password: PASSWORD });
  const { secret } = z.object({ secret: z.string() }).parse(await begun.json());
  const key = bytesOf(secret);
  const used = codeAt(key, timeStepAt(Date.now()) - 1);
  const confirmed = await post('/totp/confirm', person.sessionToken, { code: used });
  expect(confirmed.status).toBe(200);
  const signed = Signed.parse(await confirmed.json());
  let step = timeStepAt(Date.now()) - 1;
  return {
    ...signed,
    old: person.sessionToken,
    used,
    codes: signed.recoveryCodes ?? [],
    next: () => {
      step += 1;
      return codeAt(key, step);
    },
  };
}

async function addPasskey(sessionToken: string, twist = {}) {
  const device = createAuthenticator(provider.origin);
  const asked = await post('/passkeys/options', sessionToken, { password: PASSWORD });
  const options = Options.parse(await asked.json());
  const answer = await post('/passkeys', sessionToken, {
    name: 'My phone',
    response: device.create(options, twist),
  });
  return { device, options, answer };
}

describe('codes of an authenticator app', () => {
  // RFC 6238, appendix B, the last six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('are those of the standard at second %d', (seconds, code) => {
    const secret = Buffer.from('12345678901234567890');
    expect(codeAt(secret, timeStepAt(seconds * 1000))).toBe(code);
    expect(findMatchingStep(secret, code, seconds * 1000 + 30_000)).toBe(timeStepAt(seconds * 1000));
    expect(findMatchingStep(secret, code, seconds * 1000 + 90_000)).toBeNull();
  });

  it('are set up by an address that apps know', () => {
    const url = new URL(setupUrl(Buffer.from('12345678901234567890'), 'ann@mail.example'));
    expect(url.href).toMatch(/^otpauth:\/\/totp\/Coomercio%3Aann%40mail\.example\?secret=GEZDGNBV/);
    expect(url.searchParams.get('issuer')).toBe('Coomercio');
  });
});

describe('with an authenticator app', () => {
  it('the password alone opens nothing; a code completes the sign-in and the ID token says how', async () => {
    const { user, next } = await withApp();
    const { challenge, methods } = await due(user.email);
    expect(methods).toEqual(['totp', 'recovery-code']);
    for (const [method, path] of [
      ['GET', '/token'],
      ['GET', '/sessions'],
      ['GET', '/account'],
      ['POST', '/totp'],
      ['DELETE', '/sessions'],
    ] as const) {
      const answer = await provider.call(method, path, {
        token: challenge,
        ...(method === 'POST' ? { body: { password: PASSWORD } } : {}),
      });
      expect(await codeOf(answer), path).toBe('second_factor_required');
    }
    const completed = Signed.parse(await (await post('/sign-in/code', challenge, { code: next() })).json());
    expect(amrOf(completed.idToken)).toEqual(['pwd', 'otp', 'mfa']);
    expect(completed.sessionToken).not.toBe(challenge);
    expect((await post('/sign-in/continue', challenge)).status).toBe(401);
  });

  it('setting it up changes the session, ends the others, and is not on before its first code', async () => {
    const person = await signUp();
    const elsewhere = Signed.parse(await (await signIn(person.user.email)).json());
    expect(amrOf(person.idToken)).toEqual(['pwd']);
    await post('/totp', person.sessionToken, { password: PASSWORD });
    expect(await codeOf(await post('/totp/confirm', person.sessionToken, { code: '000000' }))).toBe(
      'invalid_code',
    );
    Signed.parse(await (await signIn(person.user.email)).json());

    const begun = await post('/totp', person.sessionToken, { password: PASSWORD });
    const { secret } = z.object({ secret: z.string() }).parse(await begun.json());
    const code = codeAt(bytesOf(secret), timeStepAt(Date.now()));
    const confirmed = Signed.parse(await (await post('/totp/confirm', person.sessionToken, { code })).json());
    expect(amrOf(confirmed.idToken)).toEqual(['pwd', 'otp', 'mfa']);
    expect(confirmed.recoveryCodes).toHaveLength(10);
    for (const token of [person.sessionToken, elsewhere.sessionToken]) {
      expect((await provider.call('GET', '/token', { token })).status).toBe(401);
    }
    expect((await provider.call('GET', '/token', { token: confirmed.sessionToken })).status).toBe(200);
  });

  it('a code counts once, at the same instant too, and none before it afterwards', async () => {
    const { user, used, next } = await withApp();
    const { challenge } = await due(user.email);
    expect(await codeOf(await post('/sign-in/code', challenge, { code: used }))).toBe('invalid_code');
    const code = next();
    const challenges = [challenge, (await due(user.email)).challenge, (await due(user.email)).challenge];
    const answers = await Promise.all(challenges.map((token) => post('/sign-in/code', token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it('takes five wrong codes and then none for a quarter of an hour, in new sign-ins too', async () => {
    const { user, next } = await withApp();
    const { challenge } = await due(user.email);
    const wrong = await Promise.all(
      Array.from({ length: 8 }, () => post('/sign-in/code', challenge, { code: '000000' })),
    );
    expect(wrong.map(({ status }) => status).sort()).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
    const anew = await post('/sign-in/code', (await due(user.email)).challenge, { code: next() });
    expect(anew.status).toBe(429);
    expect(Number(anew.headers.get('retry-after'))).toBeGreaterThan(600);
    await provider.sql('update failed_proof set locked_until = now() where user_id = $1', [user.uid]);
    expect((await post('/sign-in/code', (await due(user.email)).challenge, { code: next() })).status).toBe(
      200,
    );
  });

  it('a recovery code stands in, once, however it is typed', async () => {
    const { user, codes } = await withApp();
    const [first = '', second = ''] = codes;
    const use = async (code: string) => post('/sign-in/code', (await due(user.email)).challenge, { code });
    expect((await use(first)).status).toBe(200);
    expect((await use(first)).status).toBe(422);
    expect((await use(` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect(new Set(codes).size).toBe(10);
  });

  it('keeps its key sealed and the recovery codes hashed', async () => {
    const { user, codes } = await withApp();
    const kept = JSON.stringify([
      await provider.sql('select * from totp where user_id = $1', [user.uid]),
      await provider.sql(`select encode(hash, 'escape') from recovery_code where user_id = $1`, [user.uid]),
    ]);
    for (const code of codes) expect(kept).not.toContain(code.replaceAll('-', ''));
    const other = await withApp();
    // A sealed key that is moved to another account opens for nobody.
    await provider.sql(
      'update totp set sealed_secret = (select sealed_secret from totp where user_id = $1) where user_id = $2',
      [user.uid, other.user.uid],
    );
    const { challenge } = await due(other.user.email);
    expect((await post('/sign-in/code', challenge, { code: other.next() })).status).toBe(500);
  });

  it('new recovery codes replace the old ones, for who shows the password', async () => {
    const { sessionToken, user, codes } = await withApp();
    expect((await post('/recovery-codes', sessionToken, { password: 'Wrong#123' })).status).toBe(401);
    expect((await post('/recovery-codes', sessionToken)).status).toBe(422);
    const answer = await post('/recovery-codes', sessionToken, { password: PASSWORD });
    const { recoveryCodes } = z.object({ recoveryCodes: z.array(z.string()) }).parse(await answer.json());
    const use = async (code: string) => post('/sign-in/code', (await due(user.email)).challenge, { code });
    expect((await use(codes[0] ?? '')).status).toBe(422);
    expect((await use(recoveryCodes[0] ?? '')).status).toBe(200);
  });

  it('can be removed with the password; the password alone then signs in, and the codes are gone', async () => {
    const { sessionToken, user } = await withApp();
    expect((await post('/totp/remove', sessionToken, { password: 'Wrong#123' })).status).toBe(401);
    expect((await post('/totp/remove', sessionToken, { password: PASSWORD })).status).toBe(200);
    Signed.parse(await (await signIn(user.email)).json());
    expect(await provider.sql('select 1 from recovery_code where user_id = $1', [user.uid])).toEqual([]);
  });

  it('is not replaced by whoever has the session, and a sign-in does not wait for ever', async () => {
    const { sessionToken, user, next } = await withApp();
    expect(await codeOf(await post('/totp', sessionToken, { password: PASSWORD }))).toBe('already_set_up');
    const { challenge } = await due(user.email);
    await provider.sql(
      `update session set "createdAt" = now() - interval '11 minutes' where "userId" = $1 and due`,
      [user.uid],
    );
    expect((await post('/sign-in/code', challenge, { code: next() })).status).toBe(401);
  });

  it('is still asked for after the password was forgotten, where the address was proven', async () => {
    const { user } = await withApp();
    await provider.sql('update "user" set "emailVerified" = true where id = $1', [user.uid]);
    await provider.sql(
      `insert into letter (user_id, kind, token_hash, expires_at, sent_at)
       values ($1, 'reset-password', sha256($2), now() + interval '1 hour', now())`,
      [user.uid, Buffer.from('t'.repeat(43))],
    );
    const done = await post('/password/reset', null, { token: 't'.repeat(43), password: 'Kettle#9Marble' });
    expect(done.status).toBe(200);
    const answer = await post('/sign-in/email', null, { email: user.email, password: 'Kettle#9Marble' });
    expect(Due.parse(await answer.json()).secondFactor.methods).toContain('totp');
  });
});

describe('a passkey', () => {
  it('signs in by itself, and completes a sign-in by password', async () => {
    const person = await signUp();
    const { device, answer } = await addPasskey(person.sessionToken);
    const added = Signed.parse(await answer.json());
    expect(amrOf(added.idToken)).toEqual(['pwd', 'pop', 'mfa']);
    expect(added.recoveryCodes).toHaveLength(10);

    const alone = Options.parse(await (await post('/sign-in/passkey/options', null)).json());
    const entered = Signed.parse(
      await (await post('/sign-in/passkey', null, { response: device.get(alone) })).json(),
    );
    expect(entered.user.uid).toBe(person.user.uid);
    expect(amrOf(entered.idToken)).toEqual(['pop', 'mfa']);

    const { challenge, methods } = await due(person.user.email);
    expect(methods).toEqual(['passkey', 'recovery-code']);
    const second = Options.parse(await (await post('/sign-in/passkey/options', challenge)).json());
    const completed = await post('/sign-in/passkey', challenge, { response: device.get(second) });
    expect(amrOf(Signed.parse(await completed.json()).idToken)).toEqual(['pwd', 'pop', 'mfa']);
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another domain', { domain: 'evil.example' }],
    ['for another challenge', { challenge: 'b3RoZXI' }],
    ['without the person verified', { verified: false }],
  ])('%s is neither kept nor believed', async (_what, twist) => {
    const person = await signUp();
    const { answer } = await addPasskey(person.sessionToken, twist);
    expect(await codeOf(answer)).toBe('passkey_refused');
    expect(await provider.sql('select 1 from passkey where user_id = $1', [person.user.uid])).toEqual([]);

    const { device, answer: good } = await addPasskey(person.sessionToken);
    expect(good.status).toBe(200);
    const options = Options.parse(await (await post('/sign-in/passkey/options', null)).json());
    const entering = await post('/sign-in/passkey', null, { response: device.get(options, twist) });
    expect(await codeOf(entering)).toBe('passkey_refused');
  });

  it('is not believed twice for one challenge, nor when its count runs backwards', async () => {
    const person = await signUp();
    const { device } = await addPasskey(person.sessionToken);
    const ask = async () => Options.parse(await (await post('/sign-in/passkey/options', null)).json());
    const options = await ask();
    const response = device.get(options);
    expect((await post('/sign-in/passkey', null, { response })).status).toBe(200);
    expect(await codeOf(await post('/sign-in/passkey', null, { response }))).toBe('passkey_refused');
    const copied = device.get(await ask(), { counter: 1 });
    expect(await codeOf(await post('/sign-in/passkey', null, { response: copied }))).toBe('passkey_refused');
  });

  it('of one person completes no sign-in of another', async () => {
    const [ann, bea] = [await signUp(), await signUp()];
    await addPasskey(ann.sessionToken);
    const { device } = await addPasskey(bea.sessionToken);
    const { challenge } = await due(ann.user.email);
    const options = Options.parse(await (await post('/sign-in/passkey/options', challenge)).json());
    const answer = await post('/sign-in/passkey', challenge, { response: device.get(options) });
    expect(await codeOf(answer)).toBe('passkey_refused');
  });

  it('is listed, and removed by its owner alone', async () => {
    const [ann, bea] = [await signUp(), await signUp()];
    const { device, answer } = await addPasskey(ann.sessionToken);
    const { sessionToken } = Signed.parse(await answer.json());
    const account = z
      .object({ passkeys: z.array(z.object({ id: z.string(), name: z.string() })) })
      .parse(await (await provider.call('GET', '/account', { token: sessionToken })).json());
    expect(account.passkeys).toMatchObject([{ id: device.id, name: 'My phone' }]);
    const remove = (token: string) => post(`/passkeys/${device.id}/remove`, token, { password: PASSWORD });
    expect((await remove(bea.sessionToken)).status).toBe(404);
    expect((await remove(sessionToken)).status).toBe(200);
    Signed.parse(await (await signIn(ann.user.email)).json());
  });

  it('opens nothing for a disabled account', async () => {
    const person = await signUp();
    const { device } = await addPasskey(person.sessionToken);
    await post('/admin/disable', SERVICE_SECRET, { email: person.user.email });
    const options = Options.parse(await (await post('/sign-in/passkey/options', null)).json());
    const answer = await post('/sign-in/passkey', null, { response: device.get(options) });
    expect(await codeOf(answer)).toBe('user_disabled');
    expect(await provider.sql('select 1 from session where "userId" = $1', [person.user.uid])).toHaveLength(
      1,
    );
  });
});
