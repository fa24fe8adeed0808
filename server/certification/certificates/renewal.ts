import { createHash } from 'node:crypto';
import type { BrowserCheck } from '#contract/certification/browser-checks.ts';
import { type CertifiedContent, Credential } from '#contract/certification/certificates.ts';
import { measuredSystems } from '#contract/certification/inspections.ts';
import { isInspected } from '#contract/listings/levels.ts';
import { type LaptopRow, selectLaptopForUpdate } from '#server/listings/catalogue/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Row, Transaction } from '#server/platform/database/tables.ts';
import { countedMeasurement, latestCheck, latestInspection, listingFacts } from '../inspections/steps.ts';
import { claimsOf } from './claims.ts';
import * as keyStore from './key-store.ts';
import { type CertificateSecrets, openSigner, type Signer } from './keys.ts';
import { decideRenewal, endedReason, findRefusal, toCredential } from './rules.ts';
import * as store from './store.ts';

export interface RenewalDependencies extends Pick<Context, 'database' | 'origin' | 'shop'> {
  /** The secrets from which the private keys are derived. */
  certificateSecrets: CertificateSecrets;
}

/** What a certificate of this laptop says now. */
function contentOf(
  laptop: LaptopRow,
  measurement: Row<'measurements'>,
  latest: Row<'inspections'> | undefined,
  browserCheck: BrowserCheck | null,
): CertifiedContent {
  // A check that clearly differs from the measurement may come from another machine.
  const check = browserCheck?.implausibilities.length === 0 ? browserCheck : null;
  const inspection = isInspected(laptop.level) && latest !== undefined ? latest : null;
  return {
    level: laptop.level === 'word' ? 'measured' : laptop.level,
    measuredAt: measurement.measured_at.toISOString(),
    measuredWith: measuredSystems[measurement.measured_with],
    testedAt: check?.checkedAt ?? null,
    inspectedAt: inspection?.inspected_at.toISOString() ?? null,
    claims: claimsOf(
      { name: laptop.name, brand: laptop.brand, ...listingFacts(laptop) },
      measurement.machine,
      check?.results ?? [],
      inspection,
    ),
  };
}

async function issue(
  transaction: Transaction,
  { origin, shop }: Pick<RenewalDependencies, 'origin' | 'shop'>,
  signer: Signer,
  laptop: LaptopRow,
  next: { version: number; content: CertifiedContent; contentSha256: string },
): Promise<void> {
  const issuedAt = new Date();
  const credential = toCredential({
    origin,
    shopName: shop().name,
    laptopId: laptop.id,
    laptopName: laptop.name,
    version: next.version,
    issuedAt,
    content: next.content,
  });
  await store.insert(transaction, {
    laptop_id: laptop.id,
    version: next.version,
    issued_at: issuedAt,
    kid: signer.kid,
    content_sha256: next.contentSha256,
    jws: await signer.sign(Credential.parse(credential)),
  });
}

/**
 * Issues or revokes a certificate if its laptop has changed. The laptop's row is locked first: whatever changes what a
 * certificate says locks it too, at least by a foreign key, before its trigger notes the laptop.
 * @returns false when the signer's key was retired meanwhile, and nothing was done
 */
function renewWith(
  { database, ...dependencies }: RenewalDependencies,
  signer: Signer,
  laptopId: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if (!(await keyStore.selectForShare(transaction, signer.kid))) return false;
    const laptop = await selectLaptopForUpdate(transaction, laptopId);
    if (laptop === undefined || !(await store.takeNote(transaction, laptopId))) return true;
    const measurement = await countedMeasurement(transaction, laptop);
    if (measurement === undefined) {
      // What a certificate says was measured before. Without any measurement there is none.
      if (laptop.state !== 'sold') await store.revoke(transaction, laptopId, endedReason(laptop));
      return true;
    }
    const content = contentOf(
      laptop,
      measurement,
      await latestInspection(transaction, laptopId),
      await latestCheck(transaction, laptop),
    );
    const contentSha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex');
    const latest = await store.latestWithKey(transaction, laptopId);
    const refusal = findRefusal(laptop, measurement.machine.locks);
    const renewal = decideRenewal(refusal, contentSha256, latest);
    if (renewal === 'revoke' && refusal !== null) await store.revoke(transaction, laptopId, refusal);
    if (renewal === 'issue') {
      const version = (latest?.version ?? 0) + 1;
      await issue(transaction, dependencies, signer, laptop, { version, content, contentSha256 });
    }
    return true;
  });
}

/** Renews the certificate of a laptop that was noted. */
async function renew(dependencies: RenewalDependencies, laptopId: string): Promise<void> {
  const { database, certificateSecrets } = dependencies;
  // A key that is rotated at this moment is replaced by one that is not.
  while (!(await renewWith(dependencies, await openSigner(database, certificateSecrets), laptopId)));
}

/** Renews a laptop's certificate before it is read, if the laptop has changed. */
export async function renewIfNoted(dependencies: RenewalDependencies, laptopId: string): Promise<void> {
  if (await store.isNoted(dependencies.database, laptopId)) await renew(dependencies, laptopId);
}

/** Laptops that are read at once. */
const BATCH_LAPTOPS = 100;

/**
 * Renews the certificates of all laptops that were noted. Several processes may do it at once: each laptop's second
 * renewal finds no note.
 * @param onError called for a laptop whose renewal failed; it stays noted
 */
export async function renewAll(
  dependencies: RenewalDependencies,
  signal: AbortSignal,
  onError: (error: unknown, laptopId: string) => void,
): Promise<void> {
  const failed = new Set<string>();
  for (;;) {
    const noted = await store.noted(dependencies.database, BATCH_LAPTOPS + failed.size);
    const due = noted.filter((laptopId) => !failed.has(laptopId));
    if (due.length === 0) return;
    for (const laptopId of due) {
      signal.throwIfAborted();
      try {
        await renew(dependencies, laptopId);
      } catch (error) {
        failed.add(laptopId);
        onError(error, laptopId);
      }
    }
  }
}
