import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A build as the web part makes it, small enough to be read here. Each page begins with a tag: `@fastify/compress` takes
 * one in a thousand random beginnings for a compressed body, and does not compress it.
 */
const builtServer = `
  const toPublicPath = ({ pathname, searchParams }) =>
    pathname.startsWith('/public/') ? pathname + (searchParams.has('page') ? '?page=' + searchParams.get('page') : '') : null;
  export const entry = { module: { toPublicPath, createPageHandler: () => async (request, { callApi, nonce, origin, report }) => {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith('/public/')) {
      if (pathname === '/public/moved') return new Response(null, { status: 301, headers: { location: '/public/here' + search } });
      if (pathname === '/public/broken') report(new Error('a section failed'));
      const answer = await callApi(pathname.replace('public', 'api').replace('broken', 'shown').replace('thrown', 'refused'), { method: 'GET' });
      const text = await answer.text();
      const html = '<p>' + text + search + '</p><script nonce="' + nonce + '">"start"</script><script src="/a.js" nonce="' + nonce + '"></script><script>"injected"</script>';
      return new Response(html.padEnd(2000), { status: answer.ok ? 200 : pathname === '/public/thrown' ? 500 : answer.status, headers: { 'content-type': 'text/html' } });
    }
    if (pathname === '/thrown') throw new Error('a page failed');
    if (pathname === '/missing') return new Response('missing', { status: 404, headers: { 'content-type': 'text/html' } });
    if (pathname === '/call') {
      const answer = await callApi('/api/brands', { method: 'GET' });
      return new Response(await answer.text(), { headers: { 'content-type': 'text/html' } });
    }
    if (pathname === '/streamed') {
      const encoder = new TextEncoder();
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue(encoder.encode('<p>first</p>'.padEnd(2000)));
          await globalThis.secondPart;
          controller.enqueue(encoder.encode('<p>second</p>'));
          controller.close();
        },
      });
      return new Response(stream, { headers: { 'content-type': 'text/html' } });
    }
    return new Response('<p> ' + nonce + ' ' + request.url, { headers: { 'content-type': 'text/html' } });
  } } };
`;

/** Writes the server part of a build to a temporary folder. */
export async function writeBuild(): Promise<{ root: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'coomercio-pages-'));
  await mkdir(join(root, 'build/server'), { recursive: true });
  await mkdir(join(root, 'build/client/assets'), { recursive: true });
  await writeFile(join(root, 'build/server/index.js'), builtServer);
  return { root, remove: () => rm(root, { recursive: true }) };
}
