import Fastify, { type FastifyInstance } from 'fastify';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { identityPlugin } from './plugin.ts';
import { codeAt, timeStepAt } from './second-factor/totp.ts';
import { decodeBase32 } from './testing/authenticator-app.ts';
import { createDatabase, PASSWORD, SERVICE_SECRET } from './testing/provider.ts';

const [first, second, third] = ['1', '2', '3'].map(
  (digit) => `a secret for tests that is long enough ${digit}`,
);
const SessionResponse = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  recoveryCodes: z.optional(z.nullable(z.array(z.string()))),
});
const PendingSignIn = z.object({ secondFactor: z.object({ challenge: z.string() }) });
const Keys = z.object({
  keys: z.array(
    z.object({ kid: z.string(), kty: z.string(), crv: z.string(), x: z.string(), y: z.string() }),
  ),
});

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: FastifyInstance | null = null;

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => app?.close());
afterAll(() => database.drop());

/** Restarts the provider on the same database with other secrets. */
async function restart(secret = '', previousSecret?: string) {
  await app?.close();
  app = Fastify();
  await app.register(
    identityPlugin({
      databaseUrl: database.url,
      origin: 'http://127.0.0.1:3001',
      trustedOrigins: [],
      secret,
      ...(previousSecret === undefined ? {} : { previousSecret }),
      serviceSecret: SERVICE_SECRET,
    }),
  );
}

async function call(method: 'GET' | 'POST', path: string, token: string | null, payload?: object) {
  const answer = await app?.inject({
    method,
    url: `/identity${path}`,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  });
  if (answer === undefined) throw new Error('The provider is not running.');
  return answer;
}

it('keeps sessions, ID tokens and second factors when the secret is rotated and the previous one removed', async () => {
  const email = 'rotated@mail.example';
  const signIn = async () =>
    PendingSignIn.parse((await call('POST', '/sign-in/email', null, { email, password: PASSWORD })).json())
      .secondFactor;
  await restart(first);
  const begun = SessionResponse.parse(
    (await call('POST', '/sign-up/email', null, { email, password: PASSWORD })).json(),
  );
  const setup = await call('POST', '/totp', begun.sessionToken, { password: PASSWORD });
  const key = decodeBase32(z.object({ secret: z.string() }).parse(setup.json()).secret);
  const step = timeStepAt(Date.now()) - 1;
  const before = SessionResponse.parse(
    (await call('POST', '/totp/confirm', begun.sessionToken, { code: codeAt(key, step) })).json(),
  );

  await restart(second, first);
  const renewed = await call('GET', '/token', before.sessionToken);
  expect(renewed.statusCode).toBe(200);
  const { idToken } = z.object({ idToken: z.string() }).parse(renewed.json());
  expect(decodeProtectedHeader(idToken).kid).not.toBe(decodeProtectedHeader(before.idToken).kid);
  const published = createLocalJWKSet(Keys.parse((await call('GET', '/jwks', null)).json()));
  for (const token of [before.idToken, idToken]) await jwtVerify(token, published, { audience: 'coomercio' });
  const { challenge } = await signIn();
  const code = codeAt(key, step + 1);
  const during = SessionResponse.parse((await call('POST', '/sign-in/code', challenge, { code })).json());

  await restart(second);
  expect((await call('GET', '/token', during.sessionToken)).statusCode).toBe(200);
  expect((await call('GET', '/token', before.sessionToken)).statusCode).toBe(401);
  const [recovery = ''] = before.recoveryCodes ?? [];
  const after = await call('POST', '/sign-in/code', (await signIn()).challenge, { code: recovery });
  expect(after.statusCode).toBe(200);
  expect((await call('GET', '/token', 'made.up')).statusCode).toBe(401);
});

it('does not start with a secret that cannot decrypt the data key, and asks for the previous one', async () => {
  await expect(restart(third)).rejects.toThrow('sealed with another secret');
  await expect(restart(third, first)).rejects.toThrow('sealed with another secret');
});
