import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Inbox, startInbox } from '#tests/harness/people/inbox.ts';
import { createAuthenticator } from '../testing/authenticator.ts';
import { PASSWORD, type RunningProvider, startProvider } from '../testing/provider.ts';

const SUBJECT = 'A sign-in from a new device';
const desktop = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0 Safari/537.36';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Mobile Safari/604.1';

const SessionResponse = z.object({ sessionToken: z.string() });
const PendingSignIn = z.object({ secondFactor: z.object({ challenge: z.string() }) });

let inbox: Inbox;
let provider: RunningProvider;
let people = 0;

beforeAll(async () => {
  inbox = await startInbox();
  provider = await startProvider({ mail: { smtpUrl: inbox.smtpUrl } });
});
afterAll(async () => {
  await provider.stop();
  await inbox.close();
});

const authenticate = (operation: 'sign-up' | 'sign-in', email: string, userAgent: string) =>
  provider.call('POST', `/${operation}/email`, {
    body: { email, password: PASSWORD },
    headers: { 'user-agent': userAgent },
  });
const confirmAddress = (email: string) =>
  provider.sql('update "user" set "emailVerified" = true where email = $1', [email]);
const newEmail = () => `traveller${++people}@mail.example`;
const countNotices = async (email: string) => {
  const rows = await provider.sql(
    `select 1 from pgboss.job join "user" on "user".id = data->>'userId'
      where email = $1 and data->>'kind' = 'new-device'`,
    [email],
  );
  return rows.length;
};

it('sends a notice for an unknown device, but not for the first, a known or an updated one', async () => {
  const email = newEmail();
  await authenticate('sign-up', email, desktop);
  await confirmAddress(email);
  await authenticate('sign-in', email, desktop);
  await authenticate('sign-in', email, desktop.replace('142.0.0.0', '143.0.1.2'));
  expect(await countNotices(email)).toBe(0);

  await authenticate('sign-in', email, phone);
  const { text } = await inbox.waitForEmail(email, SUBJECT);
  expect(text).toContain('If that was not you');
  expect(text).toContain('/dashboard/account');
  await authenticate('sign-in', email, phone.replace('18_6', '18_7'));
  await authenticate('sign-in', email, desktop);
  expect(await countNotices(email)).toBe(1);

  // A device is unknown again after a year.
  await provider.sql(
    `update known_device set seen_at = now() - interval '13 months'
      where seen_at = (select min(seen_at) from known_device)
        and user_id = (select id from "user" where email = $1)`,
    [email],
  );
  await authenticate('sign-in', email, phone);
  expect(await countNotices(email)).toBe(2);
});

it('sends no notice before the second factor was verified', async () => {
  const email = newEmail();
  const { sessionToken } = SessionResponse.parse(
    await (await authenticate('sign-up', email, desktop)).json(),
  );
  await confirmAddress(email);
  const asked = await provider.call('POST', '/passkeys/options', {
    token: sessionToken,
    body: { password: PASSWORD },
  });
  const options = z.object({ challenge: z.string() }).parse(await asked.json());
  const device = createAuthenticator(provider.origin);
  await provider.call('POST', '/passkeys', {
    token: sessionToken,
    body: { name: 'Phone', response: device.create(options) },
    headers: { 'user-agent': desktop },
  });

  const { challenge } = PendingSignIn.parse(
    await (await authenticate('sign-in', email, phone)).json(),
  ).secondFactor;
  expect(await countNotices(email)).toBe(0);
  const again = await provider.call('POST', '/sign-in/passkey/options', { token: challenge, body: {} });
  const request = z.object({ challenge: z.string() }).parse(await again.json());
  await provider.call('POST', '/sign-in/passkey', {
    token: challenge,
    body: { response: device.get(request) },
    headers: { 'user-agent': phone },
  });
  await inbox.waitForEmail(email, SUBJECT);
});

it('sends none to an address that nobody has confirmed, and five an hour to any other', async () => {
  const email = newEmail();
  await authenticate('sign-up', email, desktop);
  const signInFrom = (device: string) => authenticate('sign-in', email, `Browser ${device}`);
  await signInFrom('a');
  expect(await countNotices(email)).toBe(0);
  await confirmAddress(email);
  for (const device of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) await signInFrom(device);
  expect(await countNotices(email)).toBe(5);
});

it('remembers the latest fifty devices of an account', async () => {
  const email = newEmail();
  await authenticate('sign-up', email, desktop);
  await provider.sql(
    `insert into known_device (user_id, hash, seen_at)
     select id, sha256(number::text::bytea), now() - make_interval(days => number)
       from "user", generate_series(1, 60) as number where email = $1`,
    [email],
  );
  await authenticate('sign-in', email, phone);
  const known = await provider.sql(
    `select min(seen_at) > now() - interval '49 days' as are_latest, count(*)::int
       from known_device join "user" on "user".id = user_id where email = $1`,
    [email],
  );
  expect(known).toEqual([{ are_latest: true, count: 50 }]);
});
