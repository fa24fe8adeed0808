import Fastify from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createIdTokenVerifier } from './openid-provider.ts';

describe('an ID token from Google', () => {
  it('is valid only with the published key, audience and issuer, and before it expires', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const other = await generateKeyPair('RS256');
    const published = Fastify();
    published.get('/certs', async () => ({
      keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }],
    }));
    const origin = await published.listen({ host: '127.0.0.1', port: 0 });
    const verify = createIdTokenVerifier(
      {
        issuer: 'https://google.example',
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/certs`,
      },
      'shop',
    );
    const sign = (change: { issuer?: string; audience?: string; expires?: string; key?: CryptoKey } = {}) =>
      new SignJWT({ email: 'ann@gmail.example', email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setSubject('1')
        .setIssuedAt()
        .setIssuer(change.issuer ?? 'https://google.example')
        .setAudience(change.audience ?? 'shop')
        .setExpirationTime(change.expires ?? '1h')
        .sign(change.key ?? privateKey);
    try {
      expect(await verify(await sign())).toMatchObject({ sub: '1', email: 'ann@gmail.example' });
      await expect(verify(await sign({ issuer: 'https://evil.example' }))).rejects.toThrow();
      await expect(verify(await sign({ audience: 'another' }))).rejects.toThrow();
      await expect(verify(await sign({ expires: '-1h' }))).rejects.toThrow();
      await expect(verify(await sign({ key: other.privateKey }))).rejects.toThrow();
    } finally {
      await published.close();
    }
  });
});
