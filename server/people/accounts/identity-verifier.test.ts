import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityIssuer, startIdentityIssuer } from '#tests/harness/people/identity-issuer.ts';
import { createIdentityVerifier, type IdentityVerifier } from './identity-verifier.ts';

let issuer: IdentityIssuer;
let verifier: IdentityVerifier;
beforeAll(async () => {
  issuer = await startIdentityIssuer();
  verifier = createIdentityVerifier(issuer);
});
afterAll(() => issuer.close());

const proofOf = async (claims: Record<string, unknown>) =>
  verifier.verifyIdToken(await issuer.idToken('nia@people.example', claims));

describe('a signed ID token with invalid claims', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['amr as a text', { amr: 'mfa' }, { secondFactor: false }],
    ['amr of numbers', { amr: [1, 'mfa'] }, { secondFactor: false }],
    ['a name that is an object', { name: { first: 'Nia' } }, { name: 'nia@people.example' }],
    ['a name that is null', { name: null }, { name: 'nia@people.example' }],
    ['email_verified as a text', { email_verified: 'true' }, { emailVerified: false }],
    ['auth_time as a text', { auth_time: '1' }, { authenticatedAt: null }],
    ['auth_time in milliseconds', { auth_time: Date.now() }, { authenticatedAt: null }],
    ['auth_time that is infinite', { auth_time: 1e308 }, { authenticatedAt: null }],
  ])('%s: the invalid claim counts as missing', async (_, claims, found) => {
    await expect(proofOf(claims)).resolves.toMatchObject({ email: 'nia@people.example', ...found });
  });

  test.each<[string, Record<string, unknown>]>([
    ['no address', { email: undefined }],
    ['a list of addresses', { email: ['nia@people.example'] }],
    ['an address with NUL', { email: 'nia\u0000@people.example' }],
    ['a session with NUL', { sid: 'desk\u0000' }],
    ['a session that is a number', { sid: 7 }],
  ])('%s: the token is rejected', async (_, claims) => {
    await expect(proofOf(claims)).rejects.toMatchObject({ code: 'not_allowed', status: 403 });
  });
});
