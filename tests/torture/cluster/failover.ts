import { setTimeout as pause } from 'node:timers/promises';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { type Audit, AuditError, openAudit } from '../audit.ts';
import { register, uploadPicture } from '../callers.ts';
import { createLoad, type Load } from '../load.ts';
import type { LoadedShop } from '../shop.ts';
import { type Cluster, waitUntil } from './cluster.ts';
import { type Prober, probeReads, probeWrites } from './prober.ts';
import type { Finding } from './report.ts';
import { prepareShop } from './shop.ts';

/** Writes must succeed again within this time after the primary was killed, in milliseconds. */
const WRITES_BACK_WITHIN_MS = 15_000;

/** How long the load runs before and after each fault, in milliseconds. */
const LOAD_MS = 4_000;

const RECOVERY_TIMEOUT_MS = 90_000;

const ETCD_GONE_MS = 20_000;

/** Lists a laptop that nobody of the load buys, and starts the probers. */
export async function startProbers(shop: LoadedShop): Promise<{ writes: Prober; reads: Prober }> {
  const [seller, buyer] = [await register(shop, 'Seller'), await register(shop, 'Buyer')];
  const { insertedId } = await seller.client.call(listLaptop, {
    body: {
      category_Id: 'Dell',
      name: 'Latitude 7420',
      location: 'Porto',
      image: await uploadPicture(seller, shop.origin),
      description: 'Works.',
      original_price: 999,
      resale_price: 450,
      use_time: '1 year',
      mobile_number: '+351 912 345 678',
      condition: 'Good',
    },
  });
  return {
    writes: probeWrites(shop.origin, buyer, insertedId),
    reads: probeReads(shop.origin, [
      '/api/category/Dell',
      '/',
      '/laptops?q=latitude',
      `/laptop/${insertedId}`,
    ]),
  };
}

/** Stops the load and compares the shop with what it has confirmed. @returns what is missing or inconsistent, or null */
async function findLoss(load: Load, audit: Audit): Promise<string | null> {
  await load.stop();
  try {
    await audit.waitUntilConsistent(RECOVERY_TIMEOUT_MS);
    await audit.requireConfirmedData(load.acknowledged);
    return null;
  } catch (error) {
    if (error instanceof AuditError) return error.message;
    throw error;
  }
}

const seenOf = (losses: readonly string[], otherwise: string) =>
  losses.length === 0 ? otherwise : losses.join('; ').slice(0, 500);

/**
 * Kills the primary outright under a load of bookings and payments, again and again, and cuts etcd off once.
 * @param count how many primaries are killed; each comes back before the next one
 * @throws Error when the cluster does not recover
 */
export async function tryFailovers(
  cluster: Cluster,
  count: number,
  print: (line: string) => void,
): Promise<Finding[]> {
  const primaryUrl = await cluster.createDatabase('failover');
  const port = await freePorts(1);
  await using shop = await prepareShop({ port, environment: { DATABASE_URL: primaryUrl } });
  await shop.startServer(port);
  const audit = openAudit(shop);
  const load = await createLoad(shop, audit.stripe);
  const probers = await startProbers(shop);
  const all = [probers.writes, probers.reads];
  const backAfter: number[] = [];
  const losses: string[] = [];
  try {
    for (let round = 1; round <= count; round += 1) {
      load.start();
      await pause(LOAD_MS);
      const killed = await cluster.killPrimary();
      const killedAt = Date.now();
      await waitUntil(
        'a write succeeds again',
        60_000,
        async () => probers.writes.firstDoneAfter(killedAt) !== null,
      );
      const backMs = (probers.writes.firstDoneAfter(killedAt) ?? 0) - killedAt;
      backAfter.push(backMs);
      await pause(LOAD_MS);
      const loss = await findLoss(load, audit);
      if (loss !== null) losses.push(loss);
      print(
        `Primary ${killed} killed (${round} of ${count}): writes back after ${(backMs / 1000).toFixed(1)} s, ${loss ?? 'nothing lost'}.`,
      );
      await cluster.rejoin(killed);
    }
    const refusedBefore = probers.writes.refused();
    load.start();
    const thaw = cluster.freezeEtcd();
    await pause(ETCD_GONE_MS);
    thaw();
    await pause(LOAD_MS);
    const lossWithoutEtcd = await findLoss(load, audit);
    const refusedWithoutEtcd = probers.writes.refused() - refusedBefore;
    print(
      `etcd gone for ${ETCD_GONE_MS / 1000} s: ${refusedWithoutEtcd} writes refused, ${lossWithoutEtcd ?? 'nothing lost'}.`,
    );
    const longest = Math.max(...backAfter);
    const wrong = all.flatMap((prober) => prober.wrong);
    for (const line of [...wrong, ...load.unexpected].slice(0, 10)) print(`  ${line.slice(0, 300)}`);
    return [
      {
        claim: `Writes are back within ${WRITES_BACK_WITHIN_MS / 1000} s of each of ${count} killed primaries`,
        seen: `after ${(Math.min(...backAfter) / 1000).toFixed(1)} to ${(longest / 1000).toFixed(1)} s`,
        holds: longest <= WRITES_BACK_WITHIN_MS,
      },
      {
        claim: 'No confirmed act is lost; the statements about money hold',
        seen: seenOf(
          losses,
          `${load.acknowledged.bookings.length} bookings, ${load.acknowledged.payments.length} payments and ${load.acknowledged.laptops.length} laptops confirmed, all there`,
        ),
        holds: losses.length === 0,
      },
      {
        claim: 'Every answer meanwhile is a success or a 503 with Retry-After',
        seen: `${all.reduce((sum, { done }) => sum + done(), 0)} successes, ${all.reduce((sum, { refused }) => sum + refused(), 0)} times 503, ${wrong.length + load.unexpected.length} others`,
        holds: wrong.length + load.unexpected.length === 0,
      },
      {
        claim: `While etcd is gone for ${ETCD_GONE_MS / 1000} s (with failsafe_mode), no write is refused and nothing is lost`,
        seen: lossWithoutEtcd ?? `${refusedWithoutEtcd} writes refused`,
        holds: lossWithoutEtcd === null && refusedWithoutEtcd === 0,
      },
    ];
  } finally {
    for (const prober of all) await prober.stop();
    await load.stop();
    await audit.close();
  }
}
