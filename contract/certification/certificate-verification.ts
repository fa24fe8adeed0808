import * as z from 'zod/mini';
import {
  type CertificateStatus,
  Credential,
  type IssuerMetadata,
  MAXIMUM_CERTIFICATE_BYTES,
  type PublicKey,
  revocationReasons,
} from './certificates.ts';

/** What was checked. `passed` is null when it cannot be known from what there is. */
export interface Finding {
  subject: 'Format' | 'Key' | 'Signature' | 'Issuer' | 'Validity' | 'Status';
  passed: boolean | null;
  /** A sentence. */
  text: string;
}

export interface Verification {
  /** Whether nothing failed. What cannot be known is no failure: it is said in its finding. */
  isGenuine: boolean;
  findings: Finding[];
  /** Null unless the signature was verified: what is not signed is not shown. */
  credential: Credential | null;
}

/** `cty` is optional; every other parameter is refused: keys that the file itself brings prove nothing. */
const Header = z.strictObject({
  alg: z.string(),
  typ: z.string(),
  cty: z.optional(z.string()),
  kid: z.string(),
});

/** RFC 8037, and its successor RFC 9864. */
const algorithms: ReadonlySet<string> = new Set(['EdDSA', 'Ed25519']);

const base64url = /^[A-Za-z0-9_-]+$/;

/** @returns null for other characters, and for an encoding that is not the canonical one */
function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!base64url.test(text)) return null;
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  try {
    const binary = atob(base64);
    if (btoa(binary).replaceAll('=', '') !== base64) return null;
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function decodeJson(text: string): unknown {
  const bytes = decodeBase64url(text);
  if (bytes === null) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const Wrapped = z.object({ jws: z.string() });

/**
 * Finds the signed certificate in a file: the JWS itself, or the JSON of the shop's API, which has it as `jws`.
 * @returns null when there is none
 */
function findJws(file: string): string | null {
  const text = file.trim();
  // Programs for emails wrap long lines.
  if (!text.startsWith('{')) return text.replace(/\s+/g, '');
  try {
    const parsed = z.safeParse(Wrapped, JSON.parse(text));
    return parsed.success ? parsed.data.jws.trim() : null;
  } catch {
    return null;
  }
}

/** The certificate of a file, before anything in it is believed. */
interface SplitCertificate {
  header: z.infer<typeof Header>;
  payload: unknown;
  signature: Uint8Array<ArrayBuffer>;
  signed: Uint8Array<ArrayBuffer>;
}

/** @returns a sentence when it is no certificate */
function split(file: string): SplitCertificate | string {
  if (file.length > MAXIMUM_CERTIFICATE_BYTES) {
    return 'This is no certificate: the file is too large. A certificate has a few kilobytes.';
  }
  const parts = (findJws(file) ?? '').split('.');
  const [encodedHeader = '', encodedPayload = '', encodedSignature = ''] = parts;
  if (parts.length !== 3) {
    return 'This is no certificate, or it is incomplete: three parts with dots between them are expected.';
  }
  const header = z.safeParse(Header, decodeJson(encodedHeader));
  if (!header.success) return 'This is no certificate of a shop: its header is not understood.';
  const { alg, typ } = header.data;
  if (!algorithms.has(alg)) {
    return `The certificate names the algorithm “${alg.slice(0, 20)}”. Only Ed25519 signatures are accepted, so it is not genuine.`;
  }
  if (typ !== 'vc+jwt') return 'This is signed data of another kind, and no certificate.';
  const signature = decodeBase64url(encodedSignature);
  const payload = decodeJson(encodedPayload);
  if (signature === null || signature.length !== 64 || payload === undefined) {
    return 'The certificate is damaged or incomplete.';
  }
  const signed = new TextEncoder().encode(`${encodedHeader}.${encodedPayload}`);
  return { header: header.data, payload, signature, signed };
}

async function isSignedBy(key: PublicKey, { signature, signed }: SplitCertificate): Promise<boolean> {
  const { kty, crv, x } = key;
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, [
    'verify',
  ]);
  return crypto.subtle.verify({ name: 'Ed25519' }, imported, signature, signed);
}

const day = (date: string) => date.slice(0, 10);

function checkValidity({ validFrom, validUntil }: Credential, now: Date): Finding {
  const finding = (passed: boolean, text: string): Finding => ({ subject: 'Validity', passed, text });
  const from = Date.parse(validFrom);
  if (Number.isNaN(from) || (validUntil !== undefined && Number.isNaN(Date.parse(validUntil)))) {
    return finding(false, 'The certificate’s dates are not understood.');
  }
  if (from > now.getTime()) {
    return finding(false, `The certificate is valid from ${day(validFrom)}, which has not come yet.`);
  }
  if (validUntil !== undefined && Date.parse(validUntil) <= now.getTime()) {
    return finding(false, `The certificate expired on ${day(validUntil)}.`);
  }
  return finding(
    true,
    `Issued on ${day(validFrom)}. It says what was known then; the laptop may have changed since.`,
  );
}

function checkStatus({ credentialSubject }: Credential, status: CertificateStatus | null): Finding {
  const finding = (passed: boolean | null, text: string): Finding => ({ subject: 'Status', passed, text });
  if (status === null) {
    return finding(
      null,
      `Whether it was revoked, or replaced by a newer version, cannot be known without asking the shop. Look it up at ${credentialSubject.id}.`,
    );
  }
  const { revoked, latestVersion } = status;
  if (revoked !== null) {
    return finding(false, `Revoked on ${day(revoked.at)}. ${revocationReasons[revoked.reason]}`);
  }
  if (credentialSubject.version < latestVersion) {
    return finding(
      false,
      `This is version ${credentialSubject.version}. It was replaced: version ${latestVersion} of ${day(status.issuedAt)} is the present one.`,
    );
  }
  return finding(true, 'Not revoked, and the latest version.');
}

const failed = (findings: Finding[], subject: Finding['subject'], text: string): Verification => ({
  isGenuine: false,
  findings: [...findings, { subject, passed: false, text }],
  credential: null,
});

/**
 * Verifies a certificate with a key set that the reader trusts. It asks nobody: neither the issuer nor a time server.
 * @param file the content of a certificate file
 * @param keys the issuer's keys, as they are published at its well-known URL
 * @param status what the shop said about the certificate; null when it was not asked
 */
export async function verifyCertificate(
  file: string,
  keys: IssuerMetadata,
  status: CertificateStatus | null,
  now: Date,
): Promise<Verification> {
  const certificate = split(file);
  if (typeof certificate === 'string') return failed([], 'Format', certificate);
  const { kid } = certificate.header;
  const revokedKey = keys.revoked_keys.find((key) => key.kid === kid);
  if (revokedKey !== undefined) {
    return failed(
      [],
      'Key',
      `The key of this certificate was revoked on ${day(revokedKey.revoked_at)}: somebody else may have signed with it. Ask the shop for a new certificate.`,
    );
  }
  const key = keys.jwks.keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) {
    return failed(
      [],
      'Key',
      `The certificate names a key that ${keys.issuer} did not publish. It comes from somebody else, or the key set is older than the certificate.`,
    );
  }
  const findings: Finding[] = [
    { subject: 'Key', passed: true, text: `${keys.issuer} published the key (${kid.slice(0, 12)}…).` },
  ];
  if (!(await isSignedBy(key, certificate))) {
    return failed(
      findings,
      'Signature',
      'The signature does not belong to this content: it was changed, or forged.',
    );
  }
  findings.push({
    subject: 'Signature',
    passed: true,
    text: 'The content is exactly what the holder of the key signed.',
  });
  const parsed = z.safeParse(Credential, certificate.payload);
  if (!parsed.success) {
    return failed(findings, 'Format', 'It is signed by the shop, but it is no certificate of a laptop.');
  }
  const credential = parsed.data;
  if (credential.issuer.id !== keys.issuer) {
    return failed(
      findings,
      'Issuer',
      `The certificate says it is from ${credential.issuer.id.slice(0, 100)}, but the keys are those of ${keys.issuer}.`,
    );
  }
  findings.push(
    { subject: 'Issuer', passed: true, text: `Issued by ${keys.issuer}.` },
    checkValidity(credential, now),
    checkStatus(credential, status),
  );
  return { isGenuine: findings.every(({ passed }) => passed !== false), findings, credential };
}
