import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import serveFiles from '@fastify/static';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ViteDevServer } from 'vite';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { canonicalLocation } from '../http/canonical-host.ts';
import type { InProcessFetch } from '../http/in-process-fetch.ts';
import { handleError, refusalFromError, unavailableHeaders } from '../http/problems.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import { prepareBytes } from '../http/send-cached.ts';
import type { TimeBudget } from '../http/time-budget.ts';
import { loadPages, type Pages, toPages } from './build.ts';
import { sendErrorPage } from './error-page.ts';
import { createRenderingLimit } from './limit-renderings.ts';
import { renderPublicPage } from './public-page.ts';
import { type SecurityOptions, securityHeaders } from './security-headers.ts';
import { SPECULATION_RULES_PATH, speculationRules } from './speculation-rules.ts';

export interface PagesOptions extends SecurityOptions {
  /** Dispatches a call of the contract in process; `url` is a path that begins with `/api`. */
  callApi: InProcessFetch;
  /** Holds the pages that are the same for every visitor. */
  cache: ResponseCache;
  /** Each rendering is charged to it; a page from the cache is not. */
  timeBudget: TimeBudget;
  /** How the shop presents itself at the moment. */
  shop: () => PublicShop;
  /** How many proxies in front are trusted. */
  proxies: number;
  /** The folder of `build/`, `vite.config.ts` and `web/`. Defaults to the project's root. */
  root?: string;
}

const projectRoot = join(import.meta.dirname, '../../..');

/** The requested path and query below the public origin; a path that begins with `//` cannot change the host. */
function toUrl(requested: string, origin: string): URL {
  const url = new URL(origin);
  const [path = '/', ...query] = requested.split('?');
  url.pathname = path.replace(/^\/+/, '/');
  url.search = query.join('?');
  return url;
}

/** Line breaks in a path. Routes do not match them. */
const encodedLineBreak = /%0A|%0D|%E2%80%A[89]/gi;

/** White space at the end of a path. It is looked for at the beginning of each run only, which takes linear time. */
const encodedEnd = /(?<!%(?:09|0[BC]|20|C2%A0))(?:%(?:09|0[BC]|20|C2%A0))+$/i;

/**
 * Returns the path and query without line breaks in the path and without white space at its end, which links copied from emails
 * have; null when there are none. Browsers remove line breaks that are not encoded in the same way.
 */
function withoutLineBreaks(requested: string, origin: string): string | null {
  const [path = '/', ...query] = requested.split('?');
  const cleaned = path.replace(encodedLineBreak, '').replace(encodedEnd, '');
  if (cleaned === path) return null;
  const { pathname, search } = toUrl([cleaned, ...query].join('?'), origin);
  // Not `//host`, which would be another origin.
  return `/${pathname.replace(/^\/+/, '')}${search}`;
}

/** Returns a signal that is aborted when the client disconnects before it has the response. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}

/** Converts a Fastify request to a web request. */
function toWebRequest(request: FastifyRequest, url: URL, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(url, { method: request.method, headers, signal });
}

/** The length of a URL, in characters, up to which its parsed path is remembered. */
const MAXIMUM_REMEMBERED_URL = 200;

/** The page on which people change their passwords. */
const CHANGE_PASSWORD_PAGE = '/dashboard/account';

/** Crawlers leave a whole site when this is refused. It takes less than a millisecond. */
const ROBOTS_PATH = '/robots.txt';

/** Sitemaps are made once an hour, so they are not charged to their readers. */
const sitemapPath = /^\/sitemap(?:-pages|-laptops|-sellers)?\.xml$/;

const isRedirect = (status: number) => status >= 300 && status < 400;

function servePages(app: FastifyInstance, options: PagesOptions, getPages: () => Promise<Pages>): void {
  const { cache, origin } = options;
  const publicOrigin = new URL(origin);
  const report = (log: FastifyBaseLogger) => (error: unknown) => log.error({ err: error }, 'a page failed');

  const limitRendering = createRenderingLimit(options.timeBudget);

  /** Parsing takes longer than sending a kept page, and most requests are for few URLs. */
  const publicPaths = new LRUCache<string, { path: string | null }>({ max: 500 });

  function toPublicPath(pages: Pages, requested: string): string | null {
    const known = publicPaths.get(requested);
    if (known !== undefined) return known.path;
    const path = pages.toPublicPath(toUrl(requested, origin));
    if (requested.length <= MAXIMUM_REMEMBERED_URL) publicPaths.set(requested, { path });
    return path;
  }

  async function sendRendered(request: FastifyRequest, reply: FastifyReply, pages: Pages, url: URL) {
    const nonce = randomBytes(16).toString('base64');
    const signal = disconnectSignal(reply);
    const render = () =>
      pages.handle(toWebRequest(request, url, signal), {
        callApi: (url, init) => options.callApi(url, init, request.ip),
        nonce,
        origin,
        shop: options.shop(),
        isBuffered: false,
        report: report(request.log),
      });
    const isCharged = !sitemapPath.test(url.pathname);
    const response = await (url.pathname === ROBOTS_PATH
      ? render()
      : limitRendering({ address: request.ip, signal, isCharged }, render));
    reply
      .headers(securityHeaders(options, url.pathname, [`'nonce-${nonce}'`]))
      .headers(unavailableHeaders(response.status))
      .header('vary', 'accept-encoding');
    if (!response.headers.has('cache-control')) reply.header('cache-control', 'no-cache');
    if (request.method !== 'HEAD') return reply.send(response);
    await response.body?.cancel();
    return reply.send(new Response(null, response));
  }

  // A person or a crawler asked for a page, so no problem document.
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = refusalFromError(error);
    if (refusal.status >= 500 && refusal.code !== 'busy') request.log.error({ err: error }, 'a page failed');
    return sendErrorPage(request, reply, refusal, options);
  });

  app.get(SPECULATION_RULES_PATH, (_request, reply) =>
    reply
      .type('application/speculationrules+json')
      .header('cache-control', 'public, max-age=3600')
      .send(speculationRules),
  );

  // Password managers lead here (https://w3c.github.io/webappsec-change-password-url/).
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect(CHANGE_PASSWORD_PAGE, 302));

  app.route({
    // HEAD is listed because Fastify's automatic HEAD route computes the length of the body, which fails for a Response.
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: async (request, reply) => {
      const location = canonicalLocation(request, publicOrigin, options.proxies);
      if (location !== null) return reply.header('cache-control', 'no-store').redirect(location, 307);
      const cleaned = withoutLineBreaks(request.url, origin);
      if (cleaned !== null) return reply.redirect(cleaned, 301);
      const pages = await getPages();
      const path = toPublicPath(pages, request.url);
      if (path === null) return sendRendered(request, reply, pages, toUrl(request.url, origin));
      const key = `page ${path}`;
      const { response } = await cache.getOrCreate(key, () =>
        limitRendering({ address: request.ip, signal: disconnectSignal(reply), isCharged: true }, () =>
          renderPublicPage(pages, options, path, { address: request.ip, report: report(request.log) }),
        ),
      );
      // A redirect repeats the requested query.
      if (isRedirect(response.status)) {
        return sendRendered(request, reply, pages, toUrl(request.url, origin));
      }
      return reply.send(
        prepareBytes(request, reply, response, (encoding) => cache.encode(key, response, encoding)),
      );
    },
  });
}

/** @param path of a file of the build, perhaps a compressed one */
function cacheControlOf(path: string): string {
  if (path.includes('/assets/')) return 'public, max-age=31536000, immutable';
  // Browsers that use an older one would show push messages in an older way.
  return path.includes('/service-worker.js') ? 'no-cache' : 'public, max-age=3600';
}

/** An error of @fastify/send. Its `headers` belong to the response, such as Content-Range. */
interface FileError extends FastifyError {
  headers?: Record<string, string>;
}

/** Refuses a condition or a range that a file does not meet (RFC 9110, 13.2.2 and 14.2). */
function handleFileError(error: FileError, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, headers = {}, message } = error;
  if (statusCode !== 412 && statusCode !== 416) {
    handleError(error, request, reply);
    return;
  }
  reply
    .code(statusCode)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send(message);
}

async function serveProduction(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const root = options.root ?? projectRoot;
  const loaded = await loadPages(root);
  await app.register(async (files) => {
    files.setErrorHandler(handleFileError);
    await files.register(serveFiles, {
      root: join(root, 'build/client'),
      wildcard: false,
      index: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header('x-content-type-options', 'nosniff');
        reply.header('cache-control', cacheControlOf(path));
      },
    });
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
    servePages(pages, options, () => Promise.resolve(loaded));
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
      const build = toPages(await vite.ssrLoadModule('virtual:react-router/server-build'), 'development');
      // Vite adds scripts of its own, and the sources change.
      return { ...build, toPublicPath: () => null };
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
