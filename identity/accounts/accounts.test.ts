import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

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

describe('signing up', () => {
  it('creates an account; the address is case-insensitive', async () => {
    const email = newEmail();
    await signUp({ email: email.toUpperCase(), name: ' Ann ' });
    const answer = await provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } });
    expect(SessionResponse.parse(await answer.json()).user).toMatchObject({
      email,
      displayName: 'Ann',
      emailVerified: false,
      photoURL: null,
      providerData: [{ providerId: 'password' }],
    });
  });

  it('knows an address with an international domain by both of its forms', async () => {
    const [unicode, ascii] = ['Jorg@Bücher.example', 'jorg@xn--bcher-kva.example'];
    expect((await signUp({ email: unicode })).user.email).toBe(ascii);
    const again = await provider.call('POST', '/sign-up/email', {
      body: { email: ascii, password: PASSWORD },
    });
    expect((await refusal(again)).code).toBe('email_already_in_use');
    for (const email of [unicode, ascii]) {
      const answer = await provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } });
      expect(answer.status).toBe(200);
    }
  });

  it.each([
    ['jörg@bücher.example', 'before the @'],
    ['почта@mail.example', 'before the @'],
    ['post@пример.рф', 'that end in other letters'],
  ])('says why %s cannot be used', async (email, reason) => {
    const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
    expect((await refusal(answer)).errors).toEqual({ email: expect.stringContaining(reason) });
  });

  it.each([
    ['', 'Password is required', 'invalid_input'],
    ['Ab1!x', 'Password must be 6 character or longer', 'weak_password'],
    ['secret#1', 'Password must be contain a capital letter and a special character.', 'weak_password'],
    ['Secret##', 'Password must be contain a capital letter and a special character.', 'weak_password'],
    ['Secret11', 'Password must be contain a capital letter and a special character.', 'weak_password'],
    ['Secret-1', 'Password must be contain a capital letter and a special character.', 'weak_password'],
    [`Aa1!${'x'.repeat(125)}`, 'Password can be at most 128 characters', 'weak_password'],
  ])('refuses the password %j', async (password, message, code) => {
    const email = newEmail();
    const answer = await provider.call('POST', '/sign-up/email', { body: { email, password } });
    expect(await refusal(answer)).toMatchObject({ status: 422, code, errors: { password: message } });
    expect(await provider.sql('select 1 from "user" where email = $1', [email])).toHaveLength(0);
  });

  it.each(['!', '@', '#', '$', '&', '*'])(
    'accepts a password whose special character is %s',
    async (sign) => {
      await signUp({ password: `Lantern7orchid${sign}` });
    },
  );

  it.each([
    [{ email: 'nobody' }, 'email'],
    [{ email: 7 }, 'email'],
    [{ email: 'a\u0000@mail.example' }, 'email'],
    [{ email: 'käse@mail.example' }, 'email'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'Ann\u0000' }, 'name'],
    [{ name: 'Ann\nSmith' }, 'name'],
  ])('refuses %j with an error for the field', async (part, field) => {
    const answer = await provider.call('POST', '/sign-up/email', {
      body: { email: newEmail(), password: PASSWORD, ...part },
    });
    const problem = await refusal(answer);
    expect(problem).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(Object.keys(problem.errors ?? {})).toEqual([field]);
  });

  it('ignores fields that only the provider may set', async () => {
    const { user } = await signUp({
      emailVerified: true,
      disabledAt: '2020-01-01',
      id: 'mine',
      role: 'admin',
    });
    expect(user.emailVerified).toBe(false);
    expect(user.uid).not.toBe('mine');
  });

  it('accepts each address once, also concurrently', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect((await refusal(answer)).code).toBe('email_already_in_use');
    }
  });
});

describe('signing in', () => {
  it('answers the same for an unknown address and a wrong password', async () => {
    const { user } = await signUp();
    const wrong = await provider.call('POST', '/sign-in/email', {
      body: { email: user.email, password: 'Wrong#123' },
    });
    const unknown = await provider.call('POST', '/sign-in/email', {
      body: { email: newEmail(), password: 'Wrong#123' },
    });
    const expected = await refusal(wrong);
    expect(expected.code).toBe('invalid_credential');
    expect(await refusal(unknown)).toEqual(expected);
  });

  it.each([
    ['null', 422],
    ['"text"', 422],
    ['{', 400],
    [`{"email":"${'x'.repeat(20_000)}"}`, 413],
  ])('refuses the body %#', async (body, status) => {
    const answer = await fetch(`${provider.url}/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect((await refusal(answer)).status).toBe(status);
  });

  it('stores passwords hashed and sets no cookie', async () => {
    const email = newEmail();
    await signUp({ email });
    const answer = await provider.call('POST', '/sign-in/email', { body: { email, password: PASSWORD } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    const [row] = await provider.sql(
      'select password from account join "user" on "user".id = "userId" where email = $1',
      [email],
    );
    expect(row?.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });

  it('is not possible with a cookie instead of a bearer token', async () => {
    const { sessionToken } = await signUp();
    const answer = await provider.call('GET', '/token', {
      headers: { cookie: `identity.session_token=${encodeURIComponent(sessionToken)}` },
    });
    expect((await refusal(answer)).code).toBe('session_ended');
  });

  it('is not possible with the unsigned part of a token', async () => {
    const { sessionToken } = await signUp();
    const answer = await provider.call('GET', '/token', { token: sessionToken.split('.')[0] ?? '' });
    expect((await refusal(answer)).code).toBe('session_ended');
  });
});

describe('erasing an account', () => {
  const erase = (email: string, token: string) =>
    provider.call('POST', '/admin/erase', { body: { email }, token });

  it('removes everything stored, so that the address can be registered again', async () => {
    const { user, sessionToken } = await signUp();
    const rows = async () =>
      (
        await provider.sql(
          `select (select count(*)::int from "user" where id = $1)
                + (select count(*)::int from account where "userId" = $1)
                + (select count(*)::int from session where "userId" = $1) as left`,
          [user.uid],
        )
      )[0]?.left;
    expect(await rows()).toBe(3);
    expect((await erase(user.email, SERVICE_SECRET)).status).toBe(200);
    expect(await rows()).toBe(0);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    const again = await provider.call('POST', '/sign-up/email', {
      body: { email: user.email, password: PASSWORD, name: 'Back' },
    });
    expect(again.status).toBe(200);
  });

  it('keeps an account that was created after `madeBefore`', async () => {
    const { user } = await signUp();
    const body = { email: user.email, madeBefore: new Date().toISOString() };
    const eraseEarlier = () => provider.call('POST', '/admin/erase', { body, token: SERVICE_SECRET });
    expect((await eraseEarlier()).status).toBe(200);
    await provider.call('POST', '/sign-up/email', {
      body: { email: user.email, password: PASSWORD, name: 'Back' },
    });
    expect((await eraseEarlier()).status).toBe(404);
    const again = await provider.call('POST', '/sign-in/email', {
      body: { email: user.email, password: PASSWORD },
    });
    expect(again.status).toBe(200);
  });

  it('requires the service secret', async () => {
    const { user, sessionToken } = await signUp();
    for (const token of ['', 'guess', sessionToken]) {
      expect((await refusal(await erase(user.email, token))).code).toBe('not_allowed');
    }
  });
});

describe('disabling an account', () => {
  const disable = (email: string, token: string) =>
    provider.call('POST', '/admin/disable', { body: { email }, token });

  it('ends its sessions and refuses the next sign-in', async () => {
    const { user, sessionToken } = await signUp();
    expect((await disable(user.email, SERVICE_SECRET)).status).toBe(200);
    expect((await disable(user.email, SERVICE_SECRET)).status).toBe(200);

    for (const [method, path] of [
      ['GET', '/token'],
      ['GET', '/sessions'],
      ['PATCH', '/user'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { displayName: 'Back' } } : {};
      const answer = await provider.call(method, path, { token: sessionToken, ...body });
      expect((await refusal(answer)).code).toBe('user_disabled');
    }
    const again = await provider.call('POST', '/sign-in/email', {
      body: { email: user.email, password: PASSWORD },
    });
    const expected = await refusal(again);
    expect(expected).toMatchObject({ status: 403, code: 'user_disabled' });
    expect(expected.detail).toContain('account is disabled');
    const wrong = await provider.call('POST', '/sign-in/email', {
      body: { email: user.email, password: 'Wrong#123' },
    });
    expect((await refusal(wrong)).code).toBe('invalid_credential');
  });

  it('requires the service secret', async () => {
    const { user, sessionToken } = await signUp();
    for (const token of ['', 'guess', sessionToken]) {
      expect((await refusal(await disable(user.email, token))).code).toBe('not_allowed');
    }
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
  });

  it('refuses an unknown account', async () => {
    expect((await refusal(await disable(newEmail(), SERVICE_SECRET))).code).toBe('not_found');
  });
});
