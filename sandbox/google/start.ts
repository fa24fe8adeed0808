import { createEmulator } from 'emulate';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { hostnameOf } from '#contract/hosts.ts';
import { refuseOtherHosts } from '../hosts.ts';
import { chooserPolicy, readStyle, renderChooser } from './account-page.ts';
import { createIdTokens } from './tokens.ts';

/** The accounts of this stand-in. The second has the e-mail address of the demo's buyer, to test account linking. */
export const googlePeople = [
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
  /** The accounts. @default {@link googlePeople} */
  people?: readonly { email: string; name: string; email_verified?: boolean }[];
}

/** The path of the redirect after the sign-in, below the identity provider's origin. */
const REDIRECT_PATH = '/identity/callback/google';

const AUTHORIZATION = '/o/oauth2/v2/auth';
const CHOICE = '/o/oauth2/v2/auth/callback';
const TOKEN = '/oauth2/token';
const KEYS = '/oauth2/v3/certs';

/** The headers that are proxied; the others belong to one connection. */
const passedHeaders = ['accept', 'authorization', 'cache-control', 'content-type', 'location', 'origin'];

const TokenAnswer = z.looseObject({ id_token: z.optional(z.string()) });

/**
 * Starts Google's stand-in: the authorization code flow of OpenID Connect with PKCE. It proxies `emulate`, and replaces
 * its keys and subjects by ones that stay the same after a restart.
 * @returns the issuer, which is the origin, and a function that stops it
 * @throws if the port is in use or the key cannot be read
 */
export async function startGoogle(
  options: GoogleOptions,
): Promise<{ issuer: string; clientId: string; clientSecret: string; close(): Promise<void> }> {
  const { clientId, clientSecret, people = googlePeople } = options;
  const [tokens, style] = await Promise.all([createIdTokens(options.dataFolder), readStyle()]);
  const front = fastify({ forceCloseConnections: true });
  refuseOtherHosts(front, options.origins.map(hostnameOf));
  front.removeAllContentTypeParsers();
  front.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  let inner = '';
  let issuer = '';

  async function ask(request: FastifyRequest): Promise<Response> {
    const headers = new Headers();
    for (const name of passedHeaders) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const body = typeof request.body === 'string' ? { body: request.body } : {};
    return fetch(`${inner}${request.url}`, { method: request.method, headers, redirect: 'manual', ...body });
  }

  async function pass(answer: Response, reply: FastifyReply) {
    for (const name of passedHeaders) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
  }

  front.get('/.well-known/openid-configuration', async () => ({
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZATION}`,
    token_endpoint: `${issuer}${TOKEN}`,
    jwks_uri: `${issuer}${KEYS}`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['plain', 'S256'],
  }));
  front.get(KEYS, async () => tokens.keys);
  front.get('/google.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
  front.get(AUTHORIZATION, async (request, reply) => {
    // `emulate` validates the client and the redirect address. Its page is for developers and is replaced.
    const answer = await ask(request);
    if (answer.status !== 200) return pass(answer, reply);
    await answer.arrayBuffer();
    const { searchParams } = new URL(request.url, issuer);
    return reply
      .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': chooserPolicy(options.origins) })
      .type('text/html; charset=utf-8')
      .send(renderChooser(people, CHOICE, searchParams));
  });
  front.post(CHOICE, async (request, reply) => pass(await ask(request), reply));
  front.post(TOKEN, async (request, reply) => {
    const answer = await ask(request);
    const body = TokenAnswer.parse(await answer.json());
    const idToken = body.id_token;
    return reply
      .code(answer.status)
      .header('cache-control', 'no-store')
      .send(idToken === undefined ? body : { ...body, id_token: await tokens.reissue(idToken, issuer) });
  });

  issuer = await front.listen({ port: options.port, host: options.host ?? '127.0.0.1' });
  try {
    const emulator = await createEmulator({
      service: 'google',
      port: 0,
      seed: {
        google: {
          users: people,
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
    inner = emulator.url.replace('localhost', '127.0.0.1');
    return {
      issuer,
      clientId,
      clientSecret,
      async close() {
        await front.close();
        await emulator.close();
      },
    };
  } catch (error) {
    await front.close();
    throw error;
  }
}
