import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/people/inbox.ts';
import {
  newEmail,
  type ProviderWithMail,
  RESET_SUBJECT,
  startProviderWithMail,
  VERIFICATION_SUBJECT,
} from '#tests/harness/people/provider-with-mail.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

const NEW_PASSWORD = 'Kettle#9Marble';
const SessionResponse = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string(), emailVerified: z.boolean() }),
});
const Problem = z.object({ code: z.string(), errors: z.optional(z.record(z.string(), z.string())) });

let mail: ProviderWithMail;
let provider: RunningProvider;
let inbox: Inbox;

beforeAll(async () => {
  mail = await startProviderWithMail();
  ({ provider, inbox } = mail);
});
afterAll(() => mail.stop());

const signUp = async (email: string, name = 'Ann') =>
  SessionResponse.parse(
    await (
      await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name } })
    ).json(),
  );
const signIn = (email: string, password: string) =>
  provider.call('POST', '/sign-in/email', { body: { email, password } });
const confirmAddress = (email: string) =>
  provider.sql('update "user" set "emailVerified" = true where email = $1', [email]);
const codeOf = async (answer: Response) => Problem.parse(await answer.json()).code;

const requestReset = (email: string) => provider.call('POST', '/password/reset-letter', { body: { email } });
const reset = (token: string, password: string) =>
  provider.call('POST', '/password/reset', { body: { token, password } });

describe('a password reset', () => {
  it('sets the password by a single-use link and ends every session', async () => {
    const email = newEmail();
    const { sessionToken } = await signUp(email);
    await requestReset(email.toUpperCase());
    const token = await mail.readLinkToken(email, RESET_SUBJECT);
    expect((await reset(token, NEW_PASSWORD)).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const back = SessionResponse.parse(await (await signIn(email, NEW_PASSWORD)).json());
    expect(back.user.emailVerified).toBe(true);
    expect((await reset(token, 'Another#4Quarry')).status).toBe(410);
    await inbox.waitForEmail(email, 'Your password was changed');
  });

  it('reaches an account with an international domain by both forms of its address', async () => {
    const unicode = newEmail().replace('@', '@bücher.');
    await signUp(unicode.replace('bücher', 'xn--bcher-kva'));
    await requestReset(unicode.replace('bücher', 'BÜCHER'));
    // The test's mail server shows the domain of the recipient in Unicode.
    expect((await reset(await mail.readLinkToken(unicode, RESET_SUBJECT), NEW_PASSWORD)).status).toBe(200);
  });

  it('answers the same for an unknown address, and sends an email only to a known one', async () => {
    const known = newEmail();
    await signUp(known);
    const unknown = newEmail();
    const [first, second] = [await requestReset(known), await requestReset(unknown)];
    expect(second.status).toBe(first.status);
    expect(await second.json()).toEqual(await first.json());
    await inbox.waitForEmail(known, RESET_SUBJECT);
    expect(await inbox.emailsTo(unknown)).toEqual([]);
  });

  it('sends one email for concurrent requests', async () => {
    const email = newEmail();
    await signUp(email);
    const answers = await Promise.all(Array.from({ length: 6 }, () => requestReset(email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await inbox.waitForEmail(email, RESET_SUBJECT);
    expect((await inbox.emailsTo(email)).filter(({ subject }) => subject === RESET_SUBJECT)).toHaveLength(1);
  });

  it('keeps the link valid when the new password is refused', async () => {
    const email = newEmail();
    await signUp(email);
    await requestReset(email);
    const token = await mail.readLinkToken(email, RESET_SUBJECT);
    expect(await codeOf(await reset(token, 'short'))).toBe('weak_password');
    expect(await codeOf(await reset(token, 'Password1!'))).toBe('breached_password');
    expect((await reset(token, NEW_PASSWORD)).status).toBe(200);
  });

  it('accepts any unused link of the past hour, so that further requests do not invalidate the owner’s', async () => {
    const email = newEmail();
    await signUp(email);
    await requestReset(email);
    const first = await mail.readLinkToken(email, RESET_SUBJECT);
    await provider.sql(`update rate_limits set empty_at = empty_at - interval '2 minutes'`);
    await requestReset(email);
    const resets = async () =>
      (await inbox.emailsTo(email)).filter(({ subject }) => subject === RESET_SUBJECT).length;
    await expect.poll(resets).toBe(2);
    const second = await mail.readLinkToken(email, RESET_SUBJECT);
    expect((await reset(first, NEW_PASSWORD)).status).toBe(200);
    expect((await reset(second, 'Another#4Quarry')).status).toBe(410);
  });

  it('accepts one of several concurrent uses of a link', async () => {
    const email = newEmail();
    await signUp(email);
    await requestReset(email);
    const token = await mail.readLinkToken(email, RESET_SUBJECT);
    const answers = await Promise.all(
      ['Marble#1Kiln', 'Marble#2Kiln', 'Marble#3Kiln'].map((p) => reset(token, p)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  it('refuses concurrent sign-ins with the old password', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    await requestReset(email);
    const token = await mail.readLinkToken(email, RESET_SUBJECT);
    const attempts = Array.from({ length: 6 }, () => signIn(email, PASSWORD));
    expect((await reset(token, NEW_PASSWORD)).status).toBe(200);
    for (const answer of await Promise.all(attempts)) {
      if (answer.status !== 200) continue;
      const { sessionToken } = SessionResponse.parse(await answer.json());
      expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    }
    expect(await provider.sql('select 1 from session where "userId" = $1', [user.uid])).toEqual([]);
  });

  it('removes the second factors of somebody who registered the address without owning it', async () => {
    const email = newEmail();
    const { user } = await signUp(email, 'Squatter');
    await provider.sql(
      `insert into passkey (id, user_id, public_key, counter, transports, name)
       values ($1, $2, '\\x00', 0, '{}', 'squatter')`,
      [`key-${user.uid}`, user.uid],
    );
    await requestReset(email);
    await reset(await mail.readLinkToken(email, RESET_SUBJECT), NEW_PASSWORD);
    expect(await provider.sql('select 1 from passkey where user_id = $1', [user.uid])).toEqual([]);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('sends no email for a disabled account', async () => {
    const email = newEmail();
    await signUp(email);
    await provider.call('POST', '/admin/disable', { body: { email }, token: SERVICE_SECRET });
    expect((await requestReset(email)).status).toBe(200);
    expect((await inbox.emailsTo(email)).map(({ subject }) => subject)).not.toContain(RESET_SUBJECT);
  });
});

describe('a password change', () => {
  it('requires the current password, ends the other sessions and sends a notice', async () => {
    const email = newEmail();
    const { sessionToken } = await signUp(email);
    await confirmAddress(email);
    const other = SessionResponse.parse(await (await signIn(email, PASSWORD)).json());
    const change = (currentPassword: string, password: string) =>
      provider.call('POST', '/password/change', { token: sessionToken, body: { currentPassword, password } });
    expect(await codeOf(await change('Wrong#123', NEW_PASSWORD))).toBe('invalid_credential');
    expect(await codeOf(await change(PASSWORD, 'Sunshine#1'))).toBe('breached_password');
    expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: other.sessionToken })).status).toBe(401);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    await inbox.waitForEmail(email, 'Your password was changed');
  });

  it('ends the links that were sent before to choose a new password', async () => {
    const email = newEmail();
    const { sessionToken } = await signUp(email);
    await requestReset(email);
    const link = await mail.readLinkToken(email, RESET_SUBJECT);
    const body = { currentPassword: PASSWORD, password: NEW_PASSWORD };
    expect((await provider.call('POST', '/password/change', { token: sessionToken, body })).status).toBe(200);
    expect((await reset(link, 'Another#4Quarry')).status).toBe(410);
  });

  it('refuses further attempts after five wrong current passwords', async () => {
    const { sessionToken } = await signUp(newEmail());
    const guess = () =>
      provider.call('POST', '/password/change', {
        token: sessionToken,
        body: { currentPassword: 'Wrong#123', password: NEW_PASSWORD },
      });
    for (let times = 0; times < 5; times += 1) expect((await guess()).status).toBe(401);
    const sixth = await guess();
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(600);
  });
});

describe('a commonly guessed password', () => {
  it.each(['Password1!', 'Qwerty123!', 'P@ssw0rd'])('is refused at sign-up: %s', async (password) => {
    const email = newEmail();
    const answer = await provider.call('POST', '/sign-up/email', { body: { email, password } });
    expect(answer.status).toBe(422);
    const problem = Problem.parse(await answer.json());
    expect(problem.code).toBe('breached_password');
    expect(problem.errors?.password).toContain('tried first');
    expect(await provider.sql('select 1 from "user" where email = $1', [email])).toEqual([]);
  });

  it('includes the name in the account’s own address', async () => {
    const answer = await provider.call('POST', '/sign-up/email', {
      body: { email: 'quillfeather@mail.example', password: 'Quillfeather#1' },
    });
    expect(await codeOf(answer)).toBe('breached_password');
  });
});

it('signs up users while the mail server is unavailable, and sends their emails once it is available', {
  tags: 'long',
}, async () => {
  const port = await freePorts(1);
  const provider = await startProvider({
    mail: { smtpUrl: `smtp://127.0.0.1:${port}` },
  });
  try {
    const email = newEmail();
    const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
    expect(answer.status).toBe(200);
    const failures = async () => (await provider.sql('select retry_count from pgboss.job'))[0]?.retry_count;
    await expect.poll(failures).toBeGreaterThan(0);
    const back = await startInbox(port);
    try {
      await back.waitForEmail(email, VERIFICATION_SUBJECT);
    } finally {
      await back.close();
    }
  } finally {
    await provider.stop();
  }
});

it('refuses to send emails without a mail server; sign-up works', async () => {
  const provider = await startProvider();
  try {
    const answer = await provider.call('POST', '/password/reset-letter', { body: { email: newEmail() } });
    expect(answer.status).toBe(503);
    expect(await codeOf(answer)).toBe('mail_unavailable');
    const registered = await provider.call('POST', '/sign-up/email', {
      body: { email: newEmail(), password: PASSWORD },
    });
    expect(registered.status).toBe(200);
  } finally {
    await provider.stop();
  }
});
