import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createAuthenticator } from '../testing/authenticator.ts';
import { decodeBase32 } from '../testing/authenticator-app.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';
import { codeAt, findMatchingStep, setupUrl, timeStepAt } from './totp.ts';

const SessionResponse = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({ uid: z.string(), email: z.string() }),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const PendingSignIn = z.object({
  secondFactor: z.object({ challenge: z.string(), methods: z.array(z.string()) }),
});
const Problem = z.object({ code: z.string() });
const PasskeyOptions = z.object({ challenge: z.string() });

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
  return SessionResponse.parse(await answer.json());
}
const signIn = (email: string) => post('/sign-in/email', null, { email, password: PASSWORD });
const startSignIn = async (email: string) =>
  PendingSignIn.parse(await (await signIn(email)).json()).secondFactor;

/** Creates an account with an authenticator app. `nextCode` returns an unused code of the current or next period. */
async function signUpWithApp() {
  const person = await signUp();
  const begun = await post('/totp', person.sessionToken, { password: PASSWORD });
  const { secret } = z.object({ secret: z.string() }).parse(await begun.json());
  const key = decodeBase32(secret);
  const usedCode = codeAt(key, timeStepAt(Date.now()) - 1);
  const confirmed = await post('/totp/confirm', person.sessionToken, { code: usedCode });
  expect(confirmed.status).toBe(200);
  const signed = SessionResponse.parse(await confirmed.json());
  let step = timeStepAt(Date.now()) - 1;
  return {
    ...signed,
    old: person.sessionToken,
    usedCode,
    recoveryCodes: signed.recoveryCodes ?? [],
    nextCode: () => {
      step += 1;
      return codeAt(key, step);
    },
  };
}

async function addPasskey(sessionToken: string, overrides = {}) {
  const device = createAuthenticator(provider.origin);
  const asked = await post('/passkeys/options', sessionToken, { password: PASSWORD });
  const options = PasskeyOptions.parse(await asked.json());
  const answer = await post('/passkeys', sessionToken, {
    name: 'My phone',
    response: device.create(options, overrides),
  });
  return { device, options, answer };
}

describe('TOTP codes', () => {
  // RFC 6238, appendix B: the last six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('match the test vector of RFC 6238 at second %d', (seconds, code) => {
    const secret = Buffer.from('12345678901234567890');
    expect(codeAt(secret, timeStepAt(seconds * 1000))).toBe(code);
    expect(findMatchingStep(secret, code, seconds * 1000 + 30_000)).toBe(timeStepAt(seconds * 1000));
    expect(findMatchingStep(secret, code, seconds * 1000 + 90_000)).toBeNull();
  });

  it('are set up with an otpauth URL', () => {
    const url = new URL(setupUrl(Buffer.from('12345678901234567890'), 'ann@mail.example'));
    expect(url.href).toMatch(/^otpauth:\/\/totp\/Coomercio%3Aann%40mail\.example\?secret=GEZDGNBV/);
    expect(url.searchParams.get('issuer')).toBe('Coomercio');
  });
});

describe('an authenticator app', () => {
  it('requires a code after the password and adds the method to the ID token', async () => {
    const { user, nextCode } = await signUpWithApp();
    const { challenge, methods } = await startSignIn(user.email);
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
    const completed = SessionResponse.parse(
      await (await post('/sign-in/code', challenge, { code: nextCode() })).json(),
    );
    expect(amrOf(completed.idToken)).toEqual(['pwd', 'otp', 'mfa']);
    expect(completed.sessionToken).not.toBe(challenge);
    expect((await post('/sign-in/continue', challenge)).status).toBe(401);
  });

  it('is activated by its first code, which replaces the session and ends the others', async () => {
    const person = await signUp();
    const elsewhere = SessionResponse.parse(await (await signIn(person.user.email)).json());
    expect(amrOf(person.idToken)).toEqual(['pwd']);
    await post('/totp', person.sessionToken, { password: PASSWORD });
    expect(await codeOf(await post('/totp/confirm', person.sessionToken, { code: '000000' }))).toBe(
      'invalid_code',
    );
    SessionResponse.parse(await (await signIn(person.user.email)).json());

    const begun = await post('/totp', person.sessionToken, { password: PASSWORD });
    const { secret } = z.object({ secret: z.string() }).parse(await begun.json());
    const code = codeAt(decodeBase32(secret), timeStepAt(Date.now()));
    const confirmed = SessionResponse.parse(
      await (await post('/totp/confirm', person.sessionToken, { code })).json(),
    );
    expect(amrOf(confirmed.idToken)).toEqual(['pwd', 'otp', 'mfa']);
    expect(confirmed.recoveryCodes).toHaveLength(10);
    for (const token of [person.sessionToken, elsewhere.sessionToken]) {
      expect((await provider.call('GET', '/token', { token })).status).toBe(401);
    }
    expect((await provider.call('GET', '/token', { token: confirmed.sessionToken })).status).toBe(200);
  });

  it('accepts each code once, also concurrently, and no earlier code afterwards', async () => {
    const { user, usedCode, nextCode } = await signUpWithApp();
    const { challenge } = await startSignIn(user.email);
    expect(await codeOf(await post('/sign-in/code', challenge, { code: usedCode }))).toBe('invalid_code');
    const code = nextCode();
    const challenges = [
      challenge,
      (await startSignIn(user.email)).challenge,
      (await startSignIn(user.email)).challenge,
    ];
    const answers = await Promise.all(challenges.map((token) => post('/sign-in/code', token, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it('refuses all codes for 15 minutes after five wrong ones, also in new sign-ins', async () => {
    const { user, nextCode } = await signUpWithApp();
    const { challenge } = await startSignIn(user.email);
    const wrong = await Promise.all(
      Array.from({ length: 8 }, () => post('/sign-in/code', challenge, { code: '000000' })),
    );
    expect(wrong.map(({ status }) => status).sort()).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
    const newAttempt = await post('/sign-in/code', (await startSignIn(user.email)).challenge, {
      code: nextCode(),
    });
    expect(newAttempt.status).toBe(429);
    expect(Number(newAttempt.headers.get('retry-after'))).toBeGreaterThan(600);
    await provider.sql('update failed_proof set locked_until = now() where user_id = $1', [user.uid]);
    expect(
      (await post('/sign-in/code', (await startSignIn(user.email)).challenge, { code: nextCode() })).status,
    ).toBe(200);
  });

  it('can be replaced by a recovery code, once, in any spelling', async () => {
    const { user, recoveryCodes } = await signUpWithApp();
    const [first = '', second = ''] = recoveryCodes;
    const use = async (code: string) =>
      post('/sign-in/code', (await startSignIn(user.email)).challenge, { code });
    expect((await use(first)).status).toBe(200);
    expect((await use(first)).status).toBe(422);
    expect((await use(` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect(new Set(recoveryCodes).size).toBe(10);
  });

  it('stores its key encrypted and the recovery codes hashed', async () => {
    const { user, recoveryCodes } = await signUpWithApp();
    const kept = JSON.stringify([
      await provider.sql('select * from totp where user_id = $1', [user.uid]),
      await provider.sql(`select encode(hash, 'escape') from recovery_code where user_id = $1`, [user.uid]),
    ]);
    for (const code of recoveryCodes) expect(kept).not.toContain(code.replaceAll('-', ''));
    const other = await signUpWithApp();
    // An encrypted key that is copied to another account cannot be decrypted.
    await provider.sql(
      'update totp set sealed_secret = (select sealed_secret from totp where user_id = $1) where user_id = $2',
      [user.uid, other.user.uid],
    );
    const { challenge } = await startSignIn(other.user.email);
    expect((await post('/sign-in/code', challenge, { code: other.nextCode() })).status).toBe(500);
  });

  it('requires the password for new recovery codes, which replace the old ones', async () => {
    const { sessionToken, user, recoveryCodes: oldCodes } = await signUpWithApp();
    expect((await post('/recovery-codes', sessionToken, { password: 'Wrong#123' })).status).toBe(401);
    expect((await post('/recovery-codes', sessionToken)).status).toBe(422);
    const answer = await post('/recovery-codes', sessionToken, { password: PASSWORD });
    const { recoveryCodes } = z.object({ recoveryCodes: z.array(z.string()) }).parse(await answer.json());
    const use = async (code: string) =>
      post('/sign-in/code', (await startSignIn(user.email)).challenge, { code });
    expect((await use(oldCodes[0] ?? '')).status).toBe(422);
    expect((await use(recoveryCodes[0] ?? '')).status).toBe(200);
  });

  it('is removed with the password, together with the recovery codes', async () => {
    const { sessionToken, user } = await signUpWithApp();
    expect((await post('/totp/remove', sessionToken, { password: 'Wrong#123' })).status).toBe(401);
    expect((await post('/totp/remove', sessionToken, { password: PASSWORD })).status).toBe(200);
    SessionResponse.parse(await (await signIn(user.email)).json());
    expect(await provider.sql('select 1 from recovery_code where user_id = $1', [user.uid])).toEqual([]);
  });

  it('cannot be replaced with a session token alone, and a pending sign-in expires', async () => {
    const { sessionToken, user, nextCode } = await signUpWithApp();
    expect(await codeOf(await post('/totp', sessionToken, { password: PASSWORD }))).toBe('already_set_up');
    const { challenge } = await startSignIn(user.email);
    await provider.sql(
      `update session set "createdAt" = now() - interval '11 minutes' where "userId" = $1 and due`,
      [user.uid],
    );
    expect((await post('/sign-in/code', challenge, { code: nextCode() })).status).toBe(401);
  });

  it('is still required after a password reset of a verified address', async () => {
    const { user } = await signUpWithApp();
    await provider.sql('update "user" set "emailVerified" = true where id = $1', [user.uid]);
    await provider.sql(
      `insert into letter (user_id, kind, token_hash, expires_at, sent_at)
       values ($1, 'reset-password', sha256($2), now() + interval '1 hour', now())`,
      [user.uid, Buffer.from('t'.repeat(43))],
    );
    const done = await post('/password/reset', null, { token: 't'.repeat(43), password: 'Kettle#9Marble' });
    expect(done.status).toBe(200);
    const answer = await post('/sign-in/email', null, { email: user.email, password: 'Kettle#9Marble' });
    expect(PendingSignIn.parse(await answer.json()).secondFactor.methods).toContain('totp');
  });
});

describe('a passkey', () => {
  it('signs in alone and completes a sign-in with a password', async () => {
    const person = await signUp();
    const { device, answer } = await addPasskey(person.sessionToken);
    const added = SessionResponse.parse(await answer.json());
    expect(amrOf(added.idToken)).toEqual(['pwd', 'pop', 'mfa']);
    expect(added.recoveryCodes).toHaveLength(10);

    const alone = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', null)).json());
    const entered = SessionResponse.parse(
      await (await post('/sign-in/passkey', null, { response: device.get(alone) })).json(),
    );
    expect(entered.user.uid).toBe(person.user.uid);
    expect(amrOf(entered.idToken)).toEqual(['pop', 'mfa']);

    const { challenge, methods } = await startSignIn(person.user.email);
    expect(methods).toEqual(['passkey', 'recovery-code']);
    const second = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', challenge)).json());
    const completed = await post('/sign-in/passkey', challenge, { response: device.get(second) });
    expect(amrOf(SessionResponse.parse(await completed.json()).idToken)).toEqual(['pwd', 'pop', 'mfa']);
  });

  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another domain', { domain: 'evil.example' }],
    ['for another challenge', { challenge: 'b3RoZXI' }],
    ['without user verification', { verified: false }],
  ])('%s is neither registered nor accepted', async (_what, overrides) => {
    const person = await signUp();
    const { answer } = await addPasskey(person.sessionToken, overrides);
    expect(await codeOf(answer)).toBe('passkey_refused');
    expect(await provider.sql('select 1 from passkey where user_id = $1', [person.user.uid])).toEqual([]);

    const { device, answer: good } = await addPasskey(person.sessionToken);
    expect(good.status).toBe(200);
    const options = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', null)).json());
    const entering = await post('/sign-in/passkey', null, { response: device.get(options, overrides) });
    expect(await codeOf(entering)).toBe('passkey_refused');
  });

  it('is refused for a used challenge and for a counter that does not increase', async () => {
    const person = await signUp();
    const { device } = await addPasskey(person.sessionToken);
    const ask = async () => PasskeyOptions.parse(await (await post('/sign-in/passkey/options', null)).json());
    const options = await ask();
    const response = device.get(options);
    expect((await post('/sign-in/passkey', null, { response })).status).toBe(200);
    expect(await codeOf(await post('/sign-in/passkey', null, { response }))).toBe('passkey_refused');
    const copied = device.get(await ask(), { counter: 1 });
    expect(await codeOf(await post('/sign-in/passkey', null, { response: copied }))).toBe('passkey_refused');
  });

  it('does not complete the sign-in of another user', async () => {
    const [ann, bea] = [await signUp(), await signUp()];
    await addPasskey(ann.sessionToken);
    const { device } = await addPasskey(bea.sessionToken);
    const { challenge } = await startSignIn(ann.user.email);
    const options = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', challenge)).json());
    const answer = await post('/sign-in/passkey', challenge, { response: device.get(options) });
    expect(await codeOf(answer)).toBe('passkey_refused');
  });

  it('is listed, and can be removed only by its owner', async () => {
    const [ann, bea] = [await signUp(), await signUp()];
    const { device, answer } = await addPasskey(ann.sessionToken);
    const { sessionToken } = SessionResponse.parse(await answer.json());
    const account = z
      .object({ passkeys: z.array(z.object({ id: z.string(), name: z.string() })) })
      .parse(await (await provider.call('GET', '/account', { token: sessionToken })).json());
    expect(account.passkeys).toMatchObject([{ id: device.id, name: 'My phone' }]);
    const remove = (token: string) => post(`/passkeys/${device.id}/remove`, token, { password: PASSWORD });
    expect((await remove(bea.sessionToken)).status).toBe(404);
    expect((await remove(sessionToken)).status).toBe(200);
    SessionResponse.parse(await (await signIn(ann.user.email)).json());
  });

  it('does not sign in to a disabled account', async () => {
    const person = await signUp();
    const { device } = await addPasskey(person.sessionToken);
    await post('/admin/disable', SERVICE_SECRET, { email: person.user.email });
    const options = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', null)).json());
    const answer = await post('/sign-in/passkey', null, { response: device.get(options) });
    expect(await codeOf(answer)).toBe('user_disabled');
    expect(await provider.sql('select 1 from session where "userId" = $1', [person.user.uid])).toHaveLength(
      1,
    );
  });
});
