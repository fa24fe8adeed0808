import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { themeVariables } from '#contract/platform/theme.ts';
import { acceptedEncodings, type Compressed, compressWell } from './content-encoding.ts';
import { renderDocsPage } from './docs-page.ts';
import { entityTagOf } from './etag.ts';
import { openApiDocument } from './openapi.ts';
import { prepareBytes } from './send-cached.ts';

const colors = Object.entries(themeVariables)
  .map(([name, value]) => `${name}:${value}`)
  .join(';');
const style = `:root{${colors}}${readFileSync(new URL('docs.css', import.meta.url), 'utf8')}`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Allows neither scripts nor requests, and the style sheet by its hash. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Compress = typeof compressWell;

/** A text that never changes. It is compressed at most once in each content coding. */
function createStaticText(text: string, compress: Compress) {
  const body = Buffer.from(text);
  const response = { status: 200, body, etag: entityTagOf(body) };
  const compressed = new Map<'br' | 'gzip', Promise<Compressed>>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Buffer> => {
    const accepted = acceptedEncodings(request.headers['accept-encoding']?.toString());
    const encoding = (['br', 'gzip'] as const).find((each) => accepted.includes(each));
    reply.header('vary', 'accept-encoding');
    if (encoding === undefined) return prepareBytes(request, reply, response, () => null);
    const running = compressed.get(encoding) ?? compress(body, encoding);
    compressed.set(encoding, running);
    const bytes = await running;
    return prepareBytes(request, reply, response, () => bytes);
  };
}

/** Renders the page and the OpenAPI document on the first request, so that they do not delay the start. */
function renderOnce(origin: string, compress: Compress) {
  const render = () => {
    const document = openApiDocument(origin);
    return {
      page: createStaticText(renderDocsPage(document, style), compress),
      json: createStaticText(JSON.stringify(document), compress),
    };
  };
  let rendered: ReturnType<typeof render> | null = null;
  return () => {
    rendered ??= render();
    return rendered;
  };
}

function withHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=300')
    .header('content-security-policy', contentSecurityPolicy);
}

/**
 * Serves the API reference: `docs` as a page, `docs/openapi.json` as an OpenAPI document.
 * @param options.origin the shop's public origin, without a trailing slash
 */
export async function docsPlugin(
  app: FastifyInstance,
  { origin, compress = compressWell }: { origin: string; compress?: Compress },
): Promise<void> {
  const getRendered = renderOnce(origin, compress);
  app.get('/docs', (request, reply) => {
    withHeaders(reply).type('text/html; charset=utf-8');
    return getRendered().page(request, reply);
  });
  app.get('/docs/openapi.json', (request, reply) => {
    // OpenAPI tools run in browsers on other origins.
    withHeaders(reply).header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    return getRendered().json(request, reply);
  });
}
