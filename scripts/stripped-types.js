// Loaded before the server (`node --import`): it then runs modules without types from build/stripped in place of those that
// Node would strip, and needs neither Node's type stripper nor its cache of compiled code, which keep 20 MB each. A module that
// is not there is stripped by Node.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url).href;

export const strippedFolder = fileURLToPath(new URL('../build/stripped', import.meta.url));

/** The file of a module without types. @param {string} path the module's path below the project's folder, ending in `.ts` */
export const strippedPath = (path) => join(strippedFolder, path.replace(/\.ts$/, '.js'));

function readStripped(url) {
  if (!url.startsWith(root) || !url.endsWith('.ts')) return null;
  try {
    return readFileSync(strippedPath(decodeURIComponent(url.slice(root.length))), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

registerHooks({
  load(url, context, nextLoad) {
    const source = readStripped(url);
    return source === null ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
