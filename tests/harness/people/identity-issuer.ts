import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { portOf } from '../platform/ports.ts';

/** An identity provider as the shop's server needs it: an issuer with published keys. */
export interface IdentityIssuer {
  issuer: string;
  audience: string;
  keysUrl: URL;
  /** Signs an ID token. @param claims merged over the defaults; `exp` in seconds since 1970 */
  idToken(email: string, claims?: Record<string, unknown>): Promise<string>;
  /** Signs an ID token with a key that is not published. */
  forgedIdToken(email: string, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Starts an issuer of ID tokens. Tests that use it skip password hashing, which is slow. */
export async function startIdentityIssuer(): Promise<IdentityIssuer> {
  const published = await generateKeyPair('ES256');
  const other = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'published', alg: 'ES256', use: 'sig' };
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${portOf(server)}`;
  const audience = 'coomercio';

  function sign(key: CryptoKey, email: string, claims: Record<string, unknown>): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: issuer,
      aud: audience,
      sub: email,
      email,
      email_verified: true,
      iat: now,
      auth_time: now,
      exp: now + 3600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: 'published' })
      .sign(key);
  }

  return {
    issuer,
    audience,
    keysUrl: new URL('/keys', issuer),
    idToken: (email, claims = {}) => sign(published.privateKey, email, claims),
    forgedIdToken: (email, claims = {}) => sign(other.privateKey, email, claims),
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
