import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, SERVICE_SECRET } from '../testing/provider.ts';
import {
  addPasskey,
  amrOf,
  codeOf,
  PasskeyOptions,
  post,
  provider,
  SessionResponse,
  setUpProvider,
  signIn,
  signUp,
  startSignIn,
} from '../testing/second-factor.ts';

setUpProvider();

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

  it('is added by one of several concurrent requests, whose recovery codes work', async () => {
    for (const isFromOneSession of [true, false, true, false]) {
      const { sessionToken, user } = await signUp();
      const other = SessionResponse.parse(await (await signIn(user.email)).json()).sessionToken;
      const requests = await Promise.all(
        [sessionToken, isFromOneSession ? sessionToken : other].map(async (token) => {
          const asked = await post('/passkeys/options', token, { password: PASSWORD });
          const device = createAuthenticator(provider.origin);
          return { token, response: device.create(PasskeyOptions.parse(await asked.json())) };
        }),
      );
      const answers = await Promise.all(
        requests.map(({ token, response }) => post('/passkeys', token, { name: 'Phone', response })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect(await provider.sql('select 1 from passkey where user_id = $1', [user.uid])).toHaveLength(1);
      const added = answers.find(({ status }) => status === 200);
      const { sessionToken: kept, recoveryCodes } = SessionResponse.parse(await added?.json());
      expect((await provider.call('GET', '/token', { token: kept })).status).toBe(200);
      const { challenge } = await startSignIn(user.email);
      expect((await post('/sign-in/code', challenge, { code: recoveryCodes?.[0] })).status).toBe(200);
    }
  });

  it('is refused beyond twenty, also when it was asked for before', async () => {
    const { sessionToken, user } = await signUp();
    await provider.sql(
      `insert into passkey (id, user_id, public_key, counter, transports, name)
       select $1::text || number, $1, '\\x00', 0, '{}', 'One of many' from generate_series(1, 19) as number`,
      [user.uid],
    );
    const ask = async () =>
      PasskeyOptions.parse(
        await (await post('/passkeys/options', sessionToken, { password: PASSWORD })).json(),
      );
    const [first, second] = [await ask(), await ask()];
    const add = (token: string, options: { challenge: string }) =>
      post('/passkeys', token, {
        name: 'Phone',
        response: createAuthenticator(provider.origin).create(options),
      });
    const added = SessionResponse.parse(await (await add(sessionToken, first)).json());
    expect(await codeOf(await add(added.sessionToken, second))).toBe('passkey_refused');
    expect((await provider.call('GET', '/token', { token: added.sessionToken })).status).toBe(200);
    expect(await provider.sql('select 1 from passkey where user_id = $1', [user.uid])).toHaveLength(20);
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

  it('can be chosen half an hour after the login page was opened, and not the next day', async () => {
    const { device } = await addPasskey((await signUp()).sessionToken);
    const answerLater = async (later: string) => {
      const options = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', null)).json());
      await provider.sql('update passkey_challenge set expires_at = expires_at - $1::interval', [later]);
      return (await post('/sign-in/passkey', null, { response: device.get(options) })).status;
    };
    expect(await answerLater('30 minutes')).toBe(200);
    expect(await answerLater('1 day')).not.toBe(200);
  });

  it('completes a sign-in with a password for five minutes after it was asked for', async () => {
    const person = await signUp();
    const { device } = await addPasskey(person.sessionToken);
    const answerLater = async (later: string) => {
      const { challenge } = await startSignIn(person.user.email);
      const options = PasskeyOptions.parse(await (await post('/sign-in/passkey/options', challenge)).json());
      await provider.sql('update passkey_challenge set expires_at = expires_at - $1::interval', [later]);
      return post('/sign-in/passkey', challenge, { response: device.get(options) });
    };
    expect((await answerLater('4 minutes')).status).toBe(200);
    expect(await codeOf(await answerLater('6 minutes'))).toBe('passkey_refused');
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
