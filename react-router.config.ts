import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes a `.br` and a `.gz` file beside every text asset, so that the server compresses none. */
async function compressAssets(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && /\.(js|css|svg|json|txt|webmanifest)$/.test(entry.name))
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        const bytes = await readFile(path);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        await writeFile(`${path}.br`, await brotli(bytes, { params }));
        await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }));
      }),
  );
}

/** The routes of signed-in users, by their ids in the manifest. */
const signedInRoute = /^(pages\/dashboard\/|dashboard)/;

/**
 * Rewrites the manifest of routes that every visit fetches: without properties that say nothing, with each id once, and without
 * the list of files that a page of the dashboard imports. Those are only for prefetching, and dashboards are not prefetched.
 */
async function shortenManifest(folder: string): Promise<void> {
  const files = await readdir(folder);
  const start = 'window.__reactRouterManifest=';
  for (const file of files.filter((name) => /^manifest-.*\.js$/.test(name))) {
    const text = await readFile(join(folder, file), 'utf8');
    if (!text.startsWith(start)) throw new Error(`${file} is not the manifest of routes.`);
    const manifest: unknown = JSON.parse(
      text.slice(start.length).replace(/;$/, ''),
      function shorten(key, value) {
        if (value === false || (key === 'css' && Array.isArray(value) && value.length === 0))
          return undefined;
        if (key === 'imports' && signedInRoute.test(String(Reflect.get(this, 'id')))) return undefined;
        // Called after the properties of all routes.
        if (key === 'routes') for (const id of Object.keys(value)) Reflect.deleteProperty(value[id], 'id');
        return value;
      },
    );
    const addIds = 'for(const[id,route]of Object.entries(__reactRouterManifest.routes))route.id=id';
    await writeFile(join(folder, file), `${start}${JSON.stringify(manifest)};${addIds}`);
  }
}

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // The whole route table is small; on-demand discovery would cost a request per page.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig }) {
    const folder = join(reactRouterConfig.buildDirectory, 'client');
    await shortenManifest(join(folder, 'assets'));
    await compressAssets(folder);
  },
} satisfies Config;
