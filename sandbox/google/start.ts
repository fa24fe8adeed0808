import { createEmulator } from 'emulate';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { hostnameOf } from '#contract/platform/hosts.ts';
import { refuseOtherHosts } from '../hosts.ts';
import { choicesStyle, readStyle } from '../html.ts';
import { chooserPolicy, renderChooser } from './account-page.ts';
import { createIdTokens } from './tokens.ts';

/** The accounts of this stand-in. The second has the email address of the demo's buyer, to test account linking. */
const accounts = [
  { email: 'gina.google@example.com', name: 'Gina Google' },
  { email: 'buyer@coomercio.example', name: 'Jonas Weber' },
  { email: 'leo.fontaine@example.com', name: 'Léo Fontaine' },
] as const;

export interface GoogleOptions {
  /** The TCP port; 0 for any free one. */
  port: number;
  /** The address to listen on. @default '127.0.0.1' */
  host?: string;
  /** The folder of the signing key, created if missing. */
  dataFolder: string;
  /** The origins that redirects may lead to, such as `http://localhost:3000`. */
  origins: readonly string[];
  clientId: string;
  clientSecret: string;
}

/** The path of the redirect after the sign-in, below the identity provider's origin. */
const REDIRECT_PATH = '/identity/callback/google';

const AUTHORIZATION_PATH = '/o/oauth2/v2/auth';
const CHOICE_PATH = '/o/oauth2/v2/auth/callback';
const TOKEN_PATH = '/oauth2/token';
const KEYS_PATH = '/oauth2/v3/certs';

/** The headers that are proxied; the others belong to one connection. */
const proxiedHeaders = ['accept', 'authorization', 'cache-control', 'content-type', 'location', 'origin'];

function copyHeaders(read: (name: string) => unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of proxiedHeaders) {
    const value = read(name);
    if (typeof value === 'string') headers[name] = value;
  }
  return headers;
}

const TokenResponse = z.looseObject({ id_token: z.optional(z.string()) });

/**
 * Starts Google's stand-in: the authorization code flow of OpenID Connect with PKCE. It proxies `emulate`, and replaces
 * its keys and subjects by ones that stay the same after a restart.
 * @returns the issuer, which is the origin, and a function that stops it
 * @throws if the port is in use or the key cannot be read
 */
export async function startGoogle(
  options: GoogleOptions,
): Promise<{ issuer: string; close(): Promise<void> }> {
  const { clientId, clientSecret } = options;
  const tokens = await createIdTokens(options.dataFolder);
  const style = await readStyle(choicesStyle, new URL('./google.css', import.meta.url));
  const proxy = fastify({ forceCloseConnections: true });
  refuseOtherHosts(proxy, options.origins.map(hostnameOf));
  proxy.removeAllContentTypeParsers();
  proxy.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  let emulatorUrl = '';
  let issuer = '';

  const forward = (request: FastifyRequest): Promise<Response> =>
    fetch(`${emulatorUrl}${request.url}`, {
      method: request.method,
      headers: copyHeaders((name) => request.headers[name]),
      redirect: 'manual',
      body: typeof request.body === 'string' ? request.body : null,
    });

  const relay = async (response: Response, reply: FastifyReply) =>
    reply
      .code(response.status)
      .headers(copyHeaders((name) => response.headers.get(name)))
      .send(Buffer.from(await response.arrayBuffer()));

  proxy.get('/.well-known/openid-configuration', async () => ({
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZATION_PATH}`,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    jwks_uri: `${issuer}${KEYS_PATH}`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
  }));
  proxy.get(KEYS_PATH, async () => tokens.keys);
  proxy.get('/google.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  proxy.get(AUTHORIZATION_PATH, async (request, reply) => {
    // `emulate` validates the client and the redirect address. Its page is for developers and is replaced.
    const response = await forward(request);
    if (response.status !== 200) return relay(response, reply);
    await response.arrayBuffer();
    const { searchParams } = new URL(request.url, issuer);
    return reply
      .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': chooserPolicy(options.origins) })
      .type('text/html; charset=utf-8')
      .send(renderChooser(accounts, CHOICE_PATH, searchParams));
  });
  proxy.post(CHOICE_PATH, async (request, reply) => relay(await forward(request), reply));
  proxy.post(TOKEN_PATH, async (request, reply) => {
    const response = await forward(request);
    const body = TokenResponse.parse(await response.json());
    const idToken = body.id_token;
    return reply
      .code(response.status)
      .header('cache-control', 'no-store')
      .send(idToken === undefined ? body : { ...body, id_token: await tokens.reissue(idToken, issuer) });
  });

  issuer = await proxy.listen({ port: options.port, host: options.host ?? '127.0.0.1' });
  try {
    const emulator = await createEmulator({
      service: 'google',
      port: 0,
      seed: {
        google: {
          users: accounts,
          oauth_clients: [
            {
              client_id: clientId,
              client_secret: clientSecret,
              name: 'Coomercio',
              redirect_uris: options.origins.map((origin) => `${origin}${REDIRECT_PATH}`),
            },
          ],
        },
      },
    });
    // Its URL has the name localhost, which some machines resolve to IPv6 first; it listens on IPv4.
    emulatorUrl = emulator.url.replace('localhost', '127.0.0.1');
    return {
      issuer,
      async close() {
        await proxy.close();
        await emulator.close();
      },
    };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}
