import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeEnvironment, openClient, PROVIDER } from './testing/environment.ts';
import { stubWindow } from './testing/google-window.ts';

const ORIGIN = 'https://identity.example';
const type = 'better-auth:oauth-popup';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(isBlocked = false) {
  const fake = fakeEnvironment();
  return { ...fake, ...stubWindow(isBlocked), client: openClient(fake.environment) };
}

describe('signing in with Google', () => {
  it('opens a window of 500 by 600 in the middle of the page, synchronously', () => {
    const { client, opened, nonce } = open();
    void client.signInWithGoogle().catch(() => {});
    expect(opened).toHaveLength(1);
    expect(opened[0]?.features).toBe('popup,width=500,height=600,left=600,top=250');
    expect(opened[0]?.url.href).toBe(
      `${PROVIDER}/popup/google?origin=${encodeURIComponent('https://shop.example')}&nonce=${nonce()}`,
    );
    client.dispose();
  });

  it('signs in with the session from the window’s message', async () => {
    const { client, opened, nonce, post, provider, listening } = open();
    const signingIn = client.signInWithGoogle();
    post(ORIGIN, { type, nonce: nonce(), token: 'from-google' });
    await signingIn;
    expect(client.state()?.user?.uid).toBe('ann');
    expect(provider.requests[0]).toMatchObject({ path: '/sign-in/continue', token: 'Bearer from-google' });
    expect(opened[0]?.popup.closed).toBe(true);
    expect(listening()).toBe(0);
    client.dispose();
  });

  it('accepts only messages with the provider’s origin and this window’s nonce', async () => {
    const { client, opened, nonce, post, provider } = open();
    const signingIn = expect(client.signInWithGoogle()).rejects.toMatchObject({
      code: 'window_closed',
    });
    post('https://evil.example', { type, nonce: nonce(), token: 'evil' });
    post(ORIGIN, { type, nonce: 'another', token: 'evil' });
    post(ORIGIN, { type: 'other', nonce: nonce(), token: 'evil' });
    post(ORIGIN, 'text');
    opened[0]?.popup.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await signingIn;
    expect(provider.requests).toEqual([]);
    client.dispose();
  });

  it('fails with popup-blocked when the browser blocks the window', async () => {
    const { client } = open(true);
    await expect(client.signInWithGoogle()).rejects.toMatchObject({ code: 'window_blocked' });
    expect(await client.whenKnown()).toBeNull();
    client.dispose();
  });

  it('fails with popup-closed-by-user when the user closes the window, and can be retried', async () => {
    const { client, opened, nonce, post } = open();
    const closed = expect(client.signInWithGoogle()).rejects.toMatchObject({
      code: 'window_closed',
    });
    opened[0]?.popup.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    expect(await client.whenKnown()).toBeNull();
    const again = client.signInWithGoogle();
    post(ORIGIN, { type, nonce: nonce(), token: 'from-google' });
    await again;
    expect(client.state()?.user?.uid).toBe('ann');
    client.dispose();
  });

  it('accepts a message that arrives shortly after the window has closed itself', async () => {
    const { client, opened, nonce, post } = open();
    const signingIn = client.signInWithGoogle();
    opened[0]?.popup.close();
    await vi.advanceTimersByTimeAsync(600);
    post(ORIGIN, { type, nonce: nonce(), token: 'from-google' });
    await signingIn;
    expect(client.state()?.user?.uid).toBe('ann');
    client.dispose();
  });

  it.each([
    ['access_denied', 'access_denied'],
    ['account_not_linked', 'account_not_linked'],
    ['invalid_code', 'internal'],
    ['constructor', 'internal'],
  ])('fails with the outcome %s as %s', async (code, expected) => {
    const { client, nonce, post } = open();
    const failing = expect(client.signInWithGoogle()).rejects.toMatchObject({ code: expected });
    post(ORIGIN, { type, nonce: nonce(), error: { code } });
    await failing;
    client.dispose();
  });

  it('cancels the first window when a second is opened', async () => {
    const { client, nonce, post } = open();
    const first = expect(client.signInWithGoogle()).rejects.toMatchObject({
      code: 'window_replaced',
    });
    const settled = vi.fn();
    const second = client.signInWithGoogle().finally(settled);
    await first;
    expect(settled).not.toHaveBeenCalled();
    post(ORIGIN, { type, nonce: nonce(), token: 'from-google' });
    await second;
    expect(client.state()?.user?.uid).toBe('ann');
    client.dispose();
  });

  it('times out after 10 minutes', async () => {
    const { client, opened } = open();
    const late = expect(client.signInWithGoogle()).rejects.toMatchObject({ code: 'window_timeout' });
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await late;
    expect(opened[0]?.popup.closed).toBe(true);
    client.dispose();
  });
});
