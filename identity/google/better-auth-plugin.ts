import { genericOAuth } from 'better-auth/plugins';
import type { FastifyBaseLogger } from 'fastify';
import { normalizeName } from '../input.ts';
import { createIdTokenVerifier, discoverMetadata, type GoogleOptions } from './openid-provider.ts';

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
            email: claims.email,
            emailVerified: claims.email_verified ?? false,
            name: normalizeName(claims.name ?? claims.email),
            image: claims.picture ?? undefined,
          };
        },
      },
    ],
  });
}
