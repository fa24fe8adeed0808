import { beforeAll, expect, test } from 'vitest';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { removeStaff } from '#contract/operations/staff.ts';
import {
  approveName,
  deleteSeller,
  listSellers,
  listWaitingNames,
  refuseName,
  verifySeller,
} from '#contract/operations/user-admin.ts';
import { addRole, readOwnName, registerUser, renameUser, withdrawName } from '#contract/people/accounts.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { listNotifications } from '#contract/people/notifications.ts';
import { recordSellerCheck, takeBadgeBack } from '#contract/people/seller-checks.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { makeAdmin } from './command-line.ts';

let shop: SharedShop;
let admin: Person;
let otherAdmin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
  otherAdmin = await shop.admin();
});

const rename = (person: Person, name: string) => person.client.call(renameUser, { body: { name } });
const verify = ({ email, name }: Pick<Person, 'email' | 'name'>) =>
  admin.client.call(verifySeller, { params: { email }, query: { name } });
const seeIdentity = ({ email, name }: Pick<Person, 'email' | 'name'>) =>
  admin.client.call(recordSellerCheck, {
    params: { email },
    body: {
      ...{ document: 'identity', kind: 'Passport', seen: 'In person', name },
      day: new Date().toISOString().slice(0, 10),
    },
  });
const waitingOf = async ({ userId }: Person) => {
  const names = await everyPage((from) => admin.client.page(listWaitingNames, { query: from }));
  return names.filter(({ sellerId }) => sellerId === userId);
};
const idOfWaiting = async (person: Person) => (await waitingOf(person))[0]?._id ?? 'none';
const approve = (_id: string, by = admin) => by.client.call(approveName, { params: { _id } });
const refuse = (_id: string, by = admin) =>
  by.client.call(refuseName, { params: { _id }, body: { reason: 'The passport says otherwise.' } });
const nameOf = async (person: Person) => (await person.client.call(readOwnName, {})).name;
const auditOf = async (person: Person) =>
  (await admin.client.call(listAuditTrail, { query: {} }))
    .filter(({ subject }) => subject.endsWith(person.email))
    .map(({ act, note }) => [act, note]);
const titlesTo = async (person: Person) => {
  await waitForEmptyQueue(shop.connection.pool);
  return (await person.client.call(listNotifications, { query: {} })).map(({ title }) => title);
};

/** A seller who is verified and whose passport was seen. */
async function checkedSeller(name = 'Paulo Pinto'): Promise<Person> {
  const seller = await shop.seller(name);
  await seeIdentity(seller);
  await verify(seller);
  return seller;
}

test('the badge and the identity check survive no rename: the name of a checked seller stays until an admin approves', async () => {
  const seller = await checkedSeller();
  const laptop = { params: { _id: await shop.laptop(seller) } };
  const shown = async () => {
    const { sellers_name, sellerVerified, seller_checks } = await shop.visitor.call(readLaptop, laptop);
    return { name: sellers_name, verified: sellerVerified, identity: seller_checks?.identity !== null };
  };
  const checked = { name: 'Paulo Pinto', verified: true, identity: true };
  expect(await shown()).toEqual(checked);

  for (const name of ['Coomercio Official Store', 'Mаrta Lindqvist']) {
    await expect(rename(seller, name)).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { name: expect.any(String) },
    });
  }
  expect(await waitingOf(seller)).toEqual([]);

  await expect(rename(seller, 'Marta Lindqvist')).resolves.toMatchObject({ modifiedCount: 0, waits: true });
  expect(await shown()).toEqual(checked);
  const { waiting, ...rest } = await seller.client.call(readOwnName, {});
  expect(rest).toEqual({ name: 'Paulo Pinto', isChecked: true });
  expect(waiting?.name).toBe('Marta Lindqvist');
  expect((await seller.client.call(readOwnData, {})).waitingNames).toMatchObject([
    { name: 'Marta Lindqvist' },
  ]);
  // Nothing else of the account waits.
  await shop.laptop(seller);

  await refuse(await idOfWaiting(seller));
  expect(await shown()).toEqual(checked);
  expect(await waitingOf(seller)).toEqual([]);

  await rename(seller, 'Paulo Pinto Silva');
  await approve(await idOfWaiting(seller));
  expect(await shown()).toEqual({ ...checked, name: 'Paulo Pinto Silva' });
  expect(await titlesTo(seller)).toEqual(['Your new name was approved', 'Your new name was not approved']);
  expect(shop.mails.filter(({ to }) => to === seller.email).map(({ text }) => text)).toContainEqual(
    expect.stringContaining('Our reason: The passport says otherwise.'),
  );
  expect((await auditOf(seller)).slice(0, 2)).toEqual([
    ['Approved name', ''],
    ['Refused name', 'The passport says otherwise.'],
  ]);
});

test('a person of whom nothing was checked is renamed at once', async () => {
  for (const person of [await shop.seller('Una Unverified'), await shop.buyer('Bea Buyer')]) {
    await expect(rename(person, 'Rena Renamed')).resolves.toEqual({ acknowledged: true, modifiedCount: 1 });
    expect(await person.client.call(readOwnName, {})).toEqual({
      name: 'Rena Renamed',
      isChecked: false,
      waiting: null,
    });
  }
});

test('a waiting name is replaced by a later one, and can be withdrawn', async () => {
  const seller = await checkedSeller();
  await rename(seller, 'Paulo One');
  const first = await idOfWaiting(seller);
  await rename(seller, 'Paulo Two');
  expect(await waitingOf(seller)).toMatchObject([
    { name: 'Paulo Pinto', newName: 'Paulo Two', status: true },
  ]);
  // The admin's page still shows the first one.
  await expect(approve(first)).rejects.toMatchObject({ code: 'changed_elsewhere' });
  expect(await nameOf(seller)).toBe('Paulo Pinto');

  const second = await idOfWaiting(seller);
  const withdraw = () => seller.client.call(withdrawName, {});
  expect((await withdraw()).deletedCount).toBe(1);
  expect((await withdraw()).deletedCount).toBe(0);
  await expect(approve(second)).rejects.toMatchObject({ code: 'changed_elsewhere' });
  await expect(refuse(second)).rejects.toMatchObject({ code: 'changed_elsewhere' });
  expect(await nameOf(seller)).toBe('Paulo Pinto');
});

test('of two decisions, or a decision and a withdrawal or another name, at the same instant one happens', async () => {
  const seller = await checkedSeller();
  for (let round = 0; round < 4; round += 1) {
    for (const other of [
      (id: string) => refuse(id, otherAdmin),
      (id: string) => approve(id, otherAdmin),
      () => seller.client.call(withdrawName, {}),
      () => rename(seller, `Later ${round}`),
    ]) {
      const before = await nameOf(seller);
      const [asked, decisions] = [`Asked ${round}${before.length}`, (await auditOf(seller)).length];
      await rename(seller, asked);
      const id = await idOfWaiting(seller);
      const acts = [() => approve(id), () => other(id)];
      if (round % 2 === 1) acts.reverse();
      await Promise.allSettled(acts.map((act) => act()));
      const decided = (await auditOf(seller)).slice(0, -decisions).map(([act]) => act);
      // One decision at most, and the name is what it says.
      expect(decided.length).toBeLessThanOrEqual(1);
      expect(await nameOf(seller)).toBe(decided[0] === 'Approved name' ? asked : before);
      const left = (await waitingOf(seller)).map(({ newName }) => newName);
      expect(left).not.toContain(asked);
      await seller.client.call(withdrawName, {});
    }
  }
});

test('a seller who renames while an admin looks at the list gets no badge for the new name', async () => {
  const seller = await shop.seller('Paulo Pinto');
  await rename(seller, 'Marta Lindqvist');
  for (const act of [verify, seeIdentity]) {
    await expect(act(seller)).rejects.toMatchObject({ code: 'changed_elsewhere' });
  }
  const [listed] = await admin.client.call(listSellers, { query: { search: seller.email } });
  expect(listed).toMatchObject({ status: false, checks: { identity: null }, name: 'Marta Lindqvist' });
  expect(await auditOf(seller)).toEqual([]);
});

test('a rename and a verification at the same instant leave no badge on a name that nobody looked at', async () => {
  for (let round = 0; round < 6; round += 1) {
    const seller = await shop.seller('Paulo Pinto');
    const acts = [() => verify(seller), () => rename(seller, 'Marta Lindqvist')];
    if (round % 2 === 1) acts.reverse();
    await Promise.allSettled(acts.map((act) => act()));
    const [listed] = await admin.client.call(listSellers, { query: { search: seller.email } });
    expect([
      ['Paulo Pinto', true],
      ['Marta Lindqvist', false],
    ]).toContainEqual([listed?.name, listed?.status]);
  }
});

test('badges are taken back with a reason, which the seller and the audit trail get', async () => {
  const seller = await checkedSeller('Tara Taken');
  const laptop = { params: { _id: await shop.laptop(seller) } };
  const reason = 'The document was somebody else’s.';
  const takeBack = (badge: 'verified' | 'address' | 'identity') =>
    admin.client.call(takeBadgeBack, { params: { email: seller.email, badge }, body: { reason } });
  expect((await takeBack('identity')).modifiedCount).toBe(1);
  expect(await shop.visitor.call(readLaptop, laptop)).toMatchObject({
    sellerVerified: true,
    seller_checks: { identity: null },
  });
  expect((await takeBack('verified')).modifiedCount).toBe(1);
  expect(await shop.visitor.call(readLaptop, laptop)).toMatchObject({
    sellerVerified: false,
    seller_checks: null,
  });
  // A retry after a lost answer, and a badge that the seller never had.
  expect((await takeBack('verified')).modifiedCount).toBe(0);
  expect((await takeBack('address')).modifiedCount).toBe(0);
  expect((await auditOf(seller)).slice(0, 2)).toEqual([
    ['Took badge back', `Verified Seller. ${reason}`],
    ['Took badge back', `Identity document. ${reason}`],
  ]);
  expect(await titlesTo(seller)).toEqual([
    'Your verification was taken back',
    'A check of yours was taken back',
  ]);
  const { account } = await seller.client.call(readOwnData, {});
  expect(account).toMatchObject({ verified: false, identity_checked_at: null, identity_document: null });
  await expect(
    admin.client.call(takeBadgeBack, {
      params: { email: 'nobody@people.example', badge: 'verified' },
      body: { reason },
    }),
  ).rejects.toMatchObject({ code: 'not_found' });
  // Nothing of the seller is checked any more.
  await expect(rename(seller, 'Tara Tan')).resolves.toMatchObject({ modifiedCount: 1 });
});

test('a name that waits applies when the last badge is taken back', async () => {
  const seller = await checkedSeller();
  await rename(seller, 'Paulo Waiting');
  for (const badge of ['identity', 'verified'] as const) {
    expect(await nameOf(seller)).toBe('Paulo Pinto');
    await admin.client.call(takeBadgeBack, {
      params: { email: seller.email, badge },
      body: { reason: 'The document was somebody else’s.' },
    });
  }
  expect(await nameOf(seller)).toBe('Paulo Waiting');
  expect(await waitingOf(seller)).toEqual([]);
});

test('a seller who becomes an admin loses all badges and gets the name that waits, and sells again without them', async () => {
  const seller = await checkedSeller();
  await rename(seller, 'Paulo Promoted');
  await makeAdmin(shop.connection.database, seller.email, { unproven: true });
  expect(await waitingOf(seller)).toEqual([]);
  const unchecked = { name: 'Paulo Promoted', isChecked: false, waiting: null };
  expect(await seller.client.call(readOwnName, {})).toEqual(unchecked);
  await admin.client.call(removeStaff, { params: { _id: seller.userId } });
  await seller.client.call(addRole, { body: { role: 'Seller' } });
  expect(await seller.client.call(readOwnName, {})).toEqual(unchecked);
});

test('a waiting name goes with its account', async () => {
  const seller = await checkedSeller();
  await rename(seller, 'Paulo Gone');
  const id = await idOfWaiting(seller);
  await admin.client.call(deleteSeller, { params: { _id: seller.userId } });
  expect(await waitingOf(seller)).toEqual([]);
  await expect(approve(id)).rejects.toMatchObject({ code: 'changed_elsewhere' });
});

test('a name that pretends to be the shop, or mixes scripts, is refused at registration; a known user keeps theirs', async () => {
  const email = 'paulo.from.google@people.example';
  const client = shop.client(await shop.issuer.idToken(email, { name: 'Coomercio Support' }));
  const register = (name: string) =>
    client.call(registerUser, { body: { name, email, role: 'Buyer', status: false } });
  for (const name of ['Coomercio Support', 'С00mercio', 'Pаulo', 'Official Support']) {
    await expect(register(name)).rejects.toMatchObject({ errors: { name: expect.any(String) } });
  }
  expect(await register('Paulo')).toMatchObject({ acknowledged: true });
  // Each sign-in with Google registers again, with the name that Google has.
  expect(await register('Coomercio Support')).toMatchObject({ acknowledged: false });
});
