import {
  type CertifiedContent,
  type Claim,
  type ClaimChange,
  type Credential,
  claimWords,
  type RevocationReason,
} from '#contract/certification/certificates.ts';
import type { Machine } from '#contract/certification/machine.ts';
import type { EvidenceEnd } from '#contract/listings/levels.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** What of a laptop decides whether its certificate holds. */
export type CertifiedLaptop = Pick<Row<'laptops'>, 'state' | 'level'>;

/**
 * Why a laptop's certificate does not hold.
 * @param locks what its latest measurement found
 * @returns null when it holds
 */
export function findRefusal(
  { state, level }: CertifiedLaptop,
  locks: Machine['locks'],
): RevocationReason | null {
  if (state === 'taken_down') return 'taken_down';
  if (state === 'withdrawn') return 'withdrawn';
  if (state === 'blocked' || Object.values(locks).includes('locked')) return 'lock_found';
  return level === 'word' ? 'contradicted' : null;
}

/** Why the certificate of an unsold laptop does not hold that has no measurement any more that counts. */
export const endedReason = ({
  state,
  evidence_ended: ended,
}: Pick<CertifiedLaptop, 'state'> & { evidence_ended: EvidenceEnd | null }): RevocationReason =>
  state === 'taken_down' ? 'taken_down' : ended === 'returned' ? 'returned' : 'withdrawn';

/** The latest version of a certificate, as far as the next one depends on it. */
export interface LatestVersion {
  content_sha256: string;
  revoked_at: Date | null;
  /** Whether the key of its signature was revoked. */
  is_key_revoked: boolean;
}

/** What is done about a certificate whose laptop may have changed. */
export type Renewal = 'issue' | 'revoke' | 'keep';

/**
 * Decides what becomes of a certificate. That of a sold laptop holds as of its date: nothing that happens later changes its level or
 * its measurement, so that a refusal to it is from before the sale.
 * @param contentSha256 the hash of what it would say now
 */
export function decideRenewal(
  refusal: RevocationReason | null,
  contentSha256: string,
  latest: LatestVersion | undefined,
): Renewal {
  const isValid = latest?.revoked_at === null;
  if (refusal !== null) return isValid ? 'revoke' : 'keep';
  return isValid && !latest.is_key_revoked && latest.content_sha256 === contentSha256 ? 'keep' : 'issue';
}

export interface CertificateToIssue {
  /** The shop's origin. */
  origin: string;
  /** Its name at the issue. */
  shopName: string;
  laptopId: string;
  laptopName: string;
  version: number;
  issuedAt: Date;
  content: CertifiedContent;
}

/** The payload of a certificate. */
export function toCredential(certificate: CertificateToIssue): Credential {
  const { origin, shopName, laptopId, laptopName, version, issuedAt, content } = certificate;
  const address = `${origin}/c/${laptopId}`;
  return {
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://test.uncefact.org/vocabulary/untp/dpp/0.7.0/',
    ],
    type: ['DigitalProductPassport', 'VerifiableCredential'],
    id: `${address}#version-${version}`,
    issuer: { type: ['CredentialIssuer'], id: origin, name: shopName },
    validFrom: issuedAt.toISOString(),
    credentialSubject: {
      type: ['Product'],
      id: address,
      name: laptopName,
      idScheme: { type: ['IdentifierScheme'], id: `${origin}/c/`, name: `Certificates of ${shopName}` },
      idGranularity: 'item',
      certificateId: laptopId,
      version,
      certificate: content,
    },
  };
}

/** Compares two versions by the names of their claims. */
export function findChanges(before: readonly Claim[], after: readonly Claim[]): ClaimChange[] {
  const keyOf = ({ section, name }: Claim) => `${section} ${name}`;
  const previous = new Map(before.map((claim) => [keyOf(claim), claim]));
  const present = new Set(after.map(keyOf));
  const words = (claim: Claim | undefined) => (claim === undefined ? null : claimWords(claim));
  const changedOrAdded = after
    .map((claim) => ({
      section: claim.section,
      name: claim.name,
      before: words(previous.get(keyOf(claim))),
      after: claimWords(claim),
    }))
    .filter((change) => change.before !== change.after);
  const removed = before
    .filter((claim) => !present.has(keyOf(claim)))
    .map(({ section, name, ...claim }) => ({ section, name, before: claimWords(claim), after: null }));
  return [...changedOrAdded, ...removed];
}
