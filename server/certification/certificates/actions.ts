import { decodeJwt } from 'jose';
import {
  type Certificate,
  type CertificateStatus,
  type CertificateVersion,
  Credential,
  MAXIMUM_VERSIONS,
} from '#contract/certification/certificates.ts';
import { findLaptop, laptopTag } from '#server/listings/catalogue/steps.ts';
import type { Row } from '#server/platform/database/tables.ts';
import { declareCacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type RenewalDependencies, renewIfNoted } from './renewal.ts';
import { findChanges } from './rules.ts';
import * as store from './store.ts';

type Version = Row<'certificate_versions'>;

const noCertificate = () =>
  new Refusal('not_found', 'This laptop has no certificate. It gets one when it is measured.');

const revocationOf = ({ revoked_at: at, revocation_reason: reason }: Version) =>
  at === null || reason === null ? null : { at: at.toISOString(), reason };

const statusOf = (row: Version): CertificateStatus => ({
  latestVersion: row.version,
  issuedAt: row.issued_at.toISOString(),
  revoked: revocationOf(row),
});

const credentialOf = ({ jws }: Pick<Version, 'jws'>) =>
  jws === null ? null : Credential.parse(decodeJwt(jws));

/**
 * Renews the certificate if its laptop has changed, and declares that the response shows the laptop.
 * @returns what makes a version one that may be shown: without its content while an admin has taken the listing down, whose words it has
 */
async function prepare(
  dependencies: RenewalDependencies,
  laptopId: string,
): Promise<(version: Version) => Version> {
  await renewIfNoted(dependencies, laptopId);
  declareCacheDependencies({ tags: [laptopTag(laptopId)], until: null });
  const laptop = await findLaptop(dependencies.database, laptopId);
  return (version) => (laptop?.state === 'taken_down' ? { ...version, jws: null } : version);
}

async function latest(dependencies: RenewalDependencies, laptopId: string): Promise<Version> {
  const toShown = await prepare(dependencies, laptopId);
  const row = await store.latest(dependencies.database, laptopId);
  if (row === undefined) throw noCertificate();
  return toShown(row);
}

/** The latest version of a laptop's certificate. @throws Refusal without one */
export async function readCertificate(
  dependencies: RenewalDependencies,
  laptopId: string,
): Promise<Certificate> {
  const row = await latest(dependencies, laptopId);
  return { _id: laptopId, status: statusOf(row), jws: row.jws, credential: credentialOf(row) };
}

/** The status of a laptop's certificate. @throws Refusal without one */
export async function readCertificateStatus(
  dependencies: RenewalDependencies,
  laptopId: string,
): Promise<CertificateStatus> {
  return statusOf(await latest(dependencies, laptopId));
}

/** The latest {@link MAXIMUM_VERSIONS} versions, newest first, and the number of all. @throws Refusal without any */
export async function listVersions(
  dependencies: RenewalDependencies,
  laptopId: string,
): Promise<{ versions: CertificateVersion[]; total: number }> {
  const toShown = await prepare(dependencies, laptopId);
  const rows = (await store.versions(dependencies.database, laptopId)).map(toShown);
  const [newest] = rows;
  if (newest === undefined) throw noCertificate();
  const contents = rows.map((row) => credentialOf(row)?.credentialSubject.certificate ?? null);
  const versions = rows.slice(0, MAXIMUM_VERSIONS).map((row, at) => {
    const content = contents[at] ?? null;
    const before = contents[at + 1] ?? null;
    return {
      version: row.version,
      issuedAt: row.issued_at.toISOString(),
      revoked: revocationOf(row),
      level: content?.level ?? null,
      measuredAt: content?.measuredAt ?? null,
      changes: content === null || before === null ? [] : findChanges(before.claims, content.claims),
    };
  });
  return { versions, total: newest.version };
}
