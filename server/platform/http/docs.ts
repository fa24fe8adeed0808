import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PublicShop, themeOf } from '#contract/platform/shop-settings.ts';
import { toVariables } from '#contract/platform/theme.ts';
import { acceptedEncodings, type Compressed, compressWell } from './content-encoding.ts';
import { renderDocsPage } from './docs-page.ts';
import { entityTagOf } from './etag.ts';
import { openApiDocument } from './openapi.ts';
import { prepareBytes } from './send-cached.ts';

const rules = readFileSync(new URL('docs.css', import.meta.url), 'utf8');

/** The style sheet with the colours of the shop. */
function styleOf(shop: PublicShop): string {
  const colors = Object.entries(toVariables(themeOf(shop)))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  return `:root{${colors}}${rules}`;
}

/** Allows neither scripts nor requests, and the style sheet by its hash. */
const contentSecurityPolicy = (style: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
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

/** Renders the page and the OpenAPI document on the first request after the start and after each change of the settings. */
function renderOnce(origin: string, shop: () => PublicShop, compress: Compress) {
  const render = (of: PublicShop) => {
    const document = openApiDocument(origin, of.name);
    const style = styleOf(of);
    return {
      of,
      page: createStaticText(renderDocsPage(document, { style, shopName: of.name }), compress),
      json: createStaticText(JSON.stringify(document), compress),
      contentSecurityPolicy: contentSecurityPolicy(style),
    };
  };
  let rendered: ReturnType<typeof render> | null = null;
  return () => {
    const current = shop();
    if (rendered?.of !== current) rendered = render(current);
    return rendered;
  };
}

function withHeaders(reply: FastifyReply, policy: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300').header('content-security-policy', policy);
}

/**
 * Serves the API reference: `docs` as a page, `docs/openapi.json` as an OpenAPI document.
 * @param options.origin the shop's public origin, without a trailing slash
 * @param options.shop the same object until the settings change
 */
export async function docsPlugin(
  app: FastifyInstance,
  { origin, shop, compress = compressWell }: { origin: string; shop: () => PublicShop; compress?: Compress },
): Promise<void> {
  const getRendered = renderOnce(origin, shop, compress);
  app.get('/docs', (request, reply) => {
    const { page, contentSecurityPolicy: policy } = getRendered();
    withHeaders(reply, policy).type('text/html; charset=utf-8');
    return page(request, reply);
  });
  app.get('/docs/openapi.json', (request, reply) => {
    // OpenAPI tools run in browsers on other origins.
    const { json, contentSecurityPolicy: policy } = getRendered();
    withHeaders(reply, policy)
      .header('access-control-allow-origin', '*')
      .type('application/json; charset=utf-8');
    return json(request, reply);
  });
}
