import { genericOAuth } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { normalizeEmail } from '#contract/platform/scalars.ts';
import { normalizeName } from '../input.ts';

/** The part of an OpenID Connect discovery document that sign-in needs. */
const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});
type Metadata = z.infer<typeof Metadata>;

export interface GoogleOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: Google. The discovery document of another issuer is fetched at start. */
  readonly issuer?: string | null | undefined;
}

const GOOGLE_ISSUER = 'https://accounts.google.com';

/** Google publishes these as stable. They are not fetched, so that the shop starts while Google is unreachable. */
const googleMetadata: Metadata = {
  issuer: GOOGLE_ISSUER,
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};

/**
 * Returns the endpoints of Google, or of the issuer configured in its place.
 * @throws Error with a sentence when another issuer does not answer within 5 s or its discovery document is invalid
 */
async function discoverMetadata(options: GoogleOptions): Promise<Metadata> {
  const issuer = options.issuer ?? GOOGLE_ISSUER;
  if (issuer === GOOGLE_ISSUER) return googleMetadata;
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
    return Metadata.parse(await response.json());
  } catch (cause) {
    throw new Error(`The OpenID Connect provider ${issuer} did not answer with its metadata at ${address}.`, {
      cause,
    });
  }
}

const Claims = z.object({
  sub: z.string(),
  email: z.string(),
  email_verified: z.nullish(z.boolean()),
  name: z.nullish(z.string()),
  picture: z.nullish(z.string()),
});
type Claims = z.infer<typeof Claims>;

/**
 * Creates a verifier of ID tokens: signature, issuer, audience and expiry. The issuer's keys are fetched for the first
 * token and again for an unknown key id, so the issuer need not be reachable at start.
 * @returns a function that answers the token's claims and throws for an invalid token
 */
export function createIdTokenVerifier(
  metadata: Metadata,
  clientId: string,
): (token: string) => Promise<Claims> {
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
  return async (token) => {
    const { payload } = await jwtVerify(token, keys, { issuer: metadata.issuer, audience: clientId });
    return Claims.parse(payload);
  };
}

/** Creates the better-auth plugin for sign-in with Google. @throws Error when a configured issuer does not answer */
export async function createGooglePlugin(google: GoogleOptions, log: FastifyBaseLogger) {
  const metadata = await discoverMetadata(google);
  const verify = createIdTokenVerifier(metadata, google.clientId);
  return genericOAuth({
    config: [
      {
        providerId: 'google',
        name: 'Google',
        clientId: google.clientId,
        clientSecret: google.clientSecret,
        authorizationUrl: metadata.authorization_endpoint,
        tokenUrl: metadata.token_endpoint,
        scopes: ['openid', 'email', 'profile'],
        prompt: 'select_account',
        pkce: true,
        accountSubject: ({ profile }) => profile.sub ?? '',
        async getUserInfo({ idToken }) {
          if (idToken === undefined) return null;
          const claims = await verify(idToken).catch((error: unknown) => {
            log.error({ err: error }, 'An ID token from Google is invalid');
            return null;
          });
          if (claims === null) return null;
          return {
            sub: claims.sub,
            email: normalizeEmail(claims.email),
            emailVerified: claims.email_verified ?? false,
            name: normalizeName(claims.name ?? claims.email),
            image: claims.picture ?? undefined,
          };
        },
      },
    ],
  });
}
