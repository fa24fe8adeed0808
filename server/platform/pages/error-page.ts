import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusals } from '#contract/platform/refusals.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { themeOf } from '#contract/platform/shop-settings.ts';
import type { Theme } from '#contract/platform/theme.ts';
import { Html, html } from '../http/html.ts';
import { setRefusalHeaders } from '../http/problems.ts';
import type { Refusal } from '../http/refusal.ts';
import { type SecurityOptions, securityHeaders } from './security-headers.ts';

const styleOf = ({ background, foreground, link }: Theme) =>
  new Html(`
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(${background.light}, ${background.dark}); color: light-dark(${foreground.light}, ${foreground.dark}); font: 1rem/1.55 system-ui, sans-serif; }
main { box-sizing: border-box; min-height: 100vh; max-width: 72rem; margin: auto; padding: 4rem 1rem; display: flex; flex-direction: column; justify-content: center; gap: 1.25rem; }
h1 { margin: 0; max-width: 42rem; font-size: clamp(2rem, 1.5rem + 2vw, 3rem); line-height: 1.2; text-wrap: balance; }
p { margin: 0; max-width: 65ch; }
a { color: light-dark(${link.light}, ${link.dark}); display: inline-block; padding: 0.5rem 1rem 0.5rem 0; }`);

/**
 * Sends a page that says why there is no other. It is made without React and loads nothing, because it is sent while the shop
 * saves work. A request for the data of a page gets the sentence only.
 */
export function sendErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  options: SecurityOptions & { shop: () => PublicShop },
): FastifyReply {
  const [path = '/'] = request.url.split('?', 1);
  setRefusalHeaders(reply, refusal);
  reply.headers(securityHeaders(options, path, []));
  if (path.endsWith('.data')) return reply.type('text/plain; charset=utf-8').send(refusal.message);
  const { title } = refusals[refusal.code];
  const shop = options.shop();
  const { name } = shop;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${name}</title>
<style>${styleOf(themeOf(shop))}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${refusal.message}</p>
<p><a href="">Try again</a> <a href="/">Go to Homepage</a></p>
</main>
</body>
</html>
`;
  return reply.type('text/html; charset=utf-8').send(page.text);
}
