import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/inbox.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { PASSWORD, type RunningProvider, SERVICE_SECRET, startProvider } from '../testing/provider.ts';

const OTHER = 'Kettle#9Marble';
const Signed = z.object({
  sessionToken: z.string(),
  user: z.object({ uid: z.string(), emailVerified: z.boolean() }),
});
const Problem = z.object({ code: z.string(), errors: z.optional(z.record(z.string(), z.string())) });

let inbox: Inbox;
let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  inbox = await startInbox();
  provider = await startProvider({
    mail: {
      smtpUrl: inbox.smtpUrl,
      from: 'Coomercio <shop@coomercio.example>',
      shopOrigin: 'http://pages.example',
    },
  });
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

const newEmail = () => `reader${++people}@mail.example`;
const signUp = async (email: string, name = 'Ann') =>
  Signed.parse(
    await (
      await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD, name } })
    ).json(),
  );
const signIn = (email: string, password: string) =>
  provider.call('POST', '/sign-in/email', { body: { email, password } });
const codeOf = async (answer: Response) => Problem.parse(await answer.json()).code;

/** The token in the link of the latest letter with this subject. */
async function linked(email: string, subject: string) {
  const { text } = await inbox.waitForEmail(email, subject);
  return /#([\w-]+)/.exec(text ?? '')?.[1] ?? '';
}
const VERIFY = 'Is this your e-mail address?';
const RESET = 'Choose a new password';
const askReset = (email: string) => provider.call('POST', '/password/reset-letter', { body: { email } });
const reset = (token: string, password: string) =>
  provider.call('POST', '/password/reset', { body: { token, password } });

describe('a forgotten password', () => {
  it('is replaced by a link that works once and ends every session', async () => {
    const email = newEmail();
    const { sessionToken } = await signUp(email);
    await askReset(email.toUpperCase());
    const token = await linked(email, RESET);
    expect((await reset(token, OTHER)).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    const back = Signed.parse(await (await signIn(email, OTHER)).json());
    expect(back.user.emailVerified).toBe(true);
    expect((await reset(token, 'Another#4Quarry')).status).toBe(410);
    await inbox.waitForEmail(email, 'Your password was changed');
  });

  it('is answered the same, and a letter goes out, only for who has an account', async () => {
    const known = newEmail();
    await signUp(known);
    const unknown = newEmail();
    const [first, second] = [await askReset(known), await askReset(unknown)];
    expect(second.status).toBe(first.status);
    expect(await second.json()).toEqual(await first.json());
    await inbox.waitForEmail(known, RESET);
    expect(await inbox.emailsTo(unknown)).toEqual([]);
  });

  it('cannot be used to flood a mailbox', async () => {
    const email = newEmail();
    await signUp(email);
    const answers = await Promise.all(Array.from({ length: 6 }, () => askReset(email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    await inbox.waitForEmail(email, RESET);
    expect((await inbox.emailsTo(email)).filter(({ subject }) => subject === RESET)).toHaveLength(1);
  });

  it('keeps its link for another try when the new password is refused', async () => {
    const email = newEmail();
    await signUp(email);
    await askReset(email);
    const token = await linked(email, RESET);
    expect(await codeOf(await reset(token, 'short'))).toBe('weak_password');
    expect(await codeOf(await reset(token, 'Password1!'))).toBe('breached_password');
    expect((await reset(token, OTHER)).status).toBe(200);
  });

  it('is replaced by any link of the past hour: a stranger who asks for more does not make the owner’s stop', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    await askReset(email);
    const first = await linked(email, RESET);
    await provider.sql(`update letter set requested_at = now() - interval '2 minutes' where user_id = $1`, [
      user.uid,
    ]);
    await askReset(email);
    const resets = async () =>
      (await inbox.emailsTo(email)).filter(({ subject }) => subject === RESET).length;
    await expect.poll(resets).toBe(2);
    const second = await linked(email, RESET);
    expect((await reset(first, OTHER)).status).toBe(200);
    expect((await reset(second, 'Another#4Quarry')).status).toBe(410);
  });

  it('is one password, however many use the link at the same instant', async () => {
    const email = newEmail();
    await signUp(email);
    await askReset(email);
    const token = await linked(email, RESET);
    const answers = await Promise.all(
      ['Marble#1Kiln', 'Marble#2Kiln', 'Marble#3Kiln'].map((p) => reset(token, p)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  });

  it('lets no sign-in through that was under way with the old one', async () => {
    const email = newEmail();
    const { user } = await signUp(email);
    await askReset(email);
    const token = await linked(email, RESET);
    const attempts = Array.from({ length: 6 }, () => signIn(email, PASSWORD));
    expect((await reset(token, OTHER)).status).toBe(200);
    for (const answer of await Promise.all(attempts)) {
      if (answer.status !== 200) continue;
      const { sessionToken } = Signed.parse(await answer.json());
      expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(401);
    }
    expect(await provider.sql('select 1 from session where "userId" = $1', [user.uid])).toEqual([]);
  });

  it('takes the address back from who had registered it without owning it, second factors included', async () => {
    const email = newEmail();
    const { user } = await signUp(email, 'Squatter');
    await provider.sql(
      `insert into passkey (id, user_id, public_key, counter, transports, name)
       values ($1, $2, '\\x00', 0, '{}', 'squatter')`,
      [`key-${user.uid}`, user.uid],
    );
    await askReset(email);
    await reset(await linked(email, RESET), OTHER);
    expect(await provider.sql('select 1 from passkey where user_id = $1', [user.uid])).toEqual([]);
    expect((await signIn(email, OTHER)).status).toBe(200);
  });

  it('stays forgotten for a disabled account', async () => {
    const email = newEmail();
    await signUp(email);
    await provider.call('POST', '/admin/disable', { body: { email }, token: SERVICE_SECRET });
    expect((await askReset(email)).status).toBe(200);
    expect((await inbox.emailsTo(email)).map(({ subject }) => subject)).not.toContain(RESET);
  });
});

describe('changing the password', () => {
  it('asks for the present one, ends the other sessions and says so by mail', async () => {
    const email = newEmail();
    const { sessionToken } = await signUp(email);
    const other = Signed.parse(await (await signIn(email, PASSWORD)).json());
    const change = (currentPassword: string, password: string) =>
      provider.call('POST', '/password/change', { token: sessionToken, body: { currentPassword, password } });
    expect(await codeOf(await change('Wrong#123', OTHER))).toBe('invalid_credential');
    expect(await codeOf(await change(PASSWORD, 'Sunshine#1'))).toBe('breached_password');
    expect((await change(PASSWORD, OTHER)).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: sessionToken })).status).toBe(200);
    expect((await provider.call('GET', '/token', { token: other.sessionToken })).status).toBe(401);
    expect((await signIn(email, OTHER)).status).toBe(200);
    await inbox.waitForEmail(email, 'Your password was changed');
  });

  it('stops guessing at the present one after five times', async () => {
    const { sessionToken } = await signUp(newEmail());
    const guess = () =>
      provider.call('POST', '/password/change', {
        token: sessionToken,
        body: { currentPassword: 'Wrong#123', password: OTHER },
      });
    for (let times = 0; times < 5; times += 1) expect((await guess()).status).toBe(401);
    const sixth = await guess();
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(600);
  });
});

describe('a password that guessers know', () => {
  it.each(['Password1!', 'Qwerty123!', 'P@ssw0rd'])(
    'is refused at sign-up, in words: %s',
    async (password) => {
      const email = newEmail();
      const answer = await provider.call('POST', '/sign-up/email', { body: { email, password } });
      expect(answer.status).toBe(422);
      const problem = Problem.parse(await answer.json());
      expect(problem.code).toBe('breached_password');
      expect(problem.errors?.password).toContain('tried first');
      expect(await provider.sql('select 1 from "user" where email = $1', [email])).toEqual([]);
    },
  );

  it('is also the name in one’s own address', async () => {
    const answer = await provider.call('POST', '/sign-up/email', {
      body: { email: 'quillfeather@mail.example', password: 'Quillfeather#1' },
    });
    expect(await codeOf(answer)).toBe('breached_password');
  });
});

it('a mail server that is away keeps nobody from registering, and its letters follow when it is back', async () => {
  const port = await freePorts(1);
  const away = await startProvider({
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Coomercio <shop@coomercio.example>' },
  });
  try {
    const email = newEmail();
    const answer = await away.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
    expect(answer.status).toBe(200);
    await expect
      .poll(async () => (await away.sql('select attempts from letter'))[0]?.attempts, { timeout: 10_000 })
      .toBe(1);
    const back = await startInbox(port);
    try {
      await away.sql('update letter set next_attempt_at = now()');
      // Any further letter hurries the post along; otherwise it looks by itself within ten seconds.
      await away.call('POST', '/password/reset-letter', { body: { email } });
      await back.waitForEmail(email, VERIFY);
    } finally {
      await back.close();
    }
  } finally {
    await away.stop();
  }
}, 30_000);

it('without a mail server letters are refused in words, and the rest works', async () => {
  const silent = await startProvider();
  try {
    const answer = await silent.call('POST', '/password/reset-letter', { body: { email: newEmail() } });
    expect(answer.status).toBe(503);
    expect(await codeOf(answer)).toBe('mail_unavailable');
    const registered = await silent.call('POST', '/sign-up/email', {
      body: { email: newEmail(), password: PASSWORD },
    });
    expect(registered.status).toBe(200);
  } finally {
    await silent.stop();
  }
});
