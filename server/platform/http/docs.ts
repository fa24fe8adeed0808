import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PublicShop, themeOf } from '#contract/platform/shop-settings.ts';
import { toVariables } from '#contract/platform/theme.ts';
import { toCachedResponse } from './cached-response.ts';
import { type ContentEncoding, compress } from './content-encoding.ts';
import { Html, html } from './html.ts';
import { type OpenApiDocument, openApiDocument } from './openapi.ts';
import { prepareBytes } from './send-cached.ts';

const read = (url: string) => readFileSync(fileURLToPath(url), 'utf8');
const ownRules = read(import.meta.resolve('./docs.css'));

/**
 * Starts Swagger UI, in the theme of the system. It sends no requests: a trial would book and pay. A link in the button of each
 * call could not be reached by the keyboard; the address follows the open call without it.
 */
const start = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
const nothing = () => () => null;
SwaggerUIBundle({
  domNode: document.getElementById('calls'),
  url: '/api/docs/openapi.json',
  deepLinking: true,
  docExpansion: 'none',
  syntaxHighlight: { activated: false },
  supportedSubmitMethods: [],
  plugins: [{ wrapComponents: { InfoContainer: nothing, authorizeOperationBtn: nothing, DeepLink: () => ({ text }) => text } }],
});`;

/** The style sheet with the colours of the shop. */
function styleOf(shop: PublicShop): string {
  const colors = Object.entries(toVariables(themeOf(shop)))
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  return `:root{${colors}}${ownRules}`;
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const contentSecurityPolicy = (style: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${hashOf(start)}`,
    `style-src 'self' ${hashOf(style)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const prose = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

const renderPage = ({ title, description }: OpenApiDocument['info'], shopName: string, style: string) =>
  html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="Every call of this shop: access, parameters, response and refusals.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<style>${new Html(style)}</style>
</head>
<body>
<header>
<p><a href="/">${shopName}</a></p>
<h1>${title}</h1>
<p>${prose(description)}</p>
<p>For programs: <a href="/api/docs/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2>Calls</h2>
</header>
<div id="calls"></div>
<script src="/api/docs/swagger-ui.js"></script>
<script>${new Html(start)}</script>
</body>
</html>
`.text;

/** A text that never changes. It is compressed at most once in each content coding. */
function createStaticText(text: string) {
  const body = Buffer.from(text);
  const response = toCachedResponse(body, { vary: 'accept-encoding' });
  const compressed = new Map<ContentEncoding, Buffer>();
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const bytes = prepareBytes(request, reply, response, (encoding) => {
      const encoded = compressed.get(encoding) ?? compress(body, encoding);
      compressed.set(encoding, encoded);
      return encoded;
    });
    return reply.send(bytes);
  };
}

/** Renders the page and the OpenAPI document on the first request after the start and after each change of the settings. */
function renderOnce(origin: string, shop: () => PublicShop) {
  const render = (of: PublicShop) => {
    const document = openApiDocument(origin, of.name);
    const style = styleOf(of);
    return {
      of,
      page: createStaticText(renderPage(document.info, of.name, style)),
      json: createStaticText(JSON.stringify(document)),
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

/** A file of Swagger UI, which is read at the first request. */
function createFile(url: string) {
  let file: ReturnType<typeof createStaticText> | null = null;
  return (request: FastifyRequest, reply: FastifyReply) => {
    file ??= createStaticText(read(url));
    return file(request, reply);
  };
}

/**
 * Serves the API reference: `docs` as a page, `docs/openapi.json` as an OpenAPI document.
 * @param options.origin the shop's public origin, without a trailing slash
 * @param options.shop the same object until the settings change
 */
export async function docsPlugin(
  app: FastifyInstance,
  { origin, shop }: { origin: string; shop: () => PublicShop },
): Promise<void> {
  const getRendered = renderOnce(origin, shop);
  const script = createFile(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui-bundle.js'));
  const styles = createFile(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css'));
  app.addHook(
    'onRequest',
    async (_request, reply) => void reply.header('cache-control', 'public, max-age=300'),
  );
  app.get('/docs', (request, reply) => {
    const { page, contentSecurityPolicy } = getRendered();
    reply.header('content-security-policy', contentSecurityPolicy).type('text/html; charset=utf-8');
    return page(request, reply);
  });
  app.get('/docs/openapi.json', (request, reply) => {
    // OpenAPI tools run in browsers on other origins.
    reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    return getRendered().json(request, reply);
  });
  app.get('/docs/swagger-ui.js', (request, reply) =>
    script(request, reply.type('text/javascript; charset=utf-8')),
  );
  app.get('/docs/swagger-ui.css', (request, reply) => styles(request, reply.type('text/css; charset=utf-8')));
}
