import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listInspections } from '#contract/certification/inspection-queue.ts';
import { readShopMoney } from '#contract/money/accounting.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { readShopSettings, saveShopSettings } from '#contract/operations/settings.ts';
import * as contract from '#contract/operations/staff.ts';
import { exchangeToken, isAdmin, readOwnRights } from '#contract/people/accounts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { findAdminsOf } from '#server/people/accounts/steps.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sendInvitation } from './actions.ts';

let shop: TestShop;
let owner: Person;

beforeAll(async () => {
  shop = await startTestShop();
  owner = await shop.admin();
});
afterAll(() => shop.close());

/** Signs a person with a confirmed address in. */
async function signIn(person: Person, claims: Record<string, unknown> = {}): Promise<Person> {
  const idToken = await shop.issuer.idToken(person.email, { email_verified: true, ...claims });
  const query = { email: person.email };
  const { coomercioToken: token } = await shop.client(idToken).call(exchangeToken, { query });
  return { ...person, token, client: shop.client(token) };
}

const confirmedBuyer = (name: string) => shop.buyer(name, { email_verified: true });

/** Waits for the email of an invitation. @returns the token of its link */
async function tokenFor(email: string): Promise<string> {
  const find = () =>
    shop.mails.findLast((mail) => mail.to === email && mail.subject.startsWith('Help to run'));
  await expect.poll(find).toBeDefined();
  const [, token = ''] = /\/invitation#([\w-]+)/.exec(find()?.text ?? '') ?? [];
  return token;
}

const invite = (email: string, areas: contract.StaffMember['areas'], by = owner) =>
  by.client.call(contract.inviteStaff, { body: { email, isOwner: false, areas } });

async function acts(act: string) {
  const entries = await owner.client.call(listAuditTrail, { query: {} });
  return entries.filter((entry) => entry.act === act);
}

const accept = (person: Person, token: string) =>
  person.client.call(contract.acceptInvitation, { body: { token } });

const read = (token: string) => shop.visitor.call(contract.readInvitation, { body: { token } });

test('an invited person accepts, sees only what they may, and another right counts at the next call', async () => {
  const nia = await confirmedBuyer('Nia New');
  await invite(nia.email, ['inspections']);
  const token = await tokenFor(nia.email);
  expect(shop.mails.at(-1)?.text).toContain('What you may do: Inspections');
  expect(await read(token)).toEqual({
    state: 'valid',
    offer: { email: nia.email, isOwner: false, areas: ['inspections'] },
  });
  await accept(nia, token);
  expect(await nia.client.call(isAdmin, { params: { email: nia.email } })).toEqual({ isAdmin: true });
  expect(await nia.client.call(readOwnRights, {})).toEqual({ isOwner: false, areas: ['inspections'] });
  await expect(nia.client.call(listInspections, { query: {} })).resolves.toEqual([]);
  await expect(nia.client.call(readShopMoney, {})).rejects.toMatchObject({
    status: 403,
    code: 'not_allowed',
    message: expect.stringMatching(/right “Money”.*owner of the shop can give it to you/),
  });
  await expect(read(token)).resolves.toEqual({ state: 'accepted', offer: null });

  const params = { _id: nia.userId };
  await owner.client.call(contract.changeRights, { params, body: { isOwner: false, areas: ['money'] } });
  await expect(nia.client.call(readShopMoney, {})).resolves.toBeDefined();
  await expect(nia.client.call(listInspections, { query: {} })).rejects.toMatchObject({ status: 403 });
  await owner.client.call(contract.removeStaff, { params });
  await expect(nia.client.call(readShopMoney, {})).rejects.toMatchObject({ status: 403 });
  expect(await nia.client.call(isAdmin, { params: { email: nia.email } })).toEqual({ isAdmin: false });
  expect((await acts('Changed rights'))[0]).toMatchObject({
    adminEmail: owner.email,
    subject: `${nia.name}, ${nia.email}`,
    note: 'Inspections, now Money',
  });
  expect(await acts('Removed admin')).toHaveLength(1);
  expect(await acts('Invited admin')).toHaveLength(1);
  expect(await acts('Accepted invitation')).toHaveLength(1);
});

test('what happens in an area is told to owners and to the admins of that area who are there', async () => {
  const [money, people, gone] = [
    await shop.admin('money'),
    await shop.admin('people'),
    await shop.admin('money'),
  ];
  await owner.client.call(contract.removeStaff, { params: { _id: gone.userId } });
  const told = await findAdminsOf(shop.connection.database, 'money');
  expect(told).toContain(owner.userId);
  expect(told).toContain(money.userId);
  expect(told).not.toContain(people.userId);
  expect(told).not.toContain(gone.userId);
});

/** Runs the job of an invitation until a time. @returns the emails that it sends */
async function sentFor(invitationId: string, expiresAt: Date): Promise<unknown[]> {
  const sent: unknown[] = [];
  const emailSender = {
    send: async (mail: unknown) => void sent.push(mail),
    deliver: async () => undefined,
    verify: async () => undefined,
    close: () => undefined,
  };
  const { database } = shop.connection;
  await sendInvitation(
    { database, emailSender, origin: shop.origin, shop: () => defaultShopSettings },
    { invitationId, expiresAt: expiresAt.toISOString() },
  );
  return sent;
}

describe('links', () => {
  test('a link works once, for its address only, and no token is stored', async () => {
    const [ann, bob] = [await confirmedBuyer('Ann Asked'), await confirmedBuyer('Bob Other')];
    await invite(ann.email, []);
    const token = await tokenFor(ann.email);
    const stored = await shop.connection.pool.query(
      `select (select string_agg(staff_invitations::text, '') from staff_invitations)
           || (select string_agg(data::text, '') from pgboss.job) as text`,
    );
    expect(stored.rows[0].text).not.toContain(token);
    await expect(accept(bob, token)).rejects.toMatchObject({ status: 403, code: 'not_allowed' });
    const both = await Promise.allSettled([accept(ann, token), accept(ann, token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(accept(ann, token)).rejects.toMatchObject({ code: 'invitation_refused' });
    await expect(invite(ann.email, [])).rejects.toMatchObject({
      code: 'invitation_refused',
      message: expect.stringContaining('an admin already'),
    });
  });

  test('a guessed, replaced, expired or withdrawn link does nothing and says why', async () => {
    const eve = await confirmedBuyer('Eve Expired');
    const { insertedId: _id } = await invite(eve.email, ['people']);
    const first = await tokenFor(eve.email);
    shop.mails.length = 0;
    expect(await invite(eve.email, ['money'])).toMatchObject({ insertedId: _id });
    const second = await tokenFor(eve.email);
    for (const forged of [first, 'A'.repeat(43)]) {
      await expect(read(forged)).rejects.toMatchObject({ code: 'not_found' });
      await expect(accept(eve, forged)).rejects.toMatchObject({ code: 'not_found' });
    }
    // The job of the first runs once more, or late.
    expect(await sentFor(_id, new Date(Date.now() + DAY_MS))).toEqual([]);
    await expect(read(second)).resolves.toMatchObject({ state: 'valid', offer: { areas: ['money'] } });
    await expect(read(`${second}x`)).rejects.toMatchObject({ code: 'invalid_input' });
    await shop.connection.pool.query('update staff_invitations set expires_at = now() where id = $1', [_id]);
    await expect(read(second)).resolves.toEqual({ state: 'expired', offer: null });
    await expect(accept(eve, second)).rejects.toMatchObject({
      message: expect.stringMatching(/expired.*invite you again/),
    });
    expect((await owner.client.call(contract.listStaff, {})).invitations[0]).toMatchObject({
      state: 'expired',
    });
    shop.mails.length = 0;
    await invite(eve.email, ['people']);
    const third = await tokenFor(eve.email);
    await owner.client.call(contract.withdrawInvitation, { params: { _id } });
    await expect(read(third)).resolves.toEqual({ state: 'withdrawn', offer: null });
    await expect(accept(eve, third)).rejects.toMatchObject({ code: 'invitation_refused' });
    await expect(owner.client.call(contract.withdrawInvitation, { params: { _id } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('with an account, the invitations to its address are removed; others some weeks after their end', async () => {
    const dan = await confirmedBuyer('Dan Deleting');
    await invite(dan.email, ['people']);
    await accept(dan, await tokenFor(dan.email));
    const { staffInvitations } = await dan.client.call(readOwnData, {});
    expect(staffInvitations).toMatchObject([{ email: dan.email, areas: ['people'] }]);
    expect(Object.keys(staffInvitations[0] ?? {})).not.toContain('token_sha256');
    await invite('long.ago@people.example', []);
    const { pool } = shop.connection;
    await pool.query(
      `update staff_invitations set expires_at = now() - interval '31 days' where email = 'long.ago@people.example'`,
    );
    const left = async () => {
      const { rows } = await pool.query('select email from staff_invitations where email = any ($1)', [
        [dan.email, 'long.ago@people.example'],
      ]);
      return rows.map(({ email }) => email);
    };
    expect(await shop.runTasks()).toEqual([]);
    expect(await left()).toEqual([dan.email]);
    await dan.client.call(deleteOwnAccount, { query: { email: dan.email } });
    expect(await left()).toEqual([]);
  });

  test('an address must be confirmed, and its account must not buy or sell', async () => {
    const una = await shop.buyer('Una Unconfirmed', { email_verified: false });
    await invite(una.email, ['people']);
    const token = await tokenFor(una.email);
    await expect(accept(una, token)).rejects.toMatchObject({
      message: expect.stringContaining('not confirmed'),
    });
    const confirmed = await signIn(una);
    const seller = await shop.seller();
    await shop.booking(confirmed, await shop.laptop(seller));
    await expect(accept(confirmed, token)).rejects.toMatchObject({
      code: 'invitation_refused',
      message: expect.stringMatching(/^Your account buys or sells here.* ask for a new one/),
    });
    for (const trader of [seller, confirmed]) {
      await expect(invite(trader.email, [])).rejects.toMatchObject({
        code: 'invitation_refused',
        message: expect.stringContaining('Invite another address'),
      });
    }
    await confirmed.client.call(deleteOwnAccount, { query: { email: confirmed.email } });
    await expect(read(token)).rejects.toMatchObject({
      message: expect.stringMatching(/deleted account.* ask an owner/),
    });
  });

  test('an invitation ends with its sender’s right to invite, and open ones are bounded', async () => {
    const other = await shop.admin();
    const ivo = await confirmedBuyer('Ivo Invited');
    const { insertedId: invitationId } = await other.client.call(contract.inviteStaff, {
      body: { email: ivo.email, isOwner: true, areas: [] },
    });
    const token = await tokenFor(ivo.email);
    const params = { _id: other.userId };
    await owner.client.call(contract.changeRights, { params, body: { isOwner: false, areas: ['people'] } });
    await expect(read(token)).resolves.toEqual({ state: 'withdrawn', offer: null });
    await expect(accept(ivo, token)).rejects.toMatchObject({ code: 'invitation_refused' });
    const { rows } = await shop.connection.pool.query(
      'select expires_at from staff_invitations where id = $1',
      [invitationId],
    );
    expect(await sentFor(invitationId, rows[0].expires_at)).toEqual([]);
    await shop.connection.pool.query(
      `insert into staff_invitations (email, is_owner, areas, invited_by, expires_at)
       select 'p' || i || '@people.example', false, '{}', $1, now() + interval '1 day'
         from generate_series(1, $2) as i`,
      [owner.userId, contract.MAXIMUM_INVITATIONS],
    );
    await expect(invite('one.more@people.example', [])).rejects.toMatchObject({
      code: 'invitation_refused',
      message: expect.stringContaining('Withdraw one first'),
    });
    const { invitations } = await owner.client.call(contract.listStaff, {});
    expect(invitations.find(({ email }) => email === ivo.email)).toMatchObject({ state: 'orphaned' });
    await expect(invite(ivo.email, ['people'])).resolves.toMatchObject({ insertedId: invitationId });
    await shop.connection.pool.query(`delete from staff_invitations where token_sha256 is null`);
  });
});

describe('owners', () => {
  test('nobody but an owner changes rights, invites, or decides who needs a second factor', async () => {
    const staff = await shop.admin('inspections', 'complaints', 'people', 'money', 'settings');
    const params = { _id: staff.userId };
    const body = { isOwner: true, areas: [] };
    const attempts = [
      () => staff.client.call(contract.changeRights, { params, body }),
      () => staff.client.call(contract.removeStaff, { params: { _id: owner.userId } }),
      () => staff.client.call(contract.listStaff, {}),
      () => staff.client.call(contract.inviteStaff, { body: { ...body, email: 'friend@people.example' } }),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        status: 403,
        message: expect.stringContaining('Only an owner'),
      });
    }
    const { version, settings } = await staff.client.call(readShopSettings, {});
    await expect(
      staff.client.call(saveShopSettings, {
        body: { version, settings: { ...settings, secondFactor: ['sellers'] } },
      }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
    await staff.client.call(saveShopSettings, { body: { version, settings: { ...settings, since: 2001 } } });
  });

  test('changes need a recent sign-in', async () => {
    const old = await signIn(await shop.admin(), { auth_time: Math.floor(Date.now() / 1000) - 3600 });
    await expect(invite('somebody@people.example', [], old)).rejects.toMatchObject({
      code: 'reauthentication_required',
    });
  });

  test('a right that is no right is refused', async () => {
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
    const staff = await shop.admin('people');
    for (const areas of [['owner'], ['people', 'people'], 'people', ['Money'], [null]]) {
      const response = await fetch(`${shop.origin}/api/staff/${staff.userId}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ isOwner: false, areas }),
      });
      expect(response.status).toBe(422);
    }
  });

  test('an admin with the right “Money” finds the actions about money in the audit trail, and no others', async () => {
    const staff = await shop.admin('money');
    await shop.connection.pool.query(
      `insert into audit_entries (act, subject, note) values ('Refund failed', 'A laptop', ''), ('Deleted buyer', 'Bea', '')`,
    );
    const entries = await staff.client.call(listAuditTrail, { query: {} });
    expect(entries.map(({ act }) => act)).toEqual(['Refund failed']);
    await expect(
      (await shop.admin('people')).client.call(listAuditTrail, { query: {} }),
    ).rejects.toMatchObject({
      status: 403,
    });
  });
});
