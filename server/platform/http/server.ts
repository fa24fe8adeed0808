import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import { hasMultipleHosts } from '#contract/platform/hosts.ts';
import { API_PREFIX } from './api.ts';
import { handleError, sendProblem } from './problems.ts';
import { Refusal } from './refusal.ts';

/**
 * A person's broken link, such as `/laptop/%E0%A4%A`, leads to the page that says that nothing is there: its percent signs are
 * taken as they are. A malformed URL of the API is an error.
 */
function toRoutableUrl(url: string): string {
  if (!url.includes('%') || url.startsWith(API_PREFIX)) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURI(path);
    return url;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/**
 * Creates the Fastify instance: request ids, problem documents for errors and unknown routes, time limits.
 * @param options.trustProxy how many proxies in front are trusted
 * @param options.origin the public origin
 */
export function createServer(options: {
  logger: FastifyBaseLogger;
  trustProxy: number;
  origin: string;
}): FastifyInstance {
  const app = fastify({
    loggerInstance: options.logger,
    // Each proxy appends to X-Forwarded-For, so the addresses before the trusted ones are the client's own text.
    trustProxy: (_address, hop) => hop < options.trustProxy,
    genReqId: () => randomUUID(),
    // Fastify's request lines hold URLs with personal data. `observeRequests` logs requests instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    rewriteUrl: ({ url = '/' }) => toRoutableUrl(url),
    // Errors before routing, such as a malformed URL, reach no hook and no error handler.
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(reply.header('x-request-id', request.id), options.origin);
      handleError(error, request, reply);
    },
    // Requests on connections that are still open are answered while the process closes.
    return503OnClosing: false,
    // A start on a busy machine takes longer than Fastify's default of 10 s for reading the built pages.
    pluginTimeout: 120_000,
    // Long enough to upload a photo over a slow mobile connection.
    requestTimeout: 120_000,
    // A connection without a request, or with half of its headers, ends after this; requests over slow connections take less.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    // Ends connections whose client does not read its response, which is held in memory.
    connectionTimeout: 120_000,
    // On closing, idle connections end immediately and busy ones after their response.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
  });
  // Node asks the system for the address at the first read, and keeps it. After the client has left there is none any more, and
  // `request.ip` would be undefined, contrary to its type.
  app.server.on('connection', (socket) => void socket.remoteAddress);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, new Refusal('not_found', 'There is nothing here by that name.')),
  );
  app.decorateReply('refusalCode', null);
  return app;
}

/** Rejects requests with two Host headers: a proxy in front may have used the other one. */
export function rejectMultipleHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasMultipleHosts(request.raw.rawHeaders)) return done();
    done(new Refusal('malformed_request', 'The request names two hosts, so nothing was done.'));
  });
}

function setSecurityHeaders(reply: FastifyReply, origin: string): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'strict-origin-when-cross-origin');
  if (!reply.hasHeader('content-security-policy')) {
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  }
  if (origin.startsWith('https:')) {
    reply.header('strict-transport-security', 'max-age=31536000');
  }
}

/** Adds security headers to every response. Pages set their own Content-Security-Policy. @param origin the public origin */
export function addSecurityHeaders(app: FastifyInstance, origin: string): void {
  // A callback, because a promise would delay every response by a turn of the event loop.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    setSecurityHeaders(reply, origin);
    done();
  });
}
