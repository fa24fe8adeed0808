import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Id } from '#contract/platform/scalars.ts';

/** The parts of a certificate, in the order in which they are shown. */
export const claimSections = {
  listing: 'The listing',
  machine: 'The machine',
  battery: 'Battery',
  locks: 'Locks',
  tests: 'Tests in the browser',
  inspection: 'Inspection by the shop',
} as const;
export const ClaimSection = z.enum(['listing', 'machine', 'battery', 'locks', 'tests', 'inspection']);
export type ClaimSection = z.infer<typeof ClaimSection>;

/**
 * How far a claim can be believed. `stated` is somebody's word: the seller's in the listing, the shop's in its inspection. `not_found` is a lock that was looked for: it may still
 * exist. `seen` is what the seller's photos show. `unknown`, `skipped` and `unchecked` say nothing, and are never shown as good.
 */
export const ClaimState = z.enum([
  'stated',
  'measured',
  'not_found',
  'found',
  'passed',
  'seen',
  'failed',
  'skipped',
  'unknown',
  'unchecked',
]);
export type ClaimState = z.infer<typeof ClaimState>;

/** One value of a certificate, in words. */
export const Claim = z.object({
  section: ClaimSection,
  name: z.string(),
  state: ClaimState,
  /** Null when there is nothing to add to the state. */
  value: z.nullable(z.string()),
  /** Where it was read, in words. */
  source: z.nullable(z.string()),
});
export type Claim = z.infer<typeof Claim>;

const stateWords = {
  stated: null,
  measured: null,
  not_found: 'Not found',
  found: 'Found',
  passed: 'Passed',
  seen: 'Seen in the photos',
  failed: 'Failed',
  skipped: 'Skipped',
  unknown: 'Unknown',
  unchecked: 'Not checked',
} as const satisfies Record<Claim['state'], string | null>;

/** A claim's state and value in words. */
export function claimWords({ state, value }: Pick<Claim, 'state' | 'value'>): string {
  return [stateWords[state], value].filter((part) => part !== null).join(', ');
}

const CertifiedLevel = z.enum(['measured', 'inspected_photos', 'inspected_hand']);

/** What a certificate says about a laptop. */
export const CertifiedContent = z.object({
  level: CertifiedLevel,
  /** ISO 8601 in UTC, like the following ones. */
  measuredAt: z.string(),
  /** The system whose script measured, such as `Linux`. */
  measuredWith: z.string(),
  /** When the tests in the browser were made; null without them. */
  testedAt: z.nullable(z.string()),
  /** When the shop inspected the laptop; null if it has not. */
  inspectedAt: z.nullable(z.string()),
  claims: z.array(Claim).check(z.maxLength(200)),
});
export type CertifiedContent = z.infer<typeof CertifiedContent>;

/**
 * The payload of the signature: a Verifiable Credential (W3C, version 2.0) in the shape of UN/CEFACT's UNTP
 * DigitalProductPassport 0.7. `certificate` is the shop's own addition to the subject.
 */
export const Credential = z.object({
  '@context': z.array(z.string()),
  type: z.array(z.string()),
  id: z.string(),
  issuer: z.object({ type: z.array(z.string()), id: z.string(), name: z.string() }),
  validFrom: z.string(),
  validUntil: z.optional(z.string()),
  credentialSubject: z.object({
    type: z.array(z.string()),
    id: z.string(),
    name: z.string(),
    idScheme: z.object({ type: z.array(z.string()), id: z.string(), name: z.string() }),
    idGranularity: z.string(),
    certificateId: Id,
    version: z.int(),
    certificate: CertifiedContent,
  }),
});
export type Credential = z.infer<typeof Credential>;

/** Why a certificate no longer holds, in words. */
export const revocationReasons = {
  contradicted: 'The laptop’s latest measurement no longer confirms the listing.',
  lock_found: 'A later measurement found a lock on the laptop.',
  taken_down: 'The shop took the laptop down.',
  withdrawn: 'The seller took the laptop out of the shop.',
  returned: 'A buyer returned or refused the laptop as not working or not as described.',
  account_deleted: 'The seller’s account was deleted, and the certificate with it.',
} as const;
export const RevocationReason = z.enum([
  'contradicted',
  'lock_found',
  'taken_down',
  'withdrawn',
  'returned',
  'account_deleted',
]);
export type RevocationReason = z.infer<typeof RevocationReason>;

export const Revocation = z.object({
  /** ISO 8601 in UTC. */
  at: z.string(),
  reason: RevocationReason,
});
export type Revocation = z.infer<typeof Revocation>;

/** The status of the latest version; a version with a lower number was replaced. */
export const CertificateStatus = z.object({
  latestVersion: z.int(),
  /** ISO 8601 in UTC. */
  issuedAt: z.string(),
  revoked: z.nullable(Revocation),
});
export type CertificateStatus = z.infer<typeof CertificateStatus>;

/** The latest version of a laptop's certificate. */
export const Certificate = z.object({
  _id: Id,
  status: CertificateStatus,
  /** The signed certificate: a JWS in compact serialization. Null when its content was erased with the seller's account. */
  jws: z.nullable(z.string()),
  credential: z.nullable(Credential),
});
export type Certificate = z.infer<typeof Certificate>;

/** A difference to the version before. */
export const ClaimChange = z.object({
  section: ClaimSection,
  name: z.string(),
  /** In words; null when the version did not have the claim. */
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
});
export type ClaimChange = z.infer<typeof ClaimChange>;

export const CertificateVersion = z.object({
  version: z.int(),
  issuedAt: z.string(),
  revoked: z.nullable(Revocation),
  level: z.nullable(CertifiedLevel),
  measuredAt: z.nullable(z.string()),
  changes: z.array(ClaimChange),
});
export type CertificateVersion = z.infer<typeof CertificateVersion>;

/** The most versions that are listed. */
export const MAXIMUM_VERSIONS = 30;

/** The maximum size of a certificate file or a key file that is verified, in bytes. */
export const MAXIMUM_CERTIFICATE_BYTES = 256 * 1024;

/** The path of the issuer's metadata with its key set (draft-ietf-oauth-sd-jwt-vc, section 5, as VC-JOSE-COSE names it). */
export const ISSUER_METADATA_PATH = '/.well-known/jwt-vc-issuer';

/** The path of the key set alone (RFC 7517). */
export const KEY_SET_PATH = '/.well-known/jwks.json';

const PublicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  /** The key, base64url. */
  x: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
  kid: z.string(),
  alg: z.optional(z.string()),
  use: z.optional(z.string()),
});
export type PublicKey = z.infer<typeof PublicKey>;

/** A shop's keys: those that sign now or signed before, and those that were revoked. */
export const IssuerMetadata = z.object({
  /** The shop's origin. */
  issuer: z.string(),
  jwks: z.object({ keys: z.array(PublicKey).check(z.maxLength(1000)) }),
  revoked_keys: z.array(z.object({ kid: z.string(), revoked_at: z.string() })).check(z.maxLength(1000)),
});
export type IssuerMetadata = z.infer<typeof IssuerMetadata>;

const params = z.object({ _id: Id });

export const readCertificate = endpoint({
  method: 'GET',
  path: '/certificates/:_id',
  access: 'public',
  summary:
    'The latest certificate of a laptop, by the laptop’s id: signed, and as JSON in the shape of UNTP’s passport',
  params,
  response: Certificate,
  refusals: ['not_found'],
});

export const listCertificateVersions = endpoint({
  method: 'GET',
  path: '/certificates/:_id/versions',
  access: 'public',
  summary: 'The versions of a certificate, newest first, each with its differences to the one before',
  params,
  response: z.object({ versions: z.array(CertificateVersion), total: z.int() }),
  refusals: ['not_found'],
});

export const readCertificateStatus = endpoint({
  method: 'GET',
  path: '/certificates/:_id/status',
  access: 'public',
  summary: 'Whether a laptop’s certificate was revoked, and the number of its latest version',
  params,
  response: CertificateStatus,
  refusals: ['not_found'],
});

export const readCertificateKeys = endpoint({
  method: 'GET',
  path: '/certificateKeys',
  access: 'public',
  summary: 'The keys that verify certificates; the same document as at the well-known URL',
  response: IssuerMetadata,
});
