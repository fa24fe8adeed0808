import Fastify from 'fastify';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { startTcpProxy } from '#tests/harness/platform/tcp-proxy.ts';
import { identityPlugin } from './plugin.ts';
import {
  createDatabase,
  PASSWORD,
  type RunningProvider,
  SERVICE_SECRET,
  startProvider,
} from './testing/provider.ts';

const SessionResponse = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({ uid: z.string() }),
});
const Keys = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

async function signUp(name = 'Ann') {
  const email = `somebody${++people}@mail.example`;
  const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name } });
  return { email, ...SessionResponse.parse(await answer.json()) };
}

async function publishedKeys() {
  return Keys.parse(await (await provider.call('GET', '/jwks')).json()).keys;
}

describe('ID tokens', () => {
  it('are verified with the published keys and contain the user, the time and the session', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { email, idToken, user } = await signUp('Ann Smith');
    const metadata = z
      .object({ issuer: z.string(), jwks_uri: z.string() })
      .parse(await (await provider.call('GET', '/.well-known/openid-configuration')).json());
    expect(metadata.issuer).toBe(`${provider.origin}/identity`);
    const { payload, protectedHeader } = await jwtVerify(
      idToken,
      createRemoteJWKSet(new URL(metadata.jwks_uri)),
      { issuer: metadata.issuer, audience: 'coomercio' },
    );
    expect(protectedHeader.alg).toBe('ES256');
    const [session] = await provider.sql('select id from session where "userId" = $1', [user.uid]);
    expect(payload).toMatchObject({
      sub: user.uid,
      email,
      email_verified: false,
      name: 'Ann Smith',
      sid: session?.id,
    });
    expect(payload.auth_time).toBeGreaterThanOrEqual(before);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  it('are verified with a key set that contains no private key', async () => {
    for (const key of await publishedKeys()) expect(key).not.toHaveProperty('d');
    const [row] = await provider.sql('select "privateKey" from jwks');
    expect(String(row?.privateKey)).not.toContain('"d"');
  });

  it('stay valid after the signing key was rotated', async () => {
    const { idToken: old, sessionToken } = await signUp();
    await provider.sql(`update jwks set "expiresAt" = now() - interval '1 second'`);
    const answer = await provider.call('GET', '/token', { token: sessionToken });
    const { idToken: fresh } = z.object({ idToken: z.string() }).parse(await answer.json());
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid);
    const keys = createRemoteJWKSet(new URL(`${provider.url}/jwks`));
    for (const token of [old, fresh]) await jwtVerify(token, keys, { audience: 'coomercio' });
    expect(await publishedKeys()).toHaveLength(2);
  });

  it('cannot be issued for another user', async () => {
    const { sessionToken, user } = await signUp();
    const answer = await provider.call('GET', '/token?userId=other&sub=other', { token: sessionToken });
    const { idToken } = z.object({ idToken: z.string() }).parse(await answer.json());
    expect(decodeJwt(idToken).sub).toBe(user.uid);
  });
});

describe('startup', () => {
  const options = {
    origin: 'http://127.0.0.1:3001',
    trustedOrigins: [],
    secret: 'a secret for tests that is long enough',
    serviceSecret: SERVICE_SECRET,
  };

  it('works for two concurrent processes on an empty database, with one signing key', async () => {
    const database = await createDatabase();
    const apps = [Fastify(), Fastify()];
    try {
      await Promise.all(
        apps.map(async (app) => {
          await app.register(identityPlugin({ ...options, databaseUrl: database.url }));
          await app.ready();
        }),
      );
      const [first, second] = await Promise.all(apps.map((app) => app.inject('/identity/jwks')));
      expect(Keys.parse(first?.json()).keys).toHaveLength(1);
      expect(second?.json()).toEqual(first?.json());
    } finally {
      await Promise.all(apps.map((app) => app.close()));
      await database.drop();
    }
  });

  it('creates tables only in its own schema', async () => {
    const tables = await provider.sql(
      `select distinct table_schema from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables).toEqual([{ table_schema: 'identity' }]);
  });

  it('fails with a clear message when the configured issuer is unreachable', async () => {
    const database = await createDatabase();
    const google = { clientId: 'shop', clientSecret: 'secret', issuer: 'http://127.0.0.1:1' };
    const app = Fastify();
    try {
      await expect(
        app.register(identityPlugin({ ...options, databaseUrl: database.url, google })),
      ).rejects.toThrow('did not answer with its metadata');
    } finally {
      await app.close();
      await database.drop();
    }
  });
});

describe('requests from a browser', () => {
  it('allows only trusted origins to read responses, without cookies', async () => {
    const from = (origin: string) => provider.call('OPTIONS', '/sign-in/email', { headers: { origin } });
    const trusted = await from('http://pages.example');
    expect(trusted.status).toBe(204);
    expect(trusted.headers.get('access-control-allow-origin')).toBe('http://pages.example');
    expect(trusted.headers.get('access-control-allow-credentials')).toBeNull();
    const stranger = await from('http://evil.example');
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each(['/list-sessions', '/delete-user', '/change-email', '/sign-in/social', '/get-session', '/ok'])(
    'does not expose better-auth’s %s',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await provider.call(method, path, method === 'POST' ? { body: {} } : {});
        expect(answer.status).toBe(404);
      }
    },
  );
});

it('sets only the cookies of a pending Google sign-in: HttpOnly, Secure and SameSite', async () => {
  const database = await createDatabase();
  const app = Fastify();
  try {
    await app.register(
      identityPlugin({
        databaseUrl: database.url,
        origin: 'https://shop.example',
        trustedOrigins: [],
        secret: 'a secret for tests that is long enough',
        serviceSecret: SERVICE_SECRET,
        google: { clientId: 'shop', clientSecret: 'secret' },
      }),
    );
    const query = new URLSearchParams({ origin: 'https://shop.example', nonce: 'n'.repeat(20) });
    const answer = await app.inject(`/identity/popup/google?${query}`);
    expect(answer.statusCode).toBe(302);
    expect(answer.cookies.length).toBeGreaterThan(0);
    for (const cookie of answer.cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/identity' });
      expect(cookie.name).toMatch(/^__Secure-identity\.(state|oauth_popup)/);
    }
  } finally {
    await app.close();
    await database.drop();
  }
});

it('answers 503 while its database is unavailable, and recovers', async () => {
  const database = await createDatabase();
  const proxy = await startTcpProxy(database.url);
  const app = Fastify();
  try {
    await app.register(
      identityPlugin({
        databaseUrl: proxy.url,
        origin: 'http://127.0.0.1:3001',
        trustedOrigins: [],
        secret: 'a secret for tests that is long enough',
        serviceSecret: SERVICE_SECRET,
      }),
    );
    const post = (url: string) =>
      app.inject({ method: 'POST', url, payload: { email: 'ann@mail.example', password: PASSWORD } });
    const signIn = () => post('/identity/sign-in/email');
    expect((await signIn()).statusCode).toBe(401);
    proxy.disconnect();
    const away = await signIn();
    expect(away.statusCode).toBe(503);
    expect(away.json()).toMatchObject({ code: 'identity_unavailable' });
    proxy.reconnect();
    expect((await signIn()).statusCode).toBe(401);
    proxy.disconnect('insert into "user"');
    await expect.poll(async () => (await signIn()).statusCode).toBe(401);
    expect((await post('/identity/sign-up/email')).json()).toMatchObject({ code: 'identity_unavailable' });
    proxy.reconnect();
    expect((await post('/identity/sign-up/email')).statusCode).toBe(200);
  } finally {
    await app.close();
    await proxy.close();
    await database.drop();
  }
});
