import { describe, expect, it, vi } from 'vitest';
import { open, PASSWORD, setUpClients, signedIn } from './testing/clients.ts';
import { ann, idToken, refusal } from './testing/environment.ts';

setUpClients();

describe('the state', () => {
  it('is unknown at first, then signed out when nothing is stored', async () => {
    const { client, provider } = open();
    expect(client.state()).toBeNull();
    expect(await client.whenKnown()).toBeNull();
    expect(client.state()).toEqual({ user: null, reason: null });
    expect(provider.requests).toEqual([]);
  });

  it('stays signed out during a sign-in, then changes once', async () => {
    const { client } = open();
    await client.whenKnown();
    const seen: unknown[] = [];
    client.onChange(() => seen.push(client.state()?.user?.uid));
    const signingIn = client.signIn('ann@mail.example', PASSWORD);
    expect(client.state()).toEqual({ user: null, reason: null });
    await signingIn;
    expect(seen).toEqual(['ann']);
  });

  it('stays signed out when signing in fails', async () => {
    const { client, provider } = open();
    await client.whenKnown();
    provider.answer = () =>
      refusal(401, 'invalid_credential', 'The email address or the password is not right.');
    await expect(client.signIn('ann@mail.example', 'Wrong#1')).rejects.toMatchObject({
      code: 'invalid_credential',
      message: 'The email address or the password is not right.',
    });
    expect(client.state()).toEqual({ user: null, reason: null });
  });
});

describe('requests', () => {
  it('send the session as a bearer token, never as a cookie', async () => {
    const { client, provider } = await signedIn();
    await client.getIdToken(true);
    expect(provider.requests.map(({ token }) => token)).toEqual([null, 'Bearer session']);
    for (const { init } of provider.requests) expect(init.credentials).toBe('omit');
  });

  it('fail with a network error after 10 seconds without a response', async () => {
    const { client, provider } = open();
    await client.whenKnown();
    provider.answer = () => new Promise(() => {});
    const failed = vi.fn();
    client.signIn('ann@mail.example', PASSWORD).catch(failed);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'network' }));
    expect(provider.requests[0]?.init.signal?.aborted).toBe(true);
    expect(client.state()).toEqual({ user: null, reason: null });
  });

  it.each([
    [422, 'weak_password'],
    [500, 'internal'],
    [418, 'never heard of'],
  ])('refused with %i fail with the provider’s code and message', async (status, code) => {
    const { client, provider } = open();
    provider.answer = () => refusal(status, code, 'In words.');
    await expect(client.signUp('ann@mail.example', PASSWORD)).rejects.toMatchObject({
      code,
      message: 'In words.',
    });
  });

  it('fail with an internal error for an unexpected response', async () => {
    const { client, provider } = open();
    for (const [status, body] of [
      [502, '<html>Bad gateway</html>'],
      [200, '{"idToken":7}'],
    ] as const) {
      provider.answer = () => new Response(body, { status });
      await expect(client.signIn('ann@mail.example', PASSWORD)).rejects.toMatchObject({
        code: 'internal',
      });
    }
  });
});

describe('the profile', () => {
  it('changes the user and the state', async () => {
    const { client, provider } = await signedIn();
    provider.answer = ({ body }) => Response.json({ idToken: idToken(), user: { ...ann, ...Object(body) } });
    await client.setDisplayName('Ann Smith');
    expect(provider.requests.at(-1)).toMatchObject({
      method: 'PATCH',
      path: '/user',
      body: { displayName: 'Ann Smith' },
    });
    expect(client.state()?.user?.displayName).toBe('Ann Smith');
  });

  it('requires a session', async () => {
    const { client } = open();
    await expect(client.setDisplayName('Nobody')).rejects.toMatchObject({
      code: 'not_signed_in',
    });
  });

  it('is refused with a message per field', async () => {
    const { client, provider } = await signedIn();
    provider.answer = () =>
      Response.json(
        {
          title: 'No',
          status: 422,
          code: 'invalid_input',
          detail: 'Too long',
          errors: { displayName: 'Too long' },
        },
        { status: 422 },
      );
    await expect(client.setDisplayName('x')).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { displayName: 'Too long' },
    });
  });
});
