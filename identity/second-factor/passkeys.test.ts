import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
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
