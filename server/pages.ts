import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import serveFiles from '@fastify/static';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ViteDevServer } from 'vite';
import * as z from 'zod';
import { canonicalLocation } from './http/canonical-host.ts';

interface RequestContext {
  callApi: (url: string, init: RequestInit) => Promise<Response>;
  nonce: string;
  origin: string;
  report: (error: unknown) => void;
}

type PageHandler = (request: Request, context: RequestContext) => Promise<Response>;
type CreatePageHandler = (build: unknown, mode: PagesOptions['mode']) => PageHandler;

/** The only export of the web build that the server uses. */
const Build = z.object({
  entry: z.object({
    module: z.object({
      createPageHandler: z.custom<CreatePageHandler>((value) => typeof value === 'function'),
    }),
  }),
});

export interface PagesOptions {
  mode: 'production' | 'development';
  /** Dispatches a call of the contract in process; `url` is a path that begins with `/api`. */
  callApi: (url: string, init: RequestInit) => Promise<Response>;
  /** The public origin, without a trailing slash. */
  origin: string;
  /** How many proxies in front are trusted. */
  proxies: number;
  /** Other origins that pages use: the card processor, the identity provider, the image host. */
  contentSecurity: {
    scriptSources: string[];
    frameSources: string[];
    connectSources: string[];
    imageSources: string[];
  };
  /** The folder of `build/`, `vite.config.ts` and `web/`. Defaults to the project's root. */
  root?: string;
}

const projectRoot = join(import.meta.dirname, '..');

/** The Content-Security-Policy of one page: scripts need the shop or the card processor as their origin, or the nonce. */
function contentSecurityPolicy({ contentSecurity, mode, origin }: PagesOptions, nonce: string): string {
  const { scriptSources, frameSources, connectSources, imageSources } = contentSecurity;
  const hotReloadSources = mode === 'development' ? ['ws:'] : [];
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...scriptSources],
    // Base UI and React set style attributes. Injected styles cannot run code.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...imageSources],
    'font-src': ["'self'"],
    'media-src': ["'self'"],
    'connect-src': ["'self'", ...connectSources, ...hotReloadSources],
    'frame-src': frameSources.length === 0 ? ["'none'"] : frameSources,
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...(origin.startsWith('https:') ? { 'upgrade-insecure-requests': [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');
}

function securityHeaders(options: PagesOptions, nonce: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(options, nonce),
    // The window of the sign-in with Google must reach its opener.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(options.origin.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    }),
  };
}

/** Converts a Fastify request to a web request. Its signal is aborted when the client disconnects. */
function toWebRequest(request: FastifyRequest, reply: FastifyReply, origin: string): Request {
  const disconnected = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The URL is always parsed as a path: `//host/` must not change the host.
  const url = new URL(origin);
  const [path = '/', ...query] = request.url.split('?');
  url.pathname = path.replace(/^\/+/, '/');
  url.search = query.join('?');
  return new Request(url, { method: request.method, headers, signal: disconnected.signal });
}

function servePages(
  app: FastifyInstance,
  options: PagesOptions,
  getHandler: () => Promise<PageHandler>,
): void {
  const report = (log: FastifyBaseLogger) => (error: unknown) => log.error({ err: error }, 'a page failed');
  app.route({
    // HEAD is listed because Fastify's automatic HEAD route computes the length of the body, which fails for a Response.
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const location = canonicalLocation(request, options.origin, options.proxies);
      if (location !== null) return reply.header('cache-control', 'no-store').redirect(location, 307);
      const nonce = randomBytes(16).toString('base64');
      const handle = await getHandler();
      const response = await handle(toWebRequest(request, reply, options.origin), {
        callApi: options.callApi,
        nonce,
        origin: options.origin,
        report: report(request.log),
      });
      reply.headers(securityHeaders(options, nonce)).header('vary', 'accept-encoding');
      if (!response.headers.has('cache-control')) reply.header('cache-control', 'no-cache');
      if (request.method !== 'HEAD') return reply.send(response);
      await response.body?.cancel();
      return reply.send(new Response(null, response));
    },
  });
}

async function serveProduction(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const root = options.root ?? projectRoot;
  const build: unknown = await import(pathToFileURL(join(root, 'build/server/index.js')).href);
  const handle = Build.parse(build).entry.module.createPageHandler(build, 'production');
  await app.register(serveFiles, {
    root: join(root, 'build/client'),
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('x-content-type-options', 'nosniff');
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  await app.register(async (pages) => {
    await pages.register(compress, {
      encodings: ['br', 'gzip'],
      threshold: 512,
      // Flushes each chunk of a streamed page immediately.
      brotliOptions: {
        flush: constants.BROTLI_OPERATION_FLUSH,
        // A window of 128 kB is larger than any page. The default of 4 MB takes three times the CPU time for the same size.
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 17 },
      },
      zlibOptions: { flush: constants.Z_SYNC_FLUSH },
    });
    servePages(pages, options, () => Promise.resolve(handle));
  });
}

/** Starts Vite in middleware mode. */
async function startVite(app: FastifyInstance, root: string): Promise<ViteDevServer> {
  const { createServer } = await import('vite');
  const previousListeners = new Set(process.listeners('SIGTERM'));
  const vite = await createServer({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  // Vite exits the process on SIGTERM, but requests in progress must complete first.
  for (const listener of process.listeners('SIGTERM')) {
    if (!previousListeners.has(listener)) process.off('SIGTERM', listener);
  }
  app.addHook('onClose', () => vite.close());
  return vite;
}

async function serveDevelopment(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const vite = await startVite(app, options.root ?? projectRoot);
  await app.register(async (pages) => {
    pages.addHook('onRequest', (request, reply, done) => {
      vite.middlewares(request.raw, reply.raw, (error?: unknown) =>
        error instanceof Error ? done(error) : done(),
      );
    });
    servePages(pages, options, async () => {
      const build: unknown = await vite.ssrLoadModule('virtual:react-router/server-build');
      return Build.parse(build).entry.module.createPageHandler(build, 'development');
    });
  });
}

/**
 * Serves the pages and their assets on every path without another route.
 * @throws Error in production when the web build is missing
 */
export async function pagesPlugin(app: FastifyInstance, options: PagesOptions): Promise<void> {
  await (options.mode === 'production' ? serveProduction : serveDevelopment)(app, options);
}
