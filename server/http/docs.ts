import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { renderDocsPage } from './docs-page.ts';
import { openApiDocument } from './openapi.ts';

const style = readFileSync(new URL('docs.css', import.meta.url), 'utf8');
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

/** Renders the page and the OpenAPI document on the first request, so that they do not delay the start. */
function renderOnce(origin: string): () => { page: string; json: string } {
  let rendered: { page: string; json: string } | null = null;
  return () => {
    if (rendered === null) {
      const document = openApiDocument(origin);
      rendered = { page: renderDocsPage(document, style), json: JSON.stringify(document) };
    }
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
export async function docsPlugin(app: FastifyInstance, options: { origin: string }): Promise<void> {
  const getRendered = renderOnce(options.origin);
  await app.register(compress, { encodings: ['br', 'gzip'] });
  app.get('/docs', async (_request, reply) =>
    withHeaders(reply).type('text/html; charset=utf-8').send(getRendered().page),
  );
  app.get('/docs/openapi.json', async (_request, reply) =>
    // OpenAPI tools run in browsers on other origins.
    withHeaders(reply)
      .header('access-control-allow-origin', '*')
      .type('application/json; charset=utf-8')
      .send(getRendered().json),
  );
}
