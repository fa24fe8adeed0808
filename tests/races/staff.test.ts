import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import {
  acceptInvitation,
  changeRights,
  inviteStaff,
  listStaff,
  removeStaff,
} from '#contract/operations/staff.ts';
import { Problem } from '#contract/platform/client.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForBlocked } from '#tests/harness/platform/held-locks.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

const countOwners = async (): Promise<number> => {
  const { rows } = await shop.connection.pool.query(
    'select count(*)::int as owners from users where is_owner and ended_at is null',
  );
  return rows[0].owners;
};

/** Two owners, and no others. */
async function twoOwners(): Promise<[Person, Person]> {
  const owners: [Person, Person] = [await shop.admin(), await shop.admin()];
  await shop.connection.pool.query(`update users set is_owner = false where is_owner and id <> all ($1)`, [
    owners.map(({ userId }) => userId),
  ]);
  return owners;
}

/** What one owner does to another, or to themselves. */
const ends: readonly [name: string, end: (by: Person, whom: Person) => Promise<unknown>][] = [
  ['removed', (by, whom) => by.client.call(removeStaff, { params: { _id: whom.userId } })],
  [
    'made no owner',
    (by, whom) =>
      by.client.call(changeRights, { params: { _id: whom.userId }, body: { isOwner: false, areas: [] } }),
  ],
  ['deleted', (_by, whom) => whom.client.call(deleteOwnAccount, { query: { email: whom.email } })],
];

const pairs = ends.flatMap((first) =>
  ends.map((second) => [first[0], second[0], first[1], second[1]] as const),
);

test.each(pairs)(
  'of two owners, one being %s while the other is %s, one stays',
  async (_a, _b, first, second) => {
    const [ann, bob] = await twoOwners();
    const outcomes = await Promise.allSettled([first(ann, bob), second(bob, ann)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await countOwners()).toBe(1);
    const reason = outcomes.find((outcome) => outcome.status === 'rejected')?.reason;
    expect([403, 409]).toContain(reason.status);
  },
);

test('the database refuses what would leave admins without an owner, also at the same moment', async () => {
  const [ann, bob] = await twoOwners();
  const { pool } = shop.connection;
  const [first, second] = [await pool.connect(), await pool.connect()];
  try {
    for (const [client, { userId }] of [
      [first, ann],
      [second, bob],
    ] as const) {
      await client.query('begin');
      await client.query('update users set is_owner = false where id = $1', [userId]);
    }
    await first.query('set constraints all immediate');
    const refused = expect(second.query('set constraints all immediate')).rejects.toThrow('needs an owner');
    await waitForBlocked(shop, 1);
    await first.query('commit');
    await refused;
  } finally {
    await Promise.all([first.query('rollback'), second.query('rollback')]);
    first.release();
    second.release();
  }
  expect(await countOwners()).toBe(1);
  await expect(pool.query('update users set ended_at = now() where is_owner')).rejects.toThrow(
    'needs an owner',
  );
  await expect(
    pool.query(`update users set is_owner = true, areas = '{money}' where id = $1`, [ann.userId]),
  ).rejects.toThrow('rights_of_admins');
  const buyer = await shop.buyer();
  for (const rights of [`areas = '{money}'`, 'is_owner = true', `areas = '{everything}'`]) {
    await expect(pool.query(`update users set ${rights} where id = $1`, [buyer.userId])).rejects.toThrow(
      'constraint',
    );
  }
});

test('an owner who is removed meanwhile invites nobody, and an invitation of theirs makes nobody an admin', async () => {
  const [ann, bob] = await twoOwners();
  const friend = await shop.buyer('Fay Friend', { email_verified: true });
  const body = { email: friend.email, isOwner: true, areas: [] };
  await ann.client.call(inviteStaff, { body });
  const find = () => shop.mails.findLast(({ to }) => to === friend.email);
  await expect.poll(find).toBeDefined();
  const [, token = ''] = /#([\w-]{43})/.exec(find()?.text ?? '') ?? [];
  const [removal, acceptance] = await Promise.allSettled([
    bob.client.call(removeStaff, { params: { _id: ann.userId } }),
    friend.client.call(acceptInvitation, { body: { token } }),
  ]);
  expect(removal.status).toBe('fulfilled');
  const { members } = await bob.client.call(listStaff, {});
  expect(members.some(({ email }) => email === friend.email)).toBe(acceptance.status === 'fulfilled');
  await expect(
    ann.client.call(inviteStaff, { body: { ...body, email: 'another@people.example' } }),
  ).rejects.toMatchObject({ status: 403 });
});

test('an owner whose right is taken away while a change of theirs waits changes nothing', async () => {
  const [ann] = await twoOwners();
  const client = await shop.connection.pool.connect();
  try {
    await client.query('begin');
    await client.query('update users set is_owner = false where id = $1', [ann.userId]);
    const body = { email: 'accomplice@people.example', isOwner: true, areas: [] };
    const refused = expect(ann.client.call(inviteStaff, { body })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('no longer an owner'),
    });
    await waitForBlocked(shop, 1);
    await client.query('commit');
    await refused;
  } finally {
    client.release();
  }
});

test('a buyer who becomes an admin meanwhile books nothing', async () => {
  const [laptop, friend] = [await shop.laptop(await shop.seller()), await shop.buyer()];
  const { pool } = shop.connection;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('update users set is_buyer = false, is_admin = true where id = $1', [friend.userId]);
    const booked = shop.booking(friend, laptop).then(
      () => null,
      (error: unknown) => error,
    );
    await waitForBlocked(shop, 1);
    await client.query('commit');
    const refusal = await booked;
    expect(refusal instanceof Problem && refusal.code).toBe('not_allowed');
  } finally {
    client.release();
  }
  const { rows } = await pool.query('select id from bookings where buyer_id = $1', [friend.userId]);
  expect(rows).toEqual([]);
});
