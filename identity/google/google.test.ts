import { describe, expect, it } from 'vitest';
import { freePorts } from '#tests/harness/platform/ports.ts';
import {
  log,
  NONCE,
  openPopup,
  openWindow,
  PAGE,
  provider,
  readMessage,
  readProfile,
  setUpGoogle,
  signIn,
} from '../testing/google.ts';
import { SERVICE_SECRET } from '../testing/provider.ts';

setUpGoogle(freePorts);

describe('signing in with Google', () => {
  it('posts the session only to the origin of the page that opened the popup', async () => {
    const { browser, end, outcome } = await signIn('new@gmail.example');
    expect(end.status).toBe(200);
    expect(outcome).toMatchObject({ targetOrigin: PAGE, nonce: NONCE });
    const { user } = await readProfile(outcome.token);
    expect(user).toMatchObject({
      displayName: 'new',
      emailVerified: true,
      providerData: [{ providerId: 'google.com' }],
    });
    await expect
      .poll(() => log.attempts())
      .toContainEqual({
        attempt: 'google',
        outcome: 'ok',
        account: user.uid,
        requestId: expect.any(String),
      });
    expect(browser.cookies().filter((name) => name.includes('session'))).toEqual([]);
    expect(end.headers.get('cache-control')).toBe('no-store');
    expect(end.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-/);
  });

  it('requests PKCE and the account chooser from Google', async () => {
    const { consent } = await openPopup();
    expect(consent.searchParams.get('code_challenge_method')).toBe('S256');
    expect(consent.searchParams.get('prompt')).toBe('select_account');
    expect(consent.searchParams.get('scope')).toBe('openid email profile');
  });

  it('signs in to the same account the next time and stores no token of Google', async () => {
    const first = await readProfile((await signIn('twice@gmail.example')).outcome.token);
    const second = await readProfile((await signIn('twice@gmail.example')).outcome.token);
    expect(second.user.uid).toBe(first.user.uid);
    const kept = await provider.sql(
      `select 1 from account
        where "accessToken" is not null or "refreshToken" is not null or "idToken" is not null`,
    );
    expect(kept).toEqual([]);
  });

  it('cuts a name from Google to one line of the maximum length', async () => {
    const { user } = await readProfile((await signIn('long@gmail.example')).outcome.token);
    expect(user.displayName).toBe(`Long ${'x'.repeat(95)}`);
  });

  it('reports a cancelled sign-in to the page', async () => {
    const { browser, consent } = await openPopup();
    const back = new URL(consent.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', consent.searchParams.get('state') ?? '');
    expect(await readMessage(await browser.visit(back.href))).toMatchObject({
      targetOrigin: PAGE,
      error: { code: 'access_denied' },
    });
  });

  it.each(['state=%00', 'state=a%00&code=%00', 'error=%00&state=%zz%00'])(
    'refuses a callback with %s without an error of the server',
    async (query) => {
      const { browser } = await openPopup();
      const end = await browser.visit(`${provider.url}/callback/google?${query}`);
      expect(end.status).toBeLessThan(500);
      const errors = log.lines.filter((line) => JSON.parse(line).level >= 50);
      expect(errors).toEqual([]);
    },
  );

  it('refuses a callback of a sign-in that another browser started', async () => {
    const { consent } = await openPopup();
    const chosen = await fetch(`${consent.origin}${consent.pathname}/callback`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...Object.fromEntries(consent.searchParams), email: 'new@gmail.example' }),
    });
    const end = await openWindow().visit(chosen.headers.get('location') ?? '');
    expect(end.status).toBe(302);
    const page = await openWindow().visit(end.headers.get('location') ?? '');
    expect(await page.text()).toContain('Please close this window and try again.');
  });

  it('refuses a page of an untrusted origin and reports only that code to it', async () => {
    const query = new URLSearchParams({ origin: 'http://evil.example', nonce: NONCE });
    const answer = await openWindow().visit(`${provider.url}/popup/google?${query}`);
    expect(answer.status).toBe(403);
    expect(await readMessage(answer)).toEqual({
      type: 'better-auth:oauth-popup',
      targetOrigin: 'http://evil.example',
      nonce: NONCE,
      error: { code: 'unauthorized_domain', description: expect.any(String) },
    });
  });

  it.each(['?state=invented&code=x', '?code=x', ''])(
    'logs no failure of the shop for the invented callback “%s”',
    async (query) => {
      const answer = await openWindow().visit(`${provider.url}/callback/google${query}`);
      expect(answer.status).toBe(302);
      expect(log.lines.map((line) => JSON.parse(line).level)).not.toContain(50);
    },
  );

  it.each(['javascript:alert(1)', '*', '</script><script>alert(1)</script>'])(
    'runs no script for the origin %s',
    async (origin) => {
      const answer = await openWindow().visit(
        `${provider.url}/popup/google?${new URLSearchParams({ origin, nonce: NONCE })}`,
      );
      expect(await answer.text()).not.toContain('<script');
    },
  );

  it('reports a disabled account to the page', async () => {
    await signIn('ended@gmail.example');
    await provider.call('POST', '/admin/disable', {
      body: { email: 'ended@gmail.example' },
      token: SERVICE_SECRET,
    });
    const { outcome } = await signIn('ended@gmail.example');
    expect(outcome).toMatchObject({ error: { code: 'user_disabled' } });
    await expect
      .poll(() => log.attempts())
      .toContainEqual(expect.objectContaining({ attempt: 'google', outcome: 'user_disabled' }));
    expect(outcome.token).toBeUndefined();
  });
});
