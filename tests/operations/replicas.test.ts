import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { advertiseLaptop, listAdvertisements, listCategory, readLaptop } from '#contract/catalogue.ts';
import type { Client } from '#contract/client.ts';
import { searchLaptops } from '#contract/search.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { migrateToLatest } from '#server/database/migrate.ts';
import { type PublicReader, type ReadSource, readFromReplica } from '#server/database/replica.ts';
import type { Person } from '#tests/harness/person.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '#tests/harness/replica.ts';
import { startTestShop, type TestShop } from '#tests/harness/shop.ts';
import { startTcpProxy, type TcpProxy } from '#tests/harness/tcp-proxy.ts';

let servers: ReplicatedPostgres;
let network: TcpProxy;
let shop: TestShop;
let seller: Person;
let reader: PublicReader;
let primary: Connection;
const sources: ReadSource[] = [];
const failures: unknown[] = [];
const returns = vi.fn();

beforeAll(async () => {
  servers = await startReplicatedPostgres((url) => migrateToLatest(url, () => undefined));
  network = await startTcpProxy(servers.replicaUrl);
  primary = connect(servers.primaryUrl, () => undefined);
  reader = readFromReplica({
    primary: primary.database,
    replicaUrl: network.url,
    connections: 5,
    onRead: (source) => sources.push(source),
    onAway: (error) => failures.push(error),
    onReturn: returns,
    onError: (error) => failures.push(error),
  });
  shop = await startTestShop({
    database: { url: servers.primaryUrl, drop: async () => undefined },
    dependencies: async () => ({ publicReader: reader, replicaUrl: servers.replicaUrl }),
  });
  seller = await shop.seller();
});

afterAll(async () => {
  await reader.close();
  await primary.close();
  await shop.close();
  await network.close();
  await servers.stop();
});

const untilFromReplica = () =>
  vi.waitFor(async () => {
    await reader.read((from) => from.selectFrom('brands').select('id').execute());
    expect(sources.at(-1)).toBe('replica');
  }, 60_000);

const namesOf = async (client: Client) =>
  (await client.call(listCategory, { params: { id: 'HP' }, query: {} })).map(({ name }) => name);

test('public lists are read from a replica that has caught up', async () => {
  await shop.laptop(seller, { name: 'Read elsewhere' });
  await untilFromReplica();
  expect(await namesOf(shop.visitor)).toContain('Read elsewhere');
});

test('a change shows at once while the replica is late, and stays', async ({ onTestFinished }) => {
  await untilFromReplica();
  await servers.pauseReplay();
  onTestFinished(servers.resumeReplay);
  const id = await shop.laptop(seller, { name: 'Newer than the replica' });
  for (let request = 0; request < 5; request += 1) {
    expect(await namesOf(shop.visitor)).toContain('Newer than the replica');
    expect(await namesOf(seller.client)).toContain('Newer than the replica');
  }
  expect(sources.at(-1)).toBe('primary');
  expect((await shop.visitor.call(readLaptop, { params: { _id: id } })).name).toBe('Newer than the replica');
  await seller.client.call(advertiseLaptop, { params: { _id: id } });
  const advertised = await shop.visitor.call(listAdvertisements, { query: {} });
  expect(advertised.map(({ _id }) => _id)).toContain(id);
  await vi.waitFor(async () => {
    const found = await shop.visitor.call(searchLaptops, { query: { q: 'newer than the replica' } });
    expect(found.laptops.map(({ _id }) => _id)).toEqual([id]);
  }, 60_000);
  expect(failures).toEqual([]);

  await servers.resumeReplay();
  await untilFromReplica();
  expect(await namesOf(shop.visitor)).toContain('Newer than the replica');
});

test('a refusal is not a failure of the replica', async () => {
  await untilFromReplica();
  const read = shop.visitor.call(listCategory, { params: { id: 'Nobody' }, query: {} });
  await expect(read).rejects.toMatchObject({ code: 'not_found' });
  expect(failures).toEqual([]);
});

let limit = 1;
test.each([
  ['that refuses connections', () => network.disconnect()],
  ['whose network drops packets', () => network.stall()],
])('a replica %s is left out, without an error, and used again when it is back', async (_name, fail) => {
  await untilFromReplica();
  returns.mockClear();
  sources.splice(0);
  fail();
  // No kept response answers, because each is another list.
  const read = () => {
    limit += 1;
    return shop.visitor.call(listCategory, { params: { id: 'HP' }, query: { limit } });
  };
  for (const list of await Promise.all([read(), read(), read(), read()])) expect(list).not.toEqual([]);
  expect(sources).toContain('primary');
  expect(failures.splice(0)).toHaveLength(1);
  network.reconnect();
  await vi.waitFor(() => expect(returns).toHaveBeenCalledOnce(), 60_000);
  await untilFromReplica();
  expect(failures).toEqual([]);
});

test('a replica that has become a server of its own is read no more', async () => {
  await untilFromReplica();
  await servers.promote();
  await shop.laptop(seller, { name: 'Unknown there' });
  expect(await namesOf(shop.visitor)).toContain('Unknown there');
  await vi.waitFor(async () => {
    await reader.read((from) => from.selectFrom('brands').select('id').execute());
    expect(failures.map(String)).toContainEqual(expect.stringContaining('not a replica'));
  }, 60_000);
  expect(sources.at(-1)).toBe('primary');
});
