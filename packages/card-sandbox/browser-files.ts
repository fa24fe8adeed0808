import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { renderDashboard } from './dashboard.ts';
import type { Ledger } from './storage/store.ts';

const folder = new URL('./browser/', import.meta.url);

/** What runs in the shop's page, in the order in which the parts need each other. */
const pageScripts = ['messages.ts', 'page/authentication.ts', 'page/card-element.ts', 'page/stripe.ts'];

const served = [
  'card-frame.ts',
  'card-rules.ts',
  'card-style.ts',
  'authentication-frame.ts',
  'messages.ts',
  'frame-channel.ts',
  'frame.css',
  'dashboard.css',
];

const types = new Map([
  ['.ts', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
]);

const contentPolicy = (ancestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'font-src http: https: data:',
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

async function source(name: string): Promise<string> {
  const text = await readFile(new URL(name, folder), 'utf8');
  return name.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
}

/**
 * One classic script out of the page's modules: shops load it with a plain script element, which cannot
 * import. Its parts share one function's scope, so their top-level names must differ.
 */
async function joinedPageScript(): Promise<string> {
  const parts = await Promise.all(pageScripts.map(source));
  const joined = parts
    .map((part) =>
      part.replace(/^import\b[^;]*;$/gm, '').replace(/^export (?=(async |class |const |function ))/gm, ''),
    )
    .join('\n');
  return `(() => {\n'use strict';\n${joined}\n})();\n`;
}

/** Serves what browsers load: the script, the two framed pages with their modules, the dashboard. */
export async function serveBrowserFiles(app: FastifyInstance, ledger: Ledger): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'no-cache',
    });
  });
  const serve = (url: string, kind: string, body: string, headers: Record<string, string> = {}) => {
    app.get(url, async (_request, reply) =>
      reply.headers({ 'Content-Type': types.get(kind) ?? 'text/plain', ...headers }).send(body),
    );
  };
  serve('/stripe.js', '.ts', await joinedPageScript());
  const framed = { 'Content-Security-Policy': contentPolicy('*') };
  serve('/frames/card', '.html', await source('card-frame.html'), framed);
  serve('/frames/authentication', '.html', await source('authentication-frame.html'), framed);
  for (const name of served) serve(`/browser/${name}`, extname(name), await source(name));
  app.get('/', async (_request, reply) =>
    reply
      .headers({
        'Content-Type': types.get('.html') ?? '',
        'Content-Security-Policy': contentPolicy("'none'"),
        'Cache-Control': 'no-store',
      })
      .send(renderDashboard(ledger)),
  );
}
