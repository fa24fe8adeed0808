import { renderToStaticMarkup } from 'react-dom/server';
import {
  createRequestHandler,
  type EntryContext,
  RouterContextProvider,
  Scripts,
  ServerRouter,
} from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { deferHydration, deferredBootstrap } from './deferred-hydration.tsx';
import { buildOfOnePage } from './testing/build-of-one-page.ts';

let context: EntryContext;
let bootstrap: string;
/** What React Router's own `<Scripts>` renders for the same page. */
let html: string;

beforeAll(async () => {
  const request = new Request('https://shop.example/');
  let captured: EntryContext | undefined;
  const handle = createRequestHandler(
    buildOfOnePage(
      {
        default: (_request, status, _headers, given) => {
          captured = given;
          return new Response(null, { status });
        },
      },
      { default: Scripts, handle: deferHydration },
    ),
  );
  await handle(request, new RouterContextProvider());
  if (captured === undefined) throw new Error('React Router rendered no document.');
  context = captured;
  bootstrap = deferredBootstrap(context);
  // Without the stream of loader data, which static markup cannot wait for.
  const { serverHandoffStream: _, ...withoutStream } = context;
  html = renderToStaticMarkup(<ServerRouter context={withoutStream} url={request.url} />);
});

test('React Router’s handoff script is the one the bootstrap starts with', () => {
  const [, handoff = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  expect(handoff).toContain('window.__reactRouterContext');
  expect(bootstrap.startsWith(handoff)).toBe(true);
});

test('React Router’s module script imports manifest, route modules and entry, and sets nothing else', () => {
  const [, script = ''] = /<script type="module" async="">(.*?)<\/script>/s.exec(html) ?? [];
  expect(
    script
      .split(/;|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ).toEqual([
    'import "/manifest.js"',
    'import * as route0 from "/root.js"',
    'import * as route1 from "/home.js"',
    'window.__reactRouterRouteModules = {"root":route0,"home":route1}',
    'import("/entry.js")',
  ]);
});

test('the bootstrap imports the same modules in the same order', () => {
  expect([...bootstrap.matchAll(/await import\("(.*?)"\)/g)].map(([, url]) => url)).toEqual([
    '/manifest.js',
    '/root.js',
    '/home.js',
    '/entry.js',
  ]);
  expect(bootstrap).toContain(
    'window.__reactRouterRouteModules={"root":await import("/root.js"),"home":await import("/home.js")};',
  );
});

test('the bootstrap preloads what React Router preloads, except the manifest, which it imports first', () => {
  const preloaded = [...html.matchAll(/<link rel="modulepreload" href="(.*?)"/g)].map(([, href]) => href);
  const [, list = '[]'] = /for\(const href of (\[.*?\])\)/.exec(bootstrap) ?? [];
  expect(new Set(['/manifest.js', ...JSON.parse(list)])).toEqual(new Set(preloaded));
});

test('`<Scripts>` reports itself to the server by didRenderScripts alone, as entry.server.tsx does in its place', () => {
  expect(context.renderMeta).toEqual({ didRenderScripts: true });
});

test('a page without the handle gets no bootstrap script', () => {
  expect(deferredBootstrap({ ...context, routeModules: {} })).toBe('');
});
