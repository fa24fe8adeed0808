import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import * as z from 'zod/mini';
import { refusals } from '#contract/identity/refusals.ts';
import { testSeeds } from '#tests/harness/platform/property-seeds.ts';
import { PASSWORD, type RunningProvider, startProvider } from './testing/provider.ts';

/** Add each seed with which a run fails. */
const seeds = [1];
/** For `npm run test:all`. */
const furtherSeeds = [2, 3];
const inputsPerSeed = 100;

const Problem = z.object({ title: z.string(), status: z.number(), detail: z.string(), code: z.string() });

let provider: RunningProvider;
let token: string;

beforeAll(async () => {
  provider = await startProvider({ rateLimit: true });
  const answer = await provider.call('POST', '/sign-up/email', {
    body: { email: 'fuzzed@mail.example', password: PASSWORD },
  });
  token = z.object({ sessionToken: z.string() }).parse(await answer.json()).sessionToken;
});
afterAll(() => provider.stop());

/** All endpoints except sign-out, which would end the session of the run. */
const endpoints = [
  'POST /sign-up/email',
  'POST /sign-in/email',
  'POST /sign-in/continue',
  'POST /sign-in/again',
  'POST /sign-in/code',
  'POST /sign-in/passkey/options',
  'POST /sign-in/passkey',
  'POST /email/verification-letter',
  'POST /email/verify',
  'POST /password/reset-letter',
  'POST /password/reset',
  'POST /password/change',
  'POST /totp',
  'POST /totp/confirm',
  'POST /totp/remove',
  'POST /recovery-codes',
  'POST /passkeys/options',
  'POST /passkeys',
  'POST /passkeys/x/remove',
  'POST /passkeys/%00/remove',
  'POST /admin/disable',
  'POST /admin/erase',
  'POST /admin/reset-second-factor',
  'PATCH /user',
  'DELETE /sessions/x',
  'DELETE /sessions/%00',
  'GET /token',
  'GET /account',
  'GET /sessions',
  'GET /popup/google',
  'GET /callback/google',
  'GET /jwks',
];

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    '\u0000',
    'a\u0000@b.c',
    "' or 1=1 --",
    'x'.repeat(5_000),
    'a'.repeat(43),
    '%00',
    '<script>alert(1)</script>',
    null,
    true,
    -1,
    1e308,
    [],
    {},
    { $ne: null },
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2 }),
);
const credential = fc.record({
  id: hostile,
  rawId: hostile,
  type: fc.constant('public-key'),
  response: fc.record({
    clientDataJSON: fc.oneof(fc.constant('eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'), hostile),
    attestationObject: fc.oneof(fc.constant('o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA'), hostile),
    authenticatorData: hostile,
    signature: hostile,
  }),
});
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          email: fc.oneof(fc.constantFrom<unknown>('fuzzed@mail.example', 'nobody@mail.example'), hostile),
          password: fc.oneof(fc.constantFrom<unknown>('Wrong#123', 'Password1!'), hostile),
          currentPassword: hostile,
          token: fc.oneof(fc.constant<unknown>('A'.repeat(43)), hostile),
          code: fc.oneof(fc.constantFrom<unknown>('000000', 'abcd-efgh-jkmn'), hostile),
          name: hostile,
          displayName: hostile,
          photoURL: fc.oneof(fc.constant('http://photos.example/\u0000'), hostile),
          response: fc.oneof(credential, hostile),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: hostile.map((value) => JSON.stringify(value) ?? '') },
  { weight: 1, arbitrary: fc.constantFrom('{', '[[', '{"__proto__":{"x":1}}', '\uFEFF', 'null') },
);

testSeeds(
  'answers any input at every endpoint with a documented refusal and without internal details',
  seeds,
  async (seed) => {
    // The limits read each input too, but refuse none: each seed has the whole quotas.
    await provider.sql('delete from rate_limits');
    const bearers = fc.constantFrom('', 'x', 'x.y', '%00', '%00.%00', 'own');
    const query = fc.constantFrom(
      '',
      '?origin=x',
      '?origin=http://pages.example&nonce=%00',
      '?state=x&code=y',
      '?state=%00&code=%00',
      '?error=%00&state=%00',
      '?a=%zz',
    );
    const statuses = new Map<number, number>();
    let sent = 0;
    const property = fc.asyncProperty(
      fc.constantFrom(...endpoints),
      body,
      bearers,
      query,
      async (endpoint, text, bearer, search) => {
        const [method = '', path = ''] = endpoint.split(' ');
        const response = await fetch(`${provider.url}${path}${search}`, {
          method,
          redirect: 'manual',
          headers: {
            'content-type': 'application/json',
            ...(bearer === '' ? {} : { authorization: `Bearer ${bearer === 'own' ? token : bearer}` }),
          },
          ...(method === 'GET' ? {} : { body: text.toWellFormed() }),
          signal: AbortSignal.timeout(60_000),
        });
        const answer = await response.text();
        const { status } = response;
        sent += 1;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 200 || status === 302) return;
        const description = `${endpoint} ${status} ${answer.slice(0, 300)}`;
        expect(answer, description).not.toMatch(
          /node_modules|\.m?[jt]s:\d|better-auth|postgres|relation "|zod/i,
        );
        if (response.headers.get('content-type')?.includes('text/html')) return;
        const problem = Problem.parse(JSON.parse(answer));
        const known = Object.entries(refusals).find(([code]) => code === problem.code)?.[1];
        expect(known?.status, description).toBe(status);
        // Without a mail server, requests for emails are refused. No other failure is allowed.
        if (status >= 500) expect(problem.code, description).toBe('mail_unavailable');
      },
    );
    await fc.assert(property, { seed, numRuns: inputsPerSeed });
    const counts = [...statuses].sort(([one], [other]) => one - other);
    process.stdout.write(
      `Fuzzed ${endpoints.length} endpoints of the identity provider with ${sent} inputs: ${counts.map(([status, count]) => `${count} × ${status}`).join(', ')}\n`,
    );
    expect((await provider.call('GET', '/token', { token })).status).toBe(200);
  },
  furtherSeeds,
);
