import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { inbox, provider, readProfile, setUpGoogle, signIn, signUpWithPassword } from '../testing/google.ts';
import { PASSWORD } from '../testing/provider.ts';

setUpGoogle(freePorts);

describe('an address that was registered with a password before its owner signed in with Google', () => {
  it('loses the password and the sessions of the earlier registration', async () => {
    const email = 'hijacked@gmail.example';
    const thief = await signUpWithPassword(email, 'Thief');
    const { user } = await readProfile((await signIn(email)).outcome.token);
    expect(user).toMatchObject({
      uid: thief.user.uid,
      displayName: 'hijacked',
      emailVerified: true,
      providerData: [{ providerId: 'google.com' }],
    });
    expect((await provider.call('GET', '/token', { token: thief.sessionToken })).status).toBe(401);
    const again = await provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } });
    expect(again.status).toBe(401);
  });

  it('refuses concurrent sign-ins with the old password', async () => {
    const email = 'racing@gmail.example';
    await signUpWithPassword(email, 'Thief');
    const attempts = Array.from({ length: 6 }, () =>
      provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } }),
    );
    const { outcome } = await signIn(email);
    const tokens = (await Promise.all(attempts)).map(({ headers }) => headers.get('set-auth-token'));
    for (const token of tokens) {
      if (token !== null) expect((await provider.call('GET', '/token', { token })).status).toBe(401);
    }
    expect((await readProfile(outcome.token)).user.providerData).toHaveLength(1);
    const sessions = await provider.sql(
      'select 1 from session join "user" on "user".id = "userId" where email = $1',
      [email],
    );
    expect(sessions).toHaveLength(1);
  });

  it('loses an earlier Google account whose address was not verified', async () => {
    const email = 'squatted@gmail.example';
    const squatter = await signUpWithPassword(email, 'Squatter');
    await provider.sql(
      `update account set "providerId" = 'google', "accountId" = 'squatter' where "userId" = $1`,
      [squatter.user.uid],
    );
    await signIn(email);
    const accounts = await provider.sql('select "accountId" from account where "userId" = $1', [
      squatter.user.uid,
    ]);
    expect(accounts).toHaveLength(1);
    expect(accounts).not.toContainEqual({ accountId: 'squatter' });
  });

  it('loses the earlier registration when its owner first verifies it by email', async () => {
    const email = 'lettered@gmail.example';
    const thief = await signUpWithPassword(email, 'Thief');
    const token = randomBytes(32).toString('base64url');
    await provider.sql(
      `insert into email_link (user_id, kind, token_hash, expires_at)
       values ($1, 'verify-email', $2, now() + interval '1 day')`,
      [thief.user.uid, createHash('sha256').update(token).digest()],
    );
    expect((await provider.call('POST', '/email/verify', { body: { token } })).status).toBe(200);
    const { user } = await readProfile((await signIn(email)).outcome.token);
    expect(user).toMatchObject({ uid: thief.user.uid, providerData: [{ providerId: 'google.com' }] });
    expect((await provider.call('GET', '/token', { token: thief.sessionToken })).status).toBe(401);
  });

  it('keeps its password and sessions when it was verified, and its owner is told by email', async () => {
    const email = 'linked@gmail.example';
    const { sessionToken, user } = await signUpWithPassword(email, 'Linked');
    await provider.sql('update "user" set "emailVerified" = true where id = $1', [user.uid]);
    const linked = await readProfile((await signIn(email)).outcome.token);
    expect(linked.user.uid).toBe(user.uid);
    expect(linked.user.providerData).toHaveLength(2);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
    await inbox.waitForEmail(email, 'Google now signs in to your account');
    const told = await provider.sql(`select 1 from pgboss.job where data->>'kind' = 'google-linked'`);
    expect(told).toHaveLength(1);
  });

  it('is not linked to a Google account whose address Google has not verified', async () => {
    const email = 'unproven@elsewhere.example';
    const { sessionToken } = await signUpWithPassword(email, 'Owner');
    const { outcome } = await signIn(email);
    expect(outcome.token).toBeUndefined();
    expect(outcome.error).toBeDefined();
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
  });
});
