import pg from 'pg';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { decodeBase32 } from '../testing/authenticator-app.ts';
import { PASSWORD } from '../testing/provider.ts';
import {
  amrOf,
  codeOf,
  PendingSignIn,
  post,
  provider,
  SessionResponse,
  setUpProvider,
  signIn,
  signUp,
  signUpWithApp,
  startSignIn,
} from '../testing/second-factor.ts';
import { createSecondFactorStore } from './store.ts';
import { codeAt, timeStepAt } from './totp.ts';

setUpProvider();

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

  it('has one set of recovery codes after concurrent renewals', async () => {
    const { user } = await signUpWithApp();
    const pool = new pg.Pool({
      connectionString: provider.databaseUrl,
      options: '-c search_path=identity',
    });
    const store = createSecondFactorStore(pool);
    const sets = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
    await Promise.all(sets.map((name) => store.replaceRecoveryCodes(user.uid, [Buffer.from(name)]))).finally(
      () => pool.end(),
    );
    const stored = await provider.sql('select 1 from recovery_code where user_id = $1', [user.uid]);
    expect(stored).toHaveLength(1);
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
      `insert into email_link (user_id, kind, token_hash, expires_at)
       values ($1, 'reset-password', sha256($2), now() + interval '1 hour')`,
      [user.uid, Buffer.from('t'.repeat(43))],
    );
    const done = await post('/password/reset', null, { token: 't'.repeat(43), password: 'Kettle#9Marble' });
    expect(done.status).toBe(200);
    const answer = await post('/sign-in/email', null, { email: user.email, password: 'Kettle#9Marble' });
    expect(PendingSignIn.parse(await answer.json()).secondFactor.methods).toContain('totp');
  });
});
