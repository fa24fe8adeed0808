import { readdir, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';

const folder = new URL('./browser/', import.meta.url);

/** The modules of stripe.js, each after those that it imports. */
const pageScripts = ['messages.ts', 'page/authentication.ts', 'page/card-element.ts', 'page/stripe.ts'];

const types = new Map([
  ['.ts', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
]);

/**
 * Returns the Content-Security-Policy of a page.
 * @param ancestors the origins that may show it in a frame
 * @param formAction where its forms may lead
 */
export const contentSecurityPolicy = (ancestors: string, formAction = "'none'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${ancestors}`,
  ].join('; ');

async function readSource(name: string): Promise<string> {
  const text = await readFile(new URL(name, folder), 'utf8');
  return name.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

/**
 * Joins the modules of stripe.js to one classic script, because pages load it with a script element without
 * `type="module"`. The modules share one scope, so their top-level names must differ.
 */
async function bundlePageScript(): Promise<string> {
  const parts = await Promise.all(pageScripts.map(readSource));
  const joined = parts
    .map((part) =>
      part.replace(/^import\b[^;]*;$/gm, '').replace(/^export (?=(async |class |const |function ))/gm, ''),
    )
    .join('\n');
  return `(() => {\n'use strict';\n${joined}\n})();\n`;
}

/** Serves stripe.js, the two frames with their modules, and the style of the onboarding page. */
export async function serveBrowserFiles(app: FastifyInstance): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'no-cache',
    });
  });
  // Read at each request, because most sandboxes are never opened in a browser.
  const serve = (
    url: string,
    kind: string,
    read: () => Promise<string>,
    headers: Record<string, string> = {},
  ) => {
    app.get(url, async (_request, reply) =>
      reply.headers({ 'Content-Type': types.get(kind) ?? 'text/plain', ...headers }).send(await read()),
    );
  };
  serve('/stripe.js', '.ts', bundlePageScript);
  const frameHeaders = { 'Content-Security-Policy': contentSecurityPolicy('*') };
  for (const frame of ['card', 'authentication']) {
    serve(`/frames/${frame}`, '.html', () => readSource(`${frame}-frame.html`), frameHeaders);
  }
  const moduleOrStyle = /^[\w-]+\.(ts|css)$/;
  for (const name of (await readdir(folder)).filter((file) => moduleOrStyle.test(file))) {
    serve(`/browser/${name}`, extname(name), () => readSource(name));
  }
}
