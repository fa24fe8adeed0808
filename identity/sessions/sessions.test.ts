import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const SessionResponse = z.object({
  sessionToken: z.string(),
  idToken: z.string(),
  user: z.object({
    uid: z.string(),
    displayName: z.nullable(z.string()),
    email: z.string(),
    emailVerified: z.boolean(),
    photoURL: z.nullable(z.string()),
    providerData: z.array(z.object({ providerId: z.string() })),
  }),
});
const Problem = z.object({
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  errors: z.optional(z.record(z.string(), z.string())),
});

let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const newEmail = () => `person${++people}@mail.example`;

async function signUp(body: Record<string, unknown> = {}) {
  const answer = await provider.call('POST', '/sign-up/email', {
    body: { email: newEmail(), password: PASSWORD, ...body },
  });
  expect(answer.status).toBe(200);
  return SessionResponse.parse(await answer.json());
}

async function refusal(answer: Response) {
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  const problem = Problem.parse(await answer.json());
  expect(problem.status).toBe(answer.status);
  return problem;
}

describe('the profile', () => {
  it('changes name and photo, also in the next ID token', async () => {
    const { sessionToken } = await signUp();
    const answer = await provider.call('PATCH', '/user', {
      token: sessionToken,
      body: { displayName: 'Bea', photoURL: 'https://pictures.example/bea.png' },
    });
    const { user } = z.object({ user: SessionResponse.shape.user }).parse(await answer.json());
    expect(user).toMatchObject({ displayName: 'Bea', photoURL: 'https://pictures.example/bea.png' });
    const cleared = await provider.call('PATCH', '/user', { token: sessionToken, body: { photoURL: null } });
    expect(await cleared.json()).toMatchObject({ user: { displayName: 'Bea', photoURL: null } });
  });

  it.each([
    { displayName: 'x'.repeat(101) },
    { photoURL: 'javascript:alert(1)' },
    { photoURL: 'picture.png' },
  ])('refuses %j', async (body) => {
    const { sessionToken } = await signUp();
    const answer = await provider.call('PATCH', '/user', { token: sessionToken, body });
    expect((await refusal(answer)).code).toBe('invalid_input');
  });
});

describe('sessions', () => {
  it('are listed, and an ended one is refused', async () => {
    const email = newEmail();
    const first = await signUp({ email });
    const second = SessionResponse.parse(
      await (
        await provider.call('POST', '/sign-in/email', {
          body: { email, password: PASSWORD },
          headers: { 'user-agent': 'A phone' },
        })
      ).json(),
    );
    const listed = z
      .array(z.object({ id: z.string(), userAgent: z.nullable(z.string()), current: z.boolean() }))
      .parse(await (await provider.call('GET', '/sessions', { token: first.sessionToken })).json());
    expect(listed.map(({ userAgent, current }) => ({ userAgent, current }))).toEqual([
      { userAgent: 'A phone', current: false },
      { userAgent: 'node', current: true },
    ]);
    expect(JSON.stringify(listed)).not.toContain(second.sessionToken.split('.')[0]);

    const phone = listed[0]?.id ?? '';
    const ended = await provider.call('DELETE', `/sessions/${phone}`, { token: first.sessionToken });
    expect(ended.status).toBe(200);
    const refused = await provider.call('GET', '/token', { token: second.sessionToken });
    expect((await refusal(refused)).code).toBe('session_ended');
    expect((await provider.call('GET', '/token', { token: first.sessionToken })).status).toBe(200);
  });

  it('of another user cannot be ended', async () => {
    const [ann, bea] = [await signUp(), await signUp()];
    const [row] = await provider.sql('select id from session where "userId" = $1', [bea.user.uid]);
    const answer = await provider.call('DELETE', `/sessions/${row?.id}`, { token: ann.sessionToken });
    expect((await refusal(answer)).code).toBe('not_found');
    expect((await provider.call('GET', '/token', { token: bea.sessionToken })).status).toBe(200);
  });

  it('are all ended except the current one', async () => {
    const email = newEmail();
    const first = await signUp({ email });
    const second = SessionResponse.parse(
      await (await provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } })).json(),
    );
    const ended = await provider.call('DELETE', '/sessions', { token: second.sessionToken });
    expect(await ended.json()).toEqual({ deletedCount: 1 });
    expect((await provider.call('GET', '/token', { token: first.sessionToken })).status).toBe(401);
    expect((await provider.call('GET', '/token', { token: second.sessionToken })).status).toBe(200);
  });

  it('end after ninety days, even if they are used', async () => {
    const { sessionToken, user } = await signUp();
    const age = (days: number) =>
      provider.sql(
        `update session set "createdAt" = now() - make_interval(days => $2), "expiresAt" = now() + interval '20 days'
          where "userId" = $1`,
        [user.uid, days],
      );
    await age(89);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
    await age(91);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    expect(await provider.sql('select 1 from session where "userId" = $1', [user.uid])).toEqual([]);
  });

  it('of one account are at most a hundred: the one unused for longest ends, and never for a pending sign-in', async () => {
    const { sessionToken, user } = await signUp();
    const open = (isPending: boolean) =>
      provider.sql(
        `insert into session (id, token, "userId", "expiresAt", "createdAt", "updatedAt", due)
         select gen_random_uuid(), gen_random_uuid(), $1, now() + interval '1 day', now(), now(), $2
           from generate_series(1, 100)`,
        [user.uid, isPending],
      );
    const again = async () =>
      SessionResponse.parse(
        await (
          await provider.call('POST', '/sign-in/email', { body: { email: user.email, password: PASSWORD } })
        ).json(),
      );
    await open(true);
    await again();
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
    await open(false);
    const latest = await again();
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    const listed = await provider.call('GET', '/sessions', { token: latest.sessionToken });
    expect(await listed.json()).toHaveLength(100);
  });

  it('are deleted once they have expired or their second factor is overdue', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const ticking = await startProvider();
    try {
      const signedUp = await ticking.call('POST', '/sign-up/email', {
        body: { email: newEmail(), password: PASSWORD },
      });
      const { user } = SessionResponse.parse(await signedUp.json());
      await ticking.sql(
        `insert into session (id, token, "userId", "ipAddress", "expiresAt", "createdAt", "updatedAt", due)
         select kind, kind, $1, '198.51.100.7', now() + expires, now() - age, now(), due
           from (values ('expired', interval '-61 minutes', interval '30 days', false),
                        ('overdue', interval '30 days', interval '11 minutes', true),
                        ('too old', interval '20 days', interval '91 days', false),
                        ('just expired', interval '-1 minute', interval '30 days', false),
                        ('pending', interval '30 days', interval '9 minutes', true)) as kinds (kind, expires, age, due)`,
        [user.uid],
      );
      vi.advanceTimersByTime(10 * 60_000);
      const left = async () =>
        (await ticking.sql(`select id from session where "ipAddress" = '198.51.100.7' order by id`)).map(
          ({ id }) => id,
        );
      await expect.poll(left).toEqual(['just expired', 'pending']);
      const told = await ticking.sql('select session_id from session_end');
      expect(told).toEqual([{ session_id: 'too old' }]);
    } finally {
      vi.useRealTimers();
      await ticking.stop();
    }
  });

  it('end on sign-out', async () => {
    const { sessionToken } = await signUp();
    expect((await provider.call('POST', '/sign-out', { token: sessionToken })).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
  });
});
