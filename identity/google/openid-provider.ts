import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as z from 'zod/mini';

/** Where an OpenID Connect provider is. */
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
  /** Default: Google itself. Another one is asked for its metadata when the provider starts. */
  readonly issuer?: string;
}

const GOOGLE_ISSUER = 'https://accounts.google.com';

/** Google's own addresses, published and stable: knowing them lets the shop start while Google is away. */
const googleMetadata: Metadata = {
  issuer: GOOGLE_ISSUER,
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};

/**
 * Where Google, or the provider that stands in its place, is.
 * @throws Error with a sentence when another issuer does not answer within 5 s or answers something else
 */
export async function findGoogle(options: GoogleOptions): Promise<Metadata> {
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
 * Checks ID tokens against the provider's published keys, issuer and audience. Keys are fetched at the first
 * token and again when an unknown one is named, so nothing has to be reachable at start.
 * @returns a function that throws when a token does not pass
 */
export function idTokenVerifier(metadata: Metadata, clientId: string): (token: string) => Promise<Claims> {
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri));
  return async (token) => {
    const { payload } = await jwtVerify(token, keys, { issuer: metadata.issuer, audience: clientId });
    return Claims.parse(payload);
  };
}
