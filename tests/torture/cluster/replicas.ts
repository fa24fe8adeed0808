import pg from 'pg';
import * as z from 'zod';
import { listCategory, listLaptop } from '#contract/catalogue.ts';
import { freePorts } from '#tests/harness/ports.ts';
import { startTcpProxy } from '#tests/harness/tcp-proxy.ts';
import { type Caller, register, uploadPicture } from '../callers.ts';
import type { Cluster } from './cluster.ts';
import type { Finding } from './report.ts';
import { prepareShop } from './shop.ts';

/** Laptops that are listed in each state of the replica. */
const ROUNDS = 40;

const Listed = z.object({ insertedId: z.string() });
const Category = z.array(z.object({ _id: z.string() }));

/** Lists a laptop and reads its category at once, on another connection, which any process may answer. */
async function listAndRead(
  origin: string,
  seller: Caller,
  image: string,
): Promise<'seen' | 'missed' | 'refused'> {
  const listed = await fetch(`${origin}/api${listLaptop.path}`, {
    method: listLaptop.method,
    headers: {
      authorization: `Bearer ${seller.token()}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({
      category_Id: 'Acer',
      name: 'TravelMate P6',
      location: 'Braga',
      image,
      description: 'Works.',
      original_price: 999,
      resale_price: 450,
      use_time: '1 year',
      mobile_number: '+351 912 345 678',
      condition: 'Good',
    }),
  });
  const { insertedId } = Listed.parse(await listed.json());
  const cookie = listed.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const answer = await fetch(`${origin}/api${listCategory.path.replace(':id', 'Acer')}`, {
    headers: { cookie, connection: 'close' },
  });
  if (!answer.ok) return 'refused';
  return Category.parse(await answer.json()).some(({ _id }) => _id === insertedId) ? 'seen' : 'missed';
}

/** HAProxy gives connections to the two standbys in turn; those of the shop are among them. */
const ENOUGH_CONNECTIONS = 6;

/** Runs a statement on each standby, perhaps more than once. */
async function onStandbys(url: string, statement: string): Promise<void> {
  for (let connection = 0; connection < ENOUGH_CONNECTIONS; connection += 1) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  }
}

/** Reads how many reads of all processes a replica has answered. */
async function readsOfReplica(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^coomercio_public_reads_total\{source="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Lists laptops while the replica is current, late, silent and gone. One's own laptop must be in the list at once. */
export async function tryReplicas(cluster: Cluster, print: (line: string) => void): Promise<Finding[]> {
  const { primaryUrl, replicaUrl } = await cluster.createDatabase('replicas');
  const proxy = await startTcpProxy(replicaUrl);
  const port = await freePorts(1);
  const counts = { seen: 0, missed: 0, refused: 0 };
  try {
    await using shop = await prepareShop({
      port,
      environment: { DATABASE_URL: primaryUrl, DATABASE_REPLICA_URL: proxy.url },
    });
    await shop.startServer(port, { PROCESSES: '2' });
    const seller = await register(shop, 'Seller');
    const image = await uploadPicture(seller, shop.origin);
    const read: string[] = [];
    const states: readonly (readonly [name: string, begin: () => Promise<void>, end: () => Promise<void>])[] =
      [
        ['current', async () => undefined, async () => undefined],
        [
          'late',
          () => onStandbys(replicaUrl, 'select pg_wal_replay_pause()'),
          () => onStandbys(replicaUrl, 'select pg_wal_replay_resume()'),
        ],
        ['silent', async () => proxy.stall(), async () => proxy.disconnect()],
        ['gone', async () => proxy.disconnect(), async () => proxy.reconnect()],
        ['back', async () => undefined, async () => undefined],
      ];
    for (const [name, begin, end] of states) {
      const before = await readsOfReplica(shop.origin);
      await begin();
      for (let round = 0; round < ROUNDS; round += 1)
        counts[await listAndRead(shop.origin, seller, image)] += 1;
      await end();
      read.push(`${name} ${(await readsOfReplica(shop.origin)) - before}`);
    }
    print(`Reads that the replica answered: ${read.join(', ')}.`);
    const total = counts.seen + counts.missed + counts.refused;
    return [
      {
        claim: 'One’s own laptop is in the list at once, at any process, whatever state the replica is in',
        seen: `${counts.seen} of ${total} lists; ${counts.refused} refused. Reads of the replica: ${read.join(', ')}`,
        holds: counts.seen === total,
      },
    ];
  } finally {
    await proxy.close();
  }
}
