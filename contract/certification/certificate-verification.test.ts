import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyCertificate } from './certificate-verification.ts';
import { type CertificateStatus, type IssuerMetadata, MAXIMUM_CERTIFICATE_BYTES } from './certificates.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const kid = 'k'.repeat(43);
const issuer = 'https://shop.example';
const x = publicKey.export({ format: 'jwk' }).x ?? '';
const keys: IssuerMetadata = {
  issuer,
  jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid }] },
  revoked_keys: [],
};
const now = new Date('2026-11-22T12:00:00Z');

const credential = {
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['DigitalProductPassport', 'VerifiableCredential'],
  id: `${issuer}/c/1#version-1`,
  issuer: { type: ['CredentialIssuer'], id: issuer, name: 'Shop' },
  validFrom: '2026-11-20T12:00:00Z',
  credentialSubject: {
    type: ['Product'],
    id: `${issuer}/c/1`,
    name: 'ThinkPad T14',
    idScheme: { type: ['IdentifierScheme'], id: `${issuer}/c/`, name: 'Certificates' },
    idGranularity: 'item',
    certificateId: '0190a000-0000-7000-8000-000000000001',
    version: 1,
    certificate: {
      level: 'measured',
      measuredAt: '2026-11-20T12:00:00Z',
      measuredWith: 'Linux',
      testedAt: null,
      inspectedAt: null,
      claims: [
        { section: 'battery', name: 'Health', state: 'measured', value: '91 %', source: 'the battery' },
      ],
    },
  },
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = { alg: 'EdDSA', typ: 'vc+jwt', kid };

function jws(payload: unknown = credential, head: object = header, key: KeyObject = privateKey): string {
  const signed = `${encode(head)}.${encode(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
}

const verify = (file: string, status: CertificateStatus | null = null, trusted = keys) =>
  verifyCertificate(file, trusted, status, now);

/** The finding that made a certificate fail. */
async function failure(file: string, status: CertificateStatus | null = null, trusted = keys) {
  const result = await verify(file, status, trusted);
  expect(result.isGenuine).toBe(false);
  return result.findings.find(({ passed }) => passed === false);
}

test('a genuine certificate holds, and offline its status cannot be known', async () => {
  const result = await verify(jws());
  expect(result.isGenuine).toBe(true);
  expect(result.credential?.credentialSubject.name).toBe('ThinkPad T14');
  expect(result.findings.map(({ subject, passed }) => [subject, passed])).toEqual([
    ['Key', true],
    ['Signature', true],
    ['Issuer', true],
    ['Validity', true],
    ['Status', null],
  ]);
});

test('the JSON of the API is accepted like the certificate itself', async () => {
  expect((await verify(JSON.stringify({ _id: '1', jws: jws() }))).isGenuine).toBe(true);
  expect((await verify(`  ${jws()}\n`)).isGenuine).toBe(true);
});

describe('a file that is not genuine', () => {
  const [head = '', payload = '', signature = ''] = jws().split('.');
  const changed = structuredClone(credential);
  changed.credentialSubject.name = 'MacBook';
  const hmac = (key: string) => {
    const signed = `${encode({ ...header, alg: 'HS256' })}.${payload}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  };
  const own = generateKeyPairSync('ed25519');
  const ownKey = own.publicKey.export({ format: 'jwk' });

  test.each([
    ['changed content', `${head}.${encode(changed)}.${signature}`, 'Signature'],
    ['a signature of another key', jws(credential, header, own.privateKey), 'Signature'],
    ['a key that it brings along', jws(credential, { ...header, jwk: ownKey }, own.privateKey), 'Format'],
    ['an address of keys', jws(credential, { ...header, jku: 'https://evil.example' }), 'Format'],
    ['an unknown key', jws(credential, { ...header, kid: 'z' }, own.privateKey), 'Key'],
    ['alg none', `${encode({ ...header, alg: 'none' })}.${payload}.`, 'Format'],
    ['an HMAC with the public key', hmac(x), 'Format'],
    ['a critical extension', jws(credential, { ...header, crit: ['b64'], b64: false }), 'Format'],
    ['another kind of token', jws(credential, { ...header, typ: 'JWT' }), 'Format'],
    ['a truncated file', jws().slice(0, -20), 'Format'],
    ['a file without its signature', `${head}.${payload}`, 'Format'],
    ['an encoding that is not canonical', `${jws().slice(0, -1)}_`, 'Format'],
    ['an empty file', '', 'Format'],
    ['JSON without a certificate', '{"jws":5}', 'Format'],
    ['a page', '<!doctype html><title>Certificate</title>', 'Format'],
    ['20 MB', 'x'.repeat(20_000_000), 'Format'],
    ['another shape that the key signed', jws({ issuer }), 'Format'],
    [
      'another issuer',
      jws({ ...credential, issuer: { ...credential.issuer, id: 'https://o.example' } }),
      'Issuer',
    ],
    ['an expired certificate', jws({ ...credential, validUntil: '2026-11-21T00:00:00Z' }), 'Validity'],
    ['one of the future', jws({ ...credential, validFrom: '2027-01-01T00:00:00Z' }), 'Validity'],
    ['a date that is none', jws({ ...credential, validFrom: 'soon' }), 'Validity'],
  ])('%s fails', async (_name, file, subject) => {
    expect((await failure(file))?.subject).toBe(subject);
  });

  test('content without a verified signature is not given back', async () => {
    expect((await verify(jws(credential, header, own.privateKey))).credential).toBeNull();
    expect('x'.repeat(20_000_000).length).toBeGreaterThan(MAXIMUM_CERTIFICATE_BYTES);
  });

  test('a revoked key is named as such', async () => {
    const revoked = {
      ...keys,
      jwks: { keys: [] },
      revoked_keys: [{ kid, revoked_at: '2026-11-21T00:00:00Z' }],
    };
    expect((await failure(jws(), null, revoked))?.text).toContain('revoked on 2026-11-21');
  });
});

test('with the shop’s status, a replaced and a revoked version say so', async () => {
  const status = { latestVersion: 1, issuedAt: '2026-11-20T12:00:00Z', revoked: null };
  expect((await verify(jws(), status)).isGenuine).toBe(true);
  const replaced = await failure(jws(), { ...status, latestVersion: 3, issuedAt: '2026-11-22T00:00:00Z' });
  expect(replaced?.text).toContain('version 3 of 2026-11-22');
  const revoked = await failure(jws(), {
    ...status,
    revoked: { at: '2026-11-21T08:00:00Z', reason: 'lock_found' },
  });
  expect(revoked?.text).toBe('Revoked on 2026-11-21. A later measurement found a lock on the laptop.');
});
