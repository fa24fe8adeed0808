// Part of the bootstrap: plain JavaScript that Node 18 and later run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { nodeProgram } from './platform.js';
import { hashOf, print, readIfPresent, runQuietly, secondsSince } from './setup-files.js';

const stampFile = 'build/.coomercio-stamp';
const inputs = ['web', 'contract', 'package-lock.json', 'vite.config.ts', 'react-router.config.ts'];

/**
 * Builds the pages for production, unless their inputs are unchanged since the last build.
 *
 * @param {string} root
 * @throws {Error} with the output of the build
 */
export async function buildPages(root) {
  const stamp = hashOf(root, inputs, '');
  if (readIfPresent(join(root, stampFile)) === stamp) return;
  const started = Date.now();
  const node = nodeProgram(root);
  const ended = await runQuietly(
    node,
    [join(root, 'node_modules/@react-router/dev/bin.cjs'), 'build'],
    root,
    {
      ...process.env,
      NODE_ENV: 'production',
      PATH: [dirname(node), process.env.PATH].join(delimiter),
    },
  );
  if (ended.code !== 0) throw new Error(`${ended.output.trim()}\nThe pages could not be built.`);
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(join(root, stampFile), stamp);
  print(`Built the pages in ${secondsSince(started)}.`);
}
