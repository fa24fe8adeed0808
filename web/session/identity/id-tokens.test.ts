import { describe, expect, it, vi } from 'vitest';
import { MINUTE, offline, open, PASSWORD, START, settle, setUpClients, signedIn } from './testing/clients.ts';
import { ann, HOUR, idToken } from './testing/environment.ts';

setUpClients();

describe('ID tokens', () => {
  it('are used as they are until 30 seconds before they expire', async () => {
    const { provider, client } = await signedIn();
    provider.answer = offline;
    await vi.advanceTimersByTimeAsync(HOUR - 30_000 - 1_000);
    const before = provider.issued;
    await client.getIdToken();
    expect(provider.issued).toBe(before);
    await vi.advanceTimersByTimeAsync(1_000);
    provider.answer = () => null;
    const asked = provider.issued;
    await client.getIdToken();
    expect(provider.issued).toBe(asked + 1);
  });

  it('are renewed 5 minutes before they expire, repeatedly', async () => {
    const { provider } = await signedIn();
    for (let hour = 0; hour < 3; hour += 1) {
      await vi.advanceTimersByTimeAsync(55 * MINUTE - 1_000);
      expect(provider.issued).toBe(hour);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(provider.issued).toBe(hour + 1);
    }
  });

  it('are renewed again after a failure with back-off from 30 seconds to 16 minutes', async () => {
    const { provider, client } = await signedIn();
    provider.answer = offline;
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    expect(provider.issued).toBe(1);
    for (const [attempt, seconds] of [30, 60, 120, 240, 480, 960, 960, 960].entries()) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 100);
      expect(provider.issued).toBe(attempt + 1);
      await vi.advanceTimersByTimeAsync(100);
      expect(provider.issued).toBe(attempt + 2);
    }
    expect(client.state()?.user?.uid).toBe('ann');

    provider.answer = () => null;
    await vi.advanceTimersByTimeAsync(960_000);
    const recovered = provider.issued;
    provider.answer = offline;
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    expect(provider.issued).toBe(recovered + 1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(provider.issued).toBe(recovered + 2);
  });

  it('are valid for their full lifetime on a device with a wrong clock', async () => {
    const { provider, client } = open();
    provider.answer = ({ path }) =>
      path === '/sign-in/email'
        ? Response.json({
            sessionToken: 'session',
            idToken: idToken(HOUR, START + 7 * 24 * HOUR),
            user: ann,
          })
        : null;
    await client.signIn('ann@mail.example', PASSWORD);
    await vi.advanceTimersByTimeAsync(54 * MINUTE);
    expect(provider.issued).toBe(0);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(provider.issued).toBe(1);
  });

  it('with a lifetime of a few minutes are not renewed in a loop', async () => {
    const { provider, client } = open();
    provider.answer = ({ path }) =>
      Response.json({
        ...(path === '/sign-in/email' ? { sessionToken: 'session' } : {}),
        idToken: idToken(4 * MINUTE),
        user: ann,
      });
    await client.signIn('ann@mail.example', PASSWORD);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(provider.issued).toBe(5);
  });

  it('are requested once for concurrent callers', async () => {
    const { client, provider } = await signedIn();
    const given = await Promise.all([
      client.getIdToken(true),
      client.getIdToken(true),
      client.getIdToken(true),
    ]);
    expect(new Set(given).size).toBe(1);
    expect(provider.issued).toBe(1);
  });

  it('are refused after a concurrent sign-out', async () => {
    const { client, provider } = await signedIn();
    let answer = (_response: Response) => {};
    provider.answer = ({ path }) =>
      path === '/token'
        ? new Promise<Response>((resolve) => {
            answer = resolve;
          })
        : null;
    const asked = expect(client.getIdToken(true)).rejects.toMatchObject({ code: 'not_signed_in' });
    await settle();
    await client.signOut();
    answer(Response.json({ idToken: idToken(), user: ann }));
    await asked;
    expect(client.state()?.user).toBeNull();
    await expect(client.getIdToken()).rejects.toMatchObject({ code: 'not_signed_in' });
  });
});
