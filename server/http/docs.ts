import { createHash } from 'node:crypto';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { docsPage } from './docs-page.ts';
import { docsStyle } from './docs-style.ts';
import { openApiDocument } from './openapi.ts';

const styleHash = createHash('sha256').update(docsStyle).digest('base64');

/** The page runs nothing and loads nothing; its one style sheet is known by its hash. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Both descriptions, written when first asked for: the start need not wait for them. */
function written(origin: string): () => { page: string; json: string } {
  let made: { page: string; json: string } | null = null;
  return () => {
    if (made === null) {
      const document = openApiDocument(origin);
      made = { page: docsPage(document), json: JSON.stringify(document) };
    }
    return made;
  };
}

function headers(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=300')
    .header('content-security-policy', contentSecurityPolicy);
}

/**
 * Serves the description of the calls: `docs` for people, `docs/openapi.json` for programs.
 * @param options.origin the shop's public origin, without a trailing slash
 */
export async function docsPlugin(app: FastifyInstance, options: { origin: string }): Promise<void> {
  const descriptions = written(options.origin);
  await app.register(compress, { encodings: ['br', 'gzip'] });
  app.get('/docs', async (_request, reply) =>
    headers(reply).type('text/html; charset=utf-8').send(descriptions().page),
  );
  app.get('/docs/openapi.json', async (_request, reply) =>
    // Tools that describe calls run in browsers on other origins.
    headers(reply)
      .header('access-control-allow-origin', '*')
      .type('application/json; charset=utf-8')
      .send(descriptions().json),
  );
}
